// Turns a run into tables: ratios are made within a round, then the median is taken; min-max shows the noise.
import { higherIsBetter, lanes, referenceOf, targetsOf } from './lanes.mjs'

const median = (values) => {
  const s = values.filter(Number.isFinite).sort((a, b) => a - b)
  return s.length ? s[Math.floor((s.length - 1) / 2)] : NaN
}
const n = (x) =>
  !Number.isFinite(x) ? '–' : Math.abs(x) >= 100 ? x.toFixed(0) : Math.abs(x) >= 10 ? x.toFixed(1) : x.toFixed(2)
const names = {
  cpuPerRequest: 'CPU per request ÷',
  cpuPerEvent: 'CPU per event ÷',
  addedP50: 'added p50 ÷',
  perSecond: 'requests/s ÷',
  addedEvent: 'added latency per event ÷',
  eventsDelivered: 'events delivered per second ÷',
}
/** Streams that are late all come in the end: how many came tells nothing, how fast does. */
const eventsPerSecond = (c) => (c.events / c.requests) * c.perSecond
const verdict = (value, limits, higher) => {
  if (!limits) return '–'
  const [must, goal] = limits
  const reached = (limit) => (higher ? value >= limit : value <= limit)
  return reached(goal) ? 'goal' : reached(must) ? 'must' : 'MISSED'
}

export function report(run) {
  const lines = [
    `# Bench on Node ${run.node}, ${run.cores} cores${run.cpu ? ` (${run.cpu})` : ''}` +
      `, ${run.rounds} rounds${run.pinned ? ', pinned' : ''}`,
    '',
    '| lane | figure | Onward | range | must | goal | reached |',
    '|---|---|--:|--:|--:|--:|---|',
  ]
  const row = (lane, figure, value, range, limits, higher) =>
    lines.push(
      `| ${lane} | ${figure} | ${n(value)} | ${range} | ${limits?.[0] ?? '–'}` +
        ` | ${limits?.[1] ?? '–'} | ${verdict(value, limits, higher)} |`,
    )
  for (const lane of lanes) {
    const of = (target) => run.cells.filter((c) => c.lane === lane.id && c.target === target)
    const ours = of('onward')
    if (ours.length === 0) continue
    const beside = (target, cell) => of(target).find((c) => c.round === cell.round)
    const figures = [
      ...Object.entries(lane.ratios).map((one) => ['', ours, ...one]),
      ...Object.entries(lane.plain ?? {}).map((one) => [', nothing added', of('onward-plain'), ...one]),
    ]
    for (const [how, cells, figure, limits] of figures) {
      const ratios = cells.map((c) => {
        const reference = beside(referenceOf(lane), c)
        const direct = beside('direct', c)
        switch (figure) {
          case 'addedP50':
            return (c.p50 - direct.p50) / (reference.p50 - direct.p50)
          case 'addedEvent':
            return (c.eventP50 - direct.eventP50) / (reference.eventP50 - direct.eventP50)
          case 'eventsDelivered':
            return eventsPerSecond(c) / eventsPerSecond(reference)
          default:
            return c[figure] / reference[figure]
        }
      })
      row(
        `${lane.title}${how}`,
        `${names[figure]} ${referenceOf(lane)}`,
        median(ratios),
        `${n(Math.min(...ratios))}–${n(Math.max(...ratios))}`,
        limits,
        higherIsBetter.has(figure),
      )
    }
    for (const [figure, limits] of Object.entries(lane.memory ?? {})) {
      const values = ours.map((c) => c.memory[figure])
      row(
        lane.title,
        `RSS ${figure}, MB`,
        median(values),
        `${n(Math.min(...values))}–${n(Math.max(...values))}`,
        limits,
        false,
      )
    }
  }
  row('idle', 'RSS, MB', run.idleMb, '', [100, 75], false)
  row('start to listening', 'ms', run.startMs, '', [500, 300], false)
  for (const f of run.engine)
    row(
      f.title,
      f.unit,
      f.value,
      f.range ? `${n(Math.min(...f.range))}–${n(Math.max(...f.range))}` : '',
      f.limits,
      false,
    )
  if (run.cells.length === 0) return `${lines.join('\n')}\n`
  lines.push(
    '',
    '| lane | target | requests/s | p50 ms | CPU ms/request | CPU µs/event | event p50 ms | peak MB | errors |',
    '|---|---|--:|--:|--:|--:|--:|--:|--:|',
  )
  for (const lane of lanes) {
    for (const target of targetsOf(lane)) {
      const cells = run.cells.filter((c) => c.lane === lane.id && c.target === target)
      if (cells.length === 0) continue
      const of = (pick) => median(cells.map(pick))
      lines.push(
        `| ${lane.id} | ${target} | ${n(of((c) => c.perSecond))} | ${n(of((c) => c.p50 / 1_000))}` +
          ` | ${n(of((c) => c.cpuPerRequest))} | ${n(of((c) => c.cpuPerEvent ?? NaN))} | ` +
          `${n(of((c) => (c.eventP50 ?? NaN) / 1_000))} | ${n(of((c) => c.memory?.peak ?? NaN))} | ` +
          `${cells.reduce((sum, c) => sum + c.errors, 0)} |`,
      )
    }
  }
  return `${lines.join('\n')}\n`
}
