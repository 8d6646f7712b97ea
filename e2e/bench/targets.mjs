// What is measured beside what: Onward as it comes and with its tools and the time tag off, and the bare proxies.
import { join } from 'node:path'
import { start, temporaryFolder } from './children.mjs'
import { program, writeConfig } from './onward.mjs'

const here = import.meta.dirname

/** the defaults that add to requests, switched off */
export const nothingAdded = { servertools: { enabled: false }, clock: { enabled: false } }

/** `more`: members of its config; `nodeArgs`: for Node itself; `args`: of `serve` */
export async function startOnward(name, upstream, { more = {}, nodeArgs = [], args = [], of = program } = {}) {
  const home = temporaryFolder()
  writeConfig(home, upstream.port, more)
  const serve = [of, 'serve', '--json', '--home', home, '--port', '0', ...args]
  return { name, home, ...(await start([...nodeArgs, ...serve], '1')) }
}

const bare = async (name, ...args) => ({ name, ...(await start([join(here, args[0]), ...args.slice(1)], '1')) })

export async function startTargets(upstream) {
  const onward = await startOnward('onward', upstream)
  return [
    { name: 'direct', port: upstream.port },
    await bare('node-pipe', 'bare.mjs', 'pipe', String(upstream.port)),
    await bare('node-parse', 'bare.mjs', 'parse', String(upstream.port)),
    await bare('node-convert', 'bare-convert.mjs', String(upstream.port)),
    await startOnward('onward-plain', upstream, { more: nothingAdded }),
    onward,
  ]
}
export const startReference = (upstream, entry) =>
  entry === 'messages'
    ? bare('node-convert', 'bare-convert.mjs', String(upstream.port))
    : bare('node-parse', 'bare.mjs', 'parse', String(upstream.port))
