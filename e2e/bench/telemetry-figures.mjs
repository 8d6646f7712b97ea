// What a turn costs while Onward is watched: one engine whose telemetry is switched off, to a page for Prometheus and
// to a collector, round by round in turn. Two engines differ by more than telemetry costs. Each round measures it off
// twice: what those differ by is noise, and where that is beyond the limit nothing is said to be reached.
import { join } from 'node:path'
import { cell } from './cell.mjs'
import { start } from './children.mjs'
import { writeConfig } from './onward.mjs'
import { median } from './parts.mjs'
import { cpuUs } from './process-facts.mjs'
import { startOnward } from './targets.mjs'

const ROUNDS = 9
const key = 'bench-metrics-key'
const lanes = [
  { title: '2 KB turn', bytes: 2_048, connections: 4, requests: 1_500 },
  { title: 'agent turn', bytes: 200_000, connections: 4, requests: 200, stream: { events: 400, delayMs: 0 } },
]
const limits = [1.02, 1.01]
/** Until a changed config is in force, and until an engine has sent all it had; the spans that came say if it was. */
const SETTLED_MS = 1_000
const settled = () => new Promise((done) => setTimeout(done, SETTLED_MS))

/** @returns microseconds a request takes at the median, its microseconds of CPU, and the spans that came */
async function measure(engine, lane, upstream, sink, telemetry) {
  const spansAtSink = async () => (await (await fetch(`http://127.0.0.1:${sink.port}/`)).json()).spans
  writeConfig(engine.home, upstream.port, { telemetry })
  await settled()
  const [spans, before] = [await spansAtSink(), cpuUs(engine.pid)]
  const { p50 } = await cell(engine, lane, upstream)
  // What Prometheus does four times a minute.
  if (telemetry.metricsKeys)
    await fetch(`http://127.0.0.1:${engine.port}/metrics`, { headers: { authorization: `Bearer ${key}` } })
  // Switched off it sends what waits, so that this is measured as well.
  writeConfig(engine.home, upstream.port)
  await settled()
  return { p50, us: (cpuUs(engine.pid) - before) / lane.requests, came: (await spansAtSink()) - spans }
}

export async function telemetryFigures(upstream) {
  const sink = await start([join(import.meta.dirname, 'otlp-sink.mjs')], '0')
  const engine = await startOnward('onward', upstream)
  const ways = Object.entries({
    off: {},
    page: { metricsKeys: [key] },
    collector: { collector: `http://127.0.0.1:${sink.port}` },
    offAgain: {},
  })
  const figures = []
  for (const lane of lanes) {
    const rounds = []
    // The first ones are left out: what runs is compiled after them.
    for (let i = -2; i < ROUNDS; i++) {
      const seen = {}
      for (const [way, telemetry] of i % 2 ? ways.toReversed() : ways)
        seen[way] = await measure(engine, lane, upstream, sink, telemetry)
      if (i >= 0) rounds.push(seen)
    }
    figures.push(...rowsOf(lane, rounds))
  }
  for (const child of [engine, sink]) await child.stop()
  return figures
}

function rowsOf({ title, requests }, rounds) {
  const row = (what, unit, of, more) => {
    const range = rounds.map(of)
    return { title: `telemetry, ${title}: ${what}`, unit, value: median(range), range, ...more }
  }
  const off = (seen, of = 'us') => (seen.off[of] + seen.offAgain[of]) / 2
  const judged = (of) =>
    median(rounds.map(({ off: one, offAgain: two }) => Math.abs(one[of] / two[of] - 1))) < limits[0] - 1
      ? { limits }
      : {}
  const beside = [
    ['CPU ÷ off', 'us'],
    ['time ÷ off', 'p50'],
  ].flatMap(([unit, of]) => [
    row('/metrics', unit, (seen) => seen.page[of] / off(seen, of), judged(of)),
    row('collector', unit, (seen) => seen.collector[of] / off(seen, of), judged(of)),
    row('off beside itself', unit, (seen) => seen.off[of] / seen.offAgain[of]),
  ])
  return [
    ...beside,
    row('/metrics', 'µs of CPU more', (seen) => seen.page.us - off(seen)),
    row('collector', 'µs of CPU more', (seen) => seen.collector.us - off(seen)),
    // One that is dropped costs nothing, and would make the figure better than it is.
    row('spans that came', '%', (seen) => (seen.collector.came / requests) * 100),
    row('spans that came though it was off', '%', (seen) => (seen.off.came / requests) * 100),
  ]
}
