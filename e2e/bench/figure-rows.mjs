// A run as rows: of each figure its value, its range, what it must be and what it should be, and which of the two is
// reached. Ratios are made within a round, then the median is taken; the range shows the noise.
import { higherIsBetter, lanes, referenceOf } from './lanes.mjs'
import { median } from './parts.mjs'

const names = {
  cpuPerRequest: 'CPU per request',
  cpuPerEvent: 'CPU per event',
  addedP50: 'added p50',
  perSecond: 'requests/s',
  addedEvent: 'added latency per event',
  eventsDelivered: 'events delivered per second',
}

/**
 * Figures that this bench doesn't take, or not yet. They have a row all the same, so that nobody takes what isn't
 * measured for reached.
 */
const elsewhere = [
  { title: 'stop to typed, real agents: median', unit: 's', limits: [0.5, 0.3] },
  { title: 'stop to typed, real agents: p99', unit: 's', limits: [2, 1] },
  { title: '1 000 stop at once: writes each', unit: 'writes', limits: [2, 1] },
  { title: 'dashboard: first paint', unit: 'ms', limits: [300, 150] },
  { title: 'dashboard: key in 1 000 sessions updating 50 times a second', unit: 'ms', limits: [50, 16] },
]

/** Streams that are late all come in the end: how many came tells nothing, how fast does. */
const eventsPerSecond = (c) => (c.events / c.requests) * c.perSecond

/** `cell` beside the reference and the bare upstream of the same round. */
export function ratioOf(figure, cell, reference, direct) {
  switch (figure) {
    case 'addedP50':
      return (cell.p50 - direct.p50) / (reference.p50 - direct.p50)
    case 'addedEvent':
      return (cell.eventP50 - direct.eventP50) / (reference.eventP50 - direct.eventP50)
    case 'eventsDelivered':
      return eventsPerSecond(cell) / eventsPerSecond(reference)
    default:
      return cell[figure] / reference[figure]
  }
}

/** Of a target in a lane, a ratio for each round in which the reference was measured as well. */
export function ratiosOf(run, lane, target, figure) {
  const of = (name) => run.cells.filter((c) => c.lane === lane.id && c.target === name)
  const [references, directs] = [of(referenceOf(lane)), of('direct')]
  const sameRound = (cells, cell) => cells.find(({ round }) => round === cell.round)
  return of(target).flatMap((cell) => {
    const reference = sameRound(references, cell)
    return reference ? [ratioOf(figure, cell, reference, sameRound(directs, cell))] : []
  })
}

function reached(value, limits, higher) {
  if (!limits) return '–'
  if (!Number.isFinite(value)) return 'not measured'
  const [must, goal] = limits
  const meets = (limit) => (higher ? value >= limit : value <= limit)
  return meets(goal) ? 'goal' : meets(must) ? 'must' : 'MISSED'
}

function rowOf(title, figure, values, limits, higher = false) {
  const seen = values.filter(Number.isFinite)
  const value = median(seen)
  return {
    title,
    figure,
    value,
    range: seen.length > 1 ? [Math.min(...seen), Math.max(...seen)] : null,
    must: limits?.[0] ?? null,
    goal: limits?.[1] ?? null,
    reached: reached(value, limits, higher),
  }
}

function laneRows(run, lane) {
  if (!run.cells.some((c) => c.lane === lane.id)) return []
  const figures = [
    ...Object.entries(lane.ratios).map((one) => ['', 'onward', ...one]),
    ...Object.entries(lane.plain ?? {}).map((one) => [', nothing added', 'onward-plain', ...one]),
  ]
  const ours = run.cells.filter((c) => c.lane === lane.id && c.target === 'onward')
  return [
    ...figures.map(([how, target, figure, limits]) =>
      rowOf(
        `${lane.title}${how}`,
        `${names[figure]} ÷ ${referenceOf(lane)}`,
        ratiosOf(run, lane, target, figure),
        limits,
        higherIsBetter.has(figure),
      ),
    ),
    ...Object.entries(lane.memory ?? {}).map(([figure, limits]) =>
      rowOf(
        lane.title,
        `RSS ${figure}, MB`,
        ours.map((c) => c.memory[figure]),
        limits,
      ),
    ),
  ]
}

const figureRow = ({ title, unit, value, range, limits }) => ({
  ...rowOf(title, unit, range ?? [value], limits),
  value,
  reached: reached(value, limits, false),
})

/** @returns for each figure: title, figure, value, range, must, goal, reached */
export function figureRows(run) {
  const measured = new Set(run.engine.map(({ title }) => title))
  return [
    ...lanes.flatMap((lane) => laneRows(run, lane)),
    ...run.engine.map(figureRow),
    ...elsewhere.filter(({ title }) => !measured.has(title)).map((one) => figureRow({ ...one, value: NaN })),
  ]
}
