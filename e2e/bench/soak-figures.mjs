// One engine for long: turns of 20 KB of many sessions. What it keeps of them is bounded (events, records, sessions),
// so memory grows at first and then no more: RSS for some 10 000 turns (pools of the allocator too), what is live for
// less. That is passed before the first weighing; growth after it tells of a leak, and of the two figures the heap
// tells it best.
import { chatBody } from './bodies.mjs'
import { start, temporaryFolder } from './children.mjs'
import { connect, requestBytes } from './load.mjs'
import { serveWith, writeConfig } from './onward.mjs'

const LIMIT_MS = 30_000
const SESSIONS = 300
const CONNECTIONS = 8
/** at most, before each weighing, and the share of the time by which it is made */
const PHASES = [
  [10_000, 0.42],
  [7_000, 0.71],
  [7_000, 1],
]

/** `turns` more turns, or as many as there is time for. @returns how many there were */
async function drive(target, from, turns, until) {
  const body = chatBody(20_000)
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(target.port)))
  let next = from
  await Promise.all(
    connections.map(async (connection) => {
      while (next < from + turns && performance.now() < until)
        await connection.send(requestBytes(target, body, `soak-${next++ % SESSIONS}`))
    }),
  )
  for (const connection of connections) connection.close()
  return next - from
}

export async function soakFigures(program, upstream) {
  const home = temporaryFolder()
  writeConfig(home, upstream.port)
  const engine = await start(serveWith('gc-on-signal.mjs', program, home), '1')
  const target = { path: '/v1/chat/completions', port: engine.port }
  const weigh = () => {
    const told = engine.line()
    engine.signal('SIGUSR2')
    return told
  }
  const begin = performance.now()
  const turns = []
  const weights = []
  let sum = 0
  for (const [most, share] of PHASES) {
    turns.push(await drive(target, sum, most, begin + share * LIMIT_MS))
    sum += turns.at(-1)
    weights.push(await weigh())
  }
  await engine.stop()
  const [atStart, atMiddle, atEnd] = weights
  const [, one, two] = turns
  const growth = (before, after, turns, of) => ((after[of] - before[of]) * 1_000) / turns
  return [
    {
      title: `soak, ${turns.join(' + ')} turns of 20 KB: after each`,
      unit: 'RSS, MB',
      value: atEnd.rssMb,
      range: weights.map((w) => w.rssMb),
    },
    {
      title: 'soak: growth per 1 000 turns, first half',
      unit: 'RSS, MB',
      value: growth(atStart, atMiddle, one, 'rssMb'),
    },
    {
      title: 'soak: growth per 1 000 turns, second half',
      unit: 'RSS, MB',
      value: growth(atMiddle, atEnd, two, 'rssMb'),
    },
    {
      title: 'soak: growth per 1 000 turns, second half',
      unit: 'heap after GC, MB',
      value: growth(atMiddle, atEnd, two, 'heapMb'),
    },
  ]
}
