// CPU per request beside the bare proxy of the same round, a row for each lane: medians, and their range.
import { ratiosOf } from '../figure-rows.mjs'
import { lanes, referenceOf, targetsOf } from '../lanes.mjs'
import { median } from '../parts.mjs'
import { axis, legend, line, mark, picture, scale, seriesOf, text } from './svg.mjs'

const WIDTH = 840
const LEFT = 300
const RIGHT = WIDTH - 72
const TOP = 88
const ROW = 30

const bare = new Set(['direct', 'node-pipe', 'node-parse', 'node-convert'])

/** @returns for each lane what each target takes, as [least, median, most] */
function rowsOf(run, peers) {
  return lanes.flatMap((lane) => {
    const points = targetsOf(lane, peers).flatMap((target) => {
      const ratios = bare.has(target) ? [] : ratiosOf(run, lane, target, 'cpuPerRequest').filter(Number.isFinite)
      return ratios.length > 0 ? [{ target, values: [Math.min(...ratios), median(ratios), Math.max(...ratios)] }] : []
    })
    return points.length > 0 ? [{ lane, points }] : []
  })
}

export function ratioPlot(run) {
  const peers = (run.peers ?? []).map(({ name }) => name)
  const rows = rowsOf(run, peers)
  const all = rows.flatMap(({ points }) => points.flatMap(({ values }) => values))
  const x = scale([...all, 1], LEFT, RIGHT)
  const bottom = TOP + rows.length * ROW
  const targets = ['onward', 'onward-plain', ...peers]
  const references = [...new Set(rows.map(({ lane }) => referenceOf(lane)))]
  const drawn = rows.flatMap(({ lane, points }, i) => {
    const y = TOP + (i + 0.5) * ROW
    const ours = points.find(({ target }) => target === 'onward')
    return [
      text(20, y + 4, lane.title.replace(/: 200 KB.*/, '')),
      // Ours last, so that it lies on top.
      ...points.toReversed().flatMap(({ target, values: [least, value, most] }) => {
        const one = seriesOf(target, peers)
        return [line(x.at(least), y, x.at(most), y, `range ${one.kind}`), mark(x.at(value), y, one)]
      }),
      ...(ours ? [text(WIDTH - 20, y + 4, `${ours.values[1].toFixed(2)} ×`, 'figure', 'end')] : []),
    ]
  })
  return picture(WIDTH, bottom + 52, 'CPU per request beside a bare proxy, for each lane', [
    text(20, 32, 'CPU per request ÷ bare proxy', 'title'),
    ...legend(
      20,
      60,
      targets.filter((name) => rows.some((row) => row.points.some((p) => p.target === name))),
      peers,
    ),
    ...axis(x, TOP, bottom, 1),
    ...drawn,
    text(
      20,
      bottom + 40,
      `Less is better; 1 is ${references.join(' or ')} of the same round. ` +
        `Median and range of the rounds, Node ${run.node.slice(1)}.`,
      'quiet',
    ),
  ])
}
