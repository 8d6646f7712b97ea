// How long requests take: half of them, nine of ten, 99 of 100. A group for each lane that isn't paced by its upstream,
// in it a row for each target.
import { lanes, targetsOf } from '../lanes.mjs'
import { median } from '../parts.mjs'
import { number } from '../number.mjs'
import { axis, legend, line, mark, picture, scale, seriesOf, text } from './svg.mjs'

const WIDTH = 840
const LEFT = 300
const RIGHT = WIDTH - 120
const TOP = 88
const ROW = 16
const GAP = 12

const left = new Set(['node-pipe'])
const points = [
  ['p50', 4.5],
  ['p90', 3],
  ['p99', 2],
]

function groupsOf(run, peers) {
  return lanes.flatMap((lane) => {
    const rows = targetsOf(lane, peers).flatMap((target) => {
      const cells = run.cells.filter((c) => c.lane === lane.id && c.target === target && Number.isFinite(c.p99))
      const ms = ([name]) => median(cells.map((c) => c[name])) / 1_000
      return cells.length > 0 && !left.has(target) ? [{ target, values: points.map(ms) }] : []
    })
    return lane.ms && rows.length > 0 ? [{ lane, rows }] : []
  })
}

export function latencyPlot(run) {
  const peers = (run.peers ?? []).map(({ name }) => name)
  const groups = groupsOf(run, peers)
  if (groups.length === 0) return null
  const values = groups.flatMap(({ rows }) => rows.flatMap((row) => row.values))
  const x = scale(values, LEFT, RIGHT)
  const targets = new Set(groups.flatMap(({ rows }) => rows.map(({ target }) => target)))
  let y = TOP + GAP / 2
  const drawn = groups.flatMap(({ lane, rows }) => {
    const title = text(20, y + (rows.length * ROW) / 2 + 4, lane.title.replace(/: 200 KB.*/, ''))
    const parts = rows.flatMap(({ target, values: [half, nine, most] }) => {
      const at = y + ROW / 2
      const one = seriesOf(target, peers)
      y += ROW
      return [
        line(x.at(half), at, x.at(most), at, `range ${one.kind}`),
        line(x.at(nine), at - 4, x.at(nine), at + 4, `mark ${one.kind}`),
        line(x.at(most), at - 4, x.at(most), at + 4, `mark ${one.kind}`),
        mark(x.at(half), at, one),
        text(WIDTH - 20, at + 4, `${number(half)} / ${number(most)}`, target === 'onward' ? 'figure' : 'quiet', 'end'),
      ]
    })
    y += GAP
    return [title, ...parts]
  })
  const bottom = y - GAP / 2
  return picture(WIDTH, bottom + 52, 'How long requests take, for each lane', [
    text(20, 32, 'How long requests take, in milliseconds', 'title'),
    text(WIDTH - 20, 60, 'p50 / p99', 'quiet', 'end'),
    ...legend(
      20,
      60,
      ['onward', 'onward-plain', 'node-parse', 'node-convert', 'direct', ...peers].filter((name) => targets.has(name)),
      peers,
    ),
    ...axis(x, TOP, bottom),
    ...drawn,
    text(
      20,
      bottom + 40,
      `Mark p50, ticks p90 and p99, medians of the rounds, Node ${run.node.slice(1)}. Less is better.`,
      'quiet',
    ),
  ])
}
