// What a turn costs over how many sessions there are: flat where nothing grows with them. Median and range of rounds.
import { number } from '../number.mjs'
import { line, mark, picture, px, scale, seriesOf, text } from './svg.mjs'

const WIDTH = 840
const HEIGHT = 300
const LEFT = 64
const RIGHT = WIDTH - 40
const TOP = 60
const BOTTOM = HEIGHT - 76
const one = seriesOf('onward', [])

function pointsOf(run) {
  return run.engine
    .flatMap(({ title, unit, value, range }) => {
      const sessions = Number(/^(\d+) sessions, .*: CPU a turn$/.exec(title)?.[1])
      return unit === 'ms' && sessions > 0 ? [{ sessions, value, range: range ?? [value] }] : []
    })
    .sort((a, b) => a.sessions - b.sessions)
}

/** A round step of which some four make the whole. */
function stepOf(most) {
  const power = 10 ** Math.floor(Math.log10(most / 4))
  return power * ([1, 2, 5, 10].find((times) => times * power * 5 >= most) ?? 10)
}

export function scalePlot(run) {
  const points = pointsOf(run)
  if (points.length === 0) return null
  const x = scale(
    points.map(({ sessions }) => sessions),
    LEFT + 40,
    RIGHT - 40,
  )
  const most = Math.max(...points.flatMap(({ range }) => range))
  const step = stepOf(most)
  const steps = Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step)
  const y = (ms) => BOTTOM - ((BOTTOM - TOP) * ms) / steps.at(-1)
  const way = points.map(({ sessions, value }) => `${px(x.at(sessions))},${px(y(value))}`).join(' ')
  return picture(WIDTH, HEIGHT, 'CPU a turn over the number of sessions', [
    text(20, 32, 'CPU a turn, in milliseconds, over the number of sessions', 'title'),
    ...steps.flatMap((ms) => [
      line(LEFT, y(ms), RIGHT, y(ms), 'grid'),
      text(LEFT - 10, y(ms) + 4, String(ms), 'quiet', 'end'),
    ]),
    `<polyline points="${way}" fill="none" stroke-width="2" style="fill:none" class="${one.kind}"/>`,
    ...points.flatMap(({ sessions, value, range }) => [
      line(x.at(sessions), y(Math.min(...range)), x.at(sessions), y(Math.max(...range)), `range ${one.kind}`),
      mark(x.at(sessions), y(value), one),
      text(x.at(sessions) + 12, y(value) - 10, number(value), 'figure'),
      text(x.at(sessions), BOTTOM + 20, `${sessions} sessions`, 'quiet', 'middle'),
    ]),
    text(
      20,
      HEIGHT - 24,
      `80 turns a second, somebody follows. Median and range of the rounds, Node ${run.node.slice(1)}. Less is better.`,
      'quiet',
    ),
  ])
}
