// The engine in a home of its own, with nothing to do: how soon it listens, and what it takes then.
import { start, temporaryFolder } from './children.mjs'
import { writeConfig } from './onward.mjs'
import { median } from './parts.mjs'
import { memory } from './process-facts.mjs'

const TIMES = 5
const IDLE_MS = 1_000

export async function idleFigures(program, upstream) {
  const starts = []
  const rss = []
  for (let i = 0; i < TIMES; i++) {
    const home = temporaryFolder()
    writeConfig(home, upstream.port)
    const engine = await start([program, 'serve', '--json', '--home', home, '--port', '0'], '1')
    starts.push(engine.startMs)
    await new Promise((done) => setTimeout(done, IDLE_MS))
    rss.push(memory(engine.pid).rss)
    await engine.stop()
  }
  return [
    { title: 'start to listening', unit: 'ms', value: median(starts), range: starts, limits: [250, 150] },
    { title: 'idle', unit: 'RSS, MB', value: median(rss), range: rss, limits: [70, 55] },
  ]
}
