// The engine in a home of its own, with nothing to do: how soon it listens, and what it takes then.
import { start, temporaryFolder } from './children.mjs'
import { writeConfig } from './onward.mjs'
import { median } from './parts.mjs'
import { memory } from './process-facts.mjs'
import { bothStarts } from './started-before.mjs'

const TIMES = 5
const IDLE_MS = 1_000

const startAndWeigh = (program) => async (home) => {
  const engine = await start([program, 'serve', '--json', '--home', home, '--port', '0'], '1')
  await new Promise((done) => setTimeout(done, IDLE_MS))
  const { rss } = memory(engine.pid)
  await engine.stop()
  return { ms: engine.startMs, rss }
}

const figure = (title, unit, range, limits) => ({ title, unit, value: median(range), range, limits })

export async function idleFigures(program, upstream) {
  const home = temporaryFolder()
  writeConfig(home, upstream.port)
  const { first, later } = await bothStarts(home, TIMES, startAndWeigh(program))
  const of = (starts, what) => starts.map((one) => one[what])
  return [
    figure('start to listening', 'ms', of(later, 'ms'), [250, 150]),
    figure('the first start of a version, to listening', 'ms', of(first, 'ms')),
    figure('idle', 'RSS, MB', of(later, 'rss'), [70, 55]),
    figure('idle, the first start of a version', 'RSS, MB', of(first, 'rss')),
  ]
}
