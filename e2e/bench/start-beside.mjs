// Two builds' start beside each other, in turn, each in a fresh process: processor time and time until `onward serve`
// listens, and memory once it is idle.
//   node e2e/bench/start-beside.mjs <out of the base> [--rounds 9] [--sessions 10000]
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { endTogether, start, temporaryFolder } from './children.mjs'
import { fillHome } from './many-sessions.mjs'
import { median } from './parts.mjs'
import { memory } from './process-facts.mjs'

/** as long as the bench waits before it weighs an idle engine */
const IDLE_MS = 1_000
const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`)
  return at > 0 ? Number(process.argv[at + 1]) : otherwise
}
const root = resolve(import.meta.dirname, '../..')
const builds = { base: resolve(process.argv[2] ?? ''), now: join(root, process.env.ONWARD_OUT ?? 'out') }
const wait = (ms) => new Promise((done) => setTimeout(done, ms))

/** Milliseconds of all threads, finer than the ticks of /proc/<pid>/stat. */
function cpuOf(pid) {
  const ns = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return ns.reduce((sum, one) => sum + one, 0) / 1e6
}

endTogether()
const sessions = option('sessions', 0)
const home = temporaryFolder()
const env = sessions > 0 ? fillHome(home, sessions) : {}
const seen = { base: [], now: [] }
for (let round = 0; round < option('rounds', 9) + 1; round++) {
  for (const name of round % 2 ? ['now', 'base'] : ['base', 'now']) {
    const program = join(builds[name], 'main/onward.js')
    const child = await start([program, 'serve', '--json', '--home', home, '--port', '0'], '1', env)
    const cpuMs = cpuOf(child.pid)
    await wait(IDLE_MS)
    const idle = { cpuMs: cpuOf(child.pid), rss: memory(child.pid).rss }
    // The first round of each reads its files into the system's cache.
    if (round > 0)
      seen[name].push({
        'CPU, ms': cpuMs,
        'ms to listening': child.startMs,
        'CPU after a second, ms': idle.cpuMs,
        'RSS idle, MB': idle.rss,
      })
    await child.stop()
  }
}
const lines = Object.keys(seen.now[0]).map((what) => {
  const of = (name) => seen[name].map((one) => one[what])
  const cell = (values) =>
    `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)})`
  const ratio = (median(of('now')) / median(of('base'))).toFixed(2)
  return `| ${what} | ${cell(of('base'))} | ${cell(of('now'))} | ${ratio} |`
})
process.stdout.write(
  [`| start with ${sessions} sessions | base | now | now ÷ base |`, '|---|--:|--:|--:|', ...lines, ''].join('\n'),
)
process.exit(0)
