// A run as text: every figure with its range, must and goal, then what each target took in each lane.
import { figureRows } from './figure-rows.mjs'
import { lanes, targetsOf } from './lanes.mjs'
import { between, number } from './number.mjs'
import { median } from './parts.mjs'

export const headOf = (run) =>
  `Node ${run.node}, ${run.cores} cores${run.cpu ? ` (${run.cpu})` : ''}, ${run.rounds} rounds` +
  (run.pinned ? ', pinned' : '')

const figureTable = (run) => [
  '| what | figure | Onward | range | must | goal | reached |',
  '|---|---|--:|--:|--:|--:|---|',
  ...figureRows(run).map(
    ({ title, figure, value, range, must, goal, reached }) =>
      `| ${title} | ${figure} | ${number(value)} | ${between(range)} | ${must ?? '–'} | ${goal ?? '–'} | ${reached} |`,
  ),
]

function cellRow(cells, lane, target) {
  const of = (pick) => number(median(cells.map(pick)))
  const facts = [
    of((c) => c.perSecond),
    of((c) => c.p50 / 1_000),
    of((c) => c.cpuPerRequest),
    of((c) => c.cpuPerEvent ?? NaN),
    of((c) => (c.eventP50 ?? NaN) / 1_000),
    of((c) => c.memory?.peak ?? NaN),
    cells.reduce((sum, c) => sum + c.errors, 0),
  ]
  return `| ${lane.id} | ${target} | ${facts.join(' | ')} |`
}

/** What each target took in each lane. */
export const cellTable = (run) => [
  '| lane | target | requests/s | p50 ms | CPU ms/request | CPU µs/event | event p50 ms | peak MB | errors |',
  '|---|---|--:|--:|--:|--:|--:|--:|--:|',
  ...lanes.flatMap((lane) =>
    targetsOf(
      lane,
      (run.peers ?? []).map(({ name }) => name),
    ).flatMap((target) => {
      const cells = run.cells.filter((c) => c.lane === lane.id && c.target === target)
      return cells.length > 0 ? [cellRow(cells, lane, target)] : []
    }),
  ),
]

export function report(run) {
  const lines = [`# Bench on ${headOf(run)}`, '', ...figureTable(run)]
  if (run.cells.length > 0) lines.push('', ...cellTable(run))
  return `${lines.join('\n')}\n`
}
