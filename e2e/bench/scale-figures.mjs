// What a turn costs with many sessions: 10, 100, 300 and 1 000 of them, each engine with somebody who follows it, as
// the tray always does. The pace is the same for all, since what is shown is sent some times a second whatever
// happened: at full speed many turns would share it. A cost that is flat says that nothing grows with the sessions
// known.
import { readFileSync } from 'node:fs'
import { chatBody } from './bodies.mjs'
import { start, temporaryFolder } from './children.mjs'
import { connect, requestBytes } from './load.mjs'
import { program, writeConfig } from './onward.mjs'
import { bundle, median } from './parts.mjs'
import { cpuMs, memory } from './process-facts.mjs'

const SIZES = [10, 100, 300, 1_000]
const ROUNDS = 5
const CONNECTIONS = 8
const ROUND_MS = 4_000
const PACE_MS = 100
const wait = (ms) => new Promise((done) => setTimeout(done, ms))
const path = '/v1/chat/completions'

/** bytes that the process had written to a disk */
const written = (pid) => Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))[1])

async function startEngine(sessions, upstream, view) {
  const home = temporaryFolder()
  writeConfig(home, upstream.port)
  const engine = await start([program, 'serve', '--json', '--home', home, '--port', '0'], '1')
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(engine.port)))
  const body = chatBody(2_048)
  const requests = Array.from({ length: sessions }, (_, i) =>
    requestBytes({ path, port: engine.port }, body, `scale-${i}`),
  )
  let next = 0
  const drive = (more, pace) =>
    Promise.all(
      connections.map(async ({ send }) => {
        while (more()) {
          const paced = wait(pace)
          await send(requests[next++ % sessions])
          await paced
        }
      }),
    )
  // every session is known, and what runs is compiled, whatever their number
  const warm = 2 * SIZES.at(-1)
  await drive(() => next < warm, 0)
  const viewer = await view(home)
  await drive(() => next < warm + 100, PACE_MS)
  return {
    sessions,
    engine,
    async round() {
      const [cpu, bytes, first] = [cpuMs(engine.pid), written(engine.pid), next]
      const until = performance.now() + ROUND_MS
      await drive(() => performance.now() < until, PACE_MS)
      const turns = next - first
      if (viewer.updates() === 0) throw new Error('nothing reached who follows the engine')
      return {
        cpu: (cpuMs(engine.pid) - cpu) / turns,
        disk: (written(engine.pid) - bytes) / 1_000 / turns,
        rss: memory(engine.pid).rss,
      }
    },
    async stop() {
      viewer.stop()
      for (const connection of connections) connection.close()
      await engine.stop()
    },
  }
}

export async function scaleFigures(upstream) {
  // kept until the end: what it imports late is there then
  const part = await bundle({ viewer: 'e2e/bench/viewer-part.ts' })
  const { view } = await part.load('viewer')
  const engines = []
  for (const sessions of SIZES) engines.push({ ...(await startEngine(sessions, upstream, view)), rounds: [] })
  for (let i = 0; i < ROUNDS; i++)
    for (const one of i % 2 ? [...engines].reverse() : engines) one.rounds.push(await one.round())
  for (const one of engines) await one.stop()
  part.dispose()
  return engines.flatMap(({ sessions, rounds }) => {
    const row = (title, unit, of) => {
      const range = rounds.map((round, i) => of(round, i))
      return { title: `${sessions} sessions, 80 turns a second, followed: ${title}`, unit, value: median(range), range }
    }
    return [
      row('CPU a turn', 'ms', ({ cpu }) => cpu),
      row('CPU a turn', '÷ 10 sessions', ({ cpu }, i) => cpu / engines[0].rounds[i].cpu),
      row('written to disk a turn', 'KB', ({ disk }) => disk),
      row('memory', 'RSS, MB', ({ rss }) => rss),
    ]
  })
}
