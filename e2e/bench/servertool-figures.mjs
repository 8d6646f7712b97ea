// What Onward's own tools cost where none of them is called: the same streams, with tools declared and with all
// switched off. Two engines in turn, round by round; a filter that looked at every event twice would show here.
import { chatBody } from './bodies.mjs'
import { start, temporaryFolder } from './children.mjs'
import { connect, nowUs, requestBytes } from './load.mjs'
import { writeConfig } from './onward.mjs'
import { median } from './parts.mjs'
import { cpuMs, memory, resetPeak } from './process-facts.mjs'

const ROUNDS = 5
const off = { servertools: { enabled: false }, clock: { enabled: false } }

async function engine(program, upstream, more) {
  const home = temporaryFolder()
  writeConfig(home, upstream.port, more)
  return start([program, 'serve', '--json', '--home', home, '--port', '0'], '1')
}

/** `requests` streams, `at` a time. */
async function streams({ port, pid }, at, requests) {
  const bytes = requestBytes({ path: '/v1/chat/completions', port }, chatBody(2_048, { stream: true }))
  const connections = await Promise.all(Array.from({ length: at }, () => connect(port, 60_000)))
  resetPeak(pid)
  const before = memory(pid).rss
  const cpuBefore = cpuMs(pid)
  const begin = nowUs()
  let left = requests
  let events = 0
  await Promise.all(
    connections.map(async (connection) => {
      while (left-- > 0) events += (await connection.send(bytes)).events
    }),
  )
  const seconds = (nowUs() - begin) / 1e6
  for (const connection of connections) connection.close()
  return {
    perSecond: events / seconds,
    cpuPerEvent: ((cpuMs(pid) - cpuBefore) * 1_000) / events,
    growth: memory(pid).peak - before,
  }
}

const configure = (upstream, settings) =>
  fetch(`http://127.0.0.1:${upstream.port}/__config`, {
    method: 'POST',
    body: JSON.stringify({ stamp: false, ...settings }),
  })

export async function servertoolFigures(program, upstream) {
  const engines = { with: await engine(program, upstream, {}), without: await engine(program, upstream, off) }
  const names = Object.keys(engines)
  const fast = { with: [], without: [] }
  await configure(upstream, { events: 2_000, delayMs: 0 })
  for (const name of names) await streams(engines[name], 4, 16)
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of round % 2 ? names.toReversed() : names) fast[name].push(await streams(engines[name], 4, 24))
  }
  await configure(upstream, { events: 200, delayMs: 20 })
  const slow = { with: [], without: [] }
  for (let round = 0; round < 2; round++)
    for (const name of names) slow[name].push(await streams(engines[name], 512, 512))
  for (const name of names) await engines[name].stop()

  const row = (title, unit, list, of) => ({
    title,
    unit,
    value: median(list.map((one) => one[of])),
    range: list.map((one) => one[of]),
  })
  const ratios = fast.with.map((one, i) => one.cpuPerEvent / fast.without[i].cpuPerEvent)
  return [
    ...names.flatMap((name) => [
      row(`2 000 events relayed, ${name} tools declared`, 'events/s', fast[name], 'perSecond'),
      row(`2 000 events relayed, ${name} tools declared`, 'CPU µs/event', fast[name], 'cpuPerEvent'),
      row(`512 slow streams, ${name} tools declared`, 'RSS growth, MB', slow[name], 'growth'),
    ]),
    {
      title: '2 000 events relayed: CPU with ÷ without tools declared',
      unit: 'ratio',
      value: median(ratios),
      range: ratios,
    },
  ]
}
