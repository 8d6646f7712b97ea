// What the plots are drawn with. A picture is a card with a ground of its own: on a page it takes the light or dark
// colours of the system, whatever those of the page around it, and stays legible.
const style = `
  svg { color-scheme: light dark }
  text { font: 12px Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #3d4148 }
  .title { font-size: 15px; font-weight: 600; fill: #1b1e23 }
  .figure { font-variant-numeric: tabular-nums; font-weight: 500; fill: #14599b }
  .quiet { fill: #60656f; font-variant-numeric: tabular-nums }
  .card { fill: #ffffff; stroke: #e4e6ea }
  .grid { stroke: #e4e6ea }
  .one { stroke: #838890; stroke-dasharray: 3 3 }
  .ours { stroke: #1b6cb9; fill: #1b6cb9 }
  .plain { stroke: #1b6cb9; fill: #ffffff }
  .other { stroke: #838890; fill: #838890 }
  .rest { stroke: #838890; fill: #ffffff }
  .range { stroke-width: 2; stroke-opacity: .45; stroke-linecap: round }
  .mark { stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #c0c3c7 }
    .title { fill: #e8e9ec }
    .figure { fill: #8fc2fb }
    .quiet { fill: #a0a5af }
    .card { fill: #1c1e22; stroke: #2d3037 }
    .grid { stroke: #2d3037 }
    .one { stroke: #8a909b }
    .ours { stroke: #67a9f0; fill: #67a9f0 }
    .plain { stroke: #67a9f0; fill: #1c1e22 }
    .other { stroke: #8a909b; fill: #8a909b }
    .rest { stroke: #8a909b; fill: #1c1e22 }
  }`

const escaped = (words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
/** A tenth of a pixel is enough, and keeps a picture the same from one machine to the next. */
export const px = (x) => String(Math.round(x * 10) / 10)

export const text = (x, y, words, kind = '', anchor = 'start') =>
  `<text x="${px(x)}" y="${px(y)}"${kind && ` class="${kind}"`}` +
  `${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escaped(words)}</text>`
export const line = (x1, y1, x2, y2, kind) =>
  `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" class="${kind}"/>`

/** State has a shape and a colour: what is ours is round and in the accent, others are grey and have corners. */
const series = {
  onward: { words: 'Onward as it comes', kind: 'ours', corners: 0 },
  'onward-plain': { words: 'nothing added', kind: 'plain', corners: 0 },
  direct: { words: 'no proxy', kind: 'rest', corners: 3 },
  'node-parse': { words: 'bare proxy', kind: 'other', corners: 3 },
  'node-convert': { words: 'bare proxy', kind: 'other', corners: 3 },
}
/** peers, in the order in which they are met */
const others = [
  { kind: 'other', corners: 4 },
  { kind: 'rest', corners: 4 },
]
export const seriesOf = (target, peers) => series[target] ?? { words: target, ...others[peers.indexOf(target) % 2] }

export function mark(x, y, { kind, corners }) {
  if (corners === 0) return `<circle cx="${px(x)}" cy="${px(y)}" r="4.5" class="mark ${kind}"/>`
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners - Math.PI / 2
    return `${px(x + 5 * Math.cos(angle))},${px(y + 5 * Math.sin(angle))}`
  })
  return `<polygon points="${points.join(' ')}" class="mark ${kind}"/>`
}

/** What each mark means, in one line. */
export function legend(x, y, targets, peers) {
  const words = targets.map((target) => seriesOf(target, peers))
  const seen = words.filter((one, i) => words.findIndex((other) => other.words === one.words) === i)
  let at = x
  return seen.flatMap((one) => {
    const parts = [mark(at + 5, y - 4, one), text(at + 16, y, one.words)]
    at += 16 + one.words.length * 6.4 + 22
    return parts
  })
}

const MOST_TICKS = 9

/** Logarithmic: what is half and what is double stand equally far from one. */
export function scale(values, from, to) {
  const steps = [1, 2, 5]
  const all = [-3, -2, -1, 0, 1, 2, 3, 4, 5].flatMap((power) => steps.map((step) => Number(`${step}e${power}`)))
  const low = all.findLast((tick) => tick <= Math.min(...values)) ?? all[0]
  const high = all.find((tick) => tick >= Math.max(...values)) ?? all.at(-1)
  const at = (value) => from + ((to - from) * Math.log(value / low)) / Math.log(high / low)
  const every = all.filter((tick) => tick >= low && tick <= high)
  // Over many powers of ten only those have room.
  const ticks = every.length > MOST_TICKS ? every.filter((tick) => /^1e|^10*$|^0\.0*1$/.test(String(tick))) : every
  return { at, ticks }
}

/** `special`: the value that the others are beside */
export const axis = ({ at, ticks }, top, bottom, special) =>
  ticks.flatMap((tick) => [
    line(at(tick), top, at(tick), bottom, tick === special ? 'one' : 'grid'),
    text(at(tick), bottom + 16, String(tick), 'quiet', 'middle'),
  ])

export const picture = (width, height, title, parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"` +
  ` role="img">\n<title>${escaped(title)}</title>\n<style>${style}\n</style>\n` +
  `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" class="card"/>\n${parts.join('\n')}\n</svg>\n`
