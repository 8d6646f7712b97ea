/** A stretch of a text; offsets are UTF-16. */
export interface Range {
  start: number
  end: number
}

/** Everything that a screen or an editor breaks a line at, so that no sign makes many lines count as one. */
const lineBreak = /[\n\r\v\f\u0085\u2028\u2029]/
const isBreak = (code: number): boolean =>
  (code >= 0x0a && code <= 0x0d) || code === 0x85 || code === 0x2028 || code === 0x2029

/**
 * Which of some ranges begin on the first and on the last line of a text, blank lines around it aside. A line break
 * inside a marker begins no line; a paste does.
 */
export function edgesOf(
  text: string,
  markers: readonly Range[],
  pastes: readonly Range[] = [],
): (marker: Range) => { first: boolean; last: boolean } {
  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  const around = lineBreaksOutside(text, [...markers, ...pastes], start, end)
  const firstEnd = Math.min(around.first, pastes[0]?.start ?? Infinity)
  const lastStart = Math.max(around.last, pastes.at(-1)?.start ?? -1)
  return (marker) => ({ first: marker.start < firstEnd, last: marker.start > lastStart })
}

/** The first and the last line break between two offsets, outside the ranges. */
function lineBreaksOutside(
  text: string,
  ranges: readonly Range[],
  start: number,
  end: number,
): { first: number; last: number } {
  let first = Infinity
  let last = -1
  let from = start
  for (const { start: to, end: behind } of [...ranges].sort((a, b) => a.start - b.start).concat({ start: end, end })) {
    const gap = text.slice(from, Math.min(to, end))
    const firstHere = gap.search(lineBreak)
    if (firstHere >= 0) {
      first = Math.min(first, from + firstHere)
      last = from + lastBreak(gap)
    }
    from = Math.max(from, behind)
  }
  return { first, last }
}

function lastBreak(gap: string): number {
  let at = gap.length - 1
  while (at >= 0 && !isBreak(gap.charCodeAt(at))) at--
  return at
}
