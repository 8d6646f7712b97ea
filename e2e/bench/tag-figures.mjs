// What the time behind every turn costs, and the tools declared in it: the same 200 KB requests passed on with both,
// with the tools alone and with neither, and to the reference that parses and writes each. In turn, round by round.
import { join } from 'node:path'
import { chatBody } from './bodies.mjs'
import { start, temporaryFolder } from './children.mjs'
import { connect, requestBytes } from './load.mjs'
import { writeConfig } from './onward.mjs'
import { median } from './parts.mjs'
import { cpuMs } from './process-facts.mjs'

const ROUNDS = 5
const REQUESTS = 200
const kinds = {
  'tag and tools': {},
  'tools alone': { clock: { timeTag: false } },
  neither: { servertools: { enabled: false }, clock: { enabled: false } },
}

async function engine(program, upstream, more) {
  const home = temporaryFolder()
  writeConfig(home, upstream.port, more)
  return start([program, 'serve', '--json', '--home', home, '--port', '0'], '1')
}

/** CPU per request, milliseconds */
async function passOn({ port, pid }, bytes, requests) {
  const request = requestBytes({ path: '/v1/chat/completions', port }, chatBody(bytes))
  const connections = await Promise.all(Array.from({ length: 4 }, () => connect(port, 60_000)))
  const before = cpuMs(pid)
  let left = requests
  await Promise.all(
    connections.map(async (connection) => {
      while (left-- > 0) await connection.send(request)
    }),
  )
  for (const connection of connections) connection.close()
  return (cpuMs(pid) - before) / requests
}

export async function tagFigures(program, upstream) {
  const reference = 'node-parse'
  const targets = {
    [reference]: await start([join(import.meta.dirname, 'bare.mjs'), 'parse', String(upstream.port)], '1'),
  }
  for (const [name, more] of Object.entries(kinds)) targets[name] = await engine(program, upstream, more)
  const names = Object.keys(targets)
  const seen = Object.fromEntries(names.map((name) => [name, []]))
  for (const name of names) await passOn(targets[name], 200_000, REQUESTS)
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of round % 2 ? names.toReversed() : names)
      seen[name].push(await passOn(targets[name], 200_000, REQUESTS))
  }
  for (const name of names) await targets[name].stop()
  const ratio = (name, to) => seen[name].map((cpu, i) => cpu / seen[to][i])
  const row = (title, unit, range, limits) => ({ title, unit, value: median(range), range, limits })
  return [
    ...names.map((name) => row(`200 KB body passed on: ${name}`, 'ms of CPU', seen[name])),
    row('200 KB body with tag and tools: CPU ÷ node-parse', 'ratio', ratio('tag and tools', reference), [1.4, 0.5]),
    row('200 KB body with tools alone: CPU ÷ node-parse', 'ratio', ratio('tools alone', reference), [1.4, 0.5]),
    row('200 KB body with neither: CPU ÷ node-parse', 'ratio', ratio('neither', reference), [0.6, 0.3]),
  ]
}
