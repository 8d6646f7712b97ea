// `npm run check`: everything that can be said of the sources without running them. All of it, side by side.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const trees = ['electron', 'renderer', 'shared', 'e2e', 'scripts']

/** name -> program of node_modules, and its arguments */
export const checks = {
  types: ['typescript-native/bin/tsc', '-p', '.'],
  lint: ['oxlint/bin/oxlint', '--deny-warnings', ...trees],
  layout: [
    'dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err',
    'electron',
    'renderer',
    'shared',
  ],
  format: ['oxfmt/bin/oxfmt', '--check'],
}

/** What a check prints when it finds something; null when it is content. */
export function complaintsOf(name) {
  const [program, ...args] = checks[name]
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [`node_modules/${program}`, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => said.push(data))
    child.once('error', failed)
    child.once('close', (code) => done(code === 0 ? null : Buffer.concat(said).toString()))
  })
}

if (import.meta.filename === process.argv[1]) {
  const waiting = Object.keys(checks)
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const begun = performance.now()
      const complaints = await complaintsOf(name)
      process.stdout.write(
        `${complaints === null ? 'ok    ' : 'failed'} ${name} (` +
          `${((performance.now() - begun) / 1_000).toFixed(1)} s)\n${complaints ?? ''}`,
      )
      if (complaints !== null) process.exitCode = 1
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work))
}
