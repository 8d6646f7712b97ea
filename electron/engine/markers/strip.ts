import { markerRanges } from './parse/scan.ts'
import type { InCode } from './types.ts'

/** Rounds of removal. A text that needs more was built to resist, and loses every `<**` it has left. */
const maxRounds = 8

/** Line breaks that meet where a marker was: 3 or more become 2. */
const maxBreaks = 2

/**
 * Returns the text without its markers, whether they act or not; the same string when it has none. A marker that only
 * forms when another one is removed is removed too (and never executed), so stripping twice gives the same as once.
 */
export function stripText(text: string, code?: InCode): string {
  let current = text
  for (let round = 0; round < maxRounds; round++) {
    const next = removeMarkers(current, code)
    if (next === current) return current
    current = next
  }
  return removeMarkers(current, code) === current ? current : current.replaceAll('<**', '< **')
}

function removeMarkers(text: string, code?: InCode): string {
  const markers = markerRanges(text, code)
  if (markers.length === 0) return text
  let out = ''
  /** line breaks at the end of `out` */
  let breaks = 0
  let from = 0
  for (const span of markers) {
    if (breaks === 0 && !hasBreaks(text, from, span.start)) {
      out += text.slice(from, span.start)
      from = span.end
      continue
    }
    const piece = withoutExtraStart(text.slice(from, span.start), from === 0 ? Infinity : maxBreaks - breaks)
    const end = breaksAtEnd(piece)
    const onlyBreaks = (end.at(-1) ?? piece.length) === 0
    out += piece.slice(0, end.length > maxBreaks ? (end[end.length - maxBreaks - 1] ?? 0) : piece.length)
    breaks = Math.min(maxBreaks, onlyBreaks ? breaks + end.length : end.length)
    from = span.end
  }
  return out + withoutExtraStart(text.slice(from), maxBreaks - breaks)
}

/** True if a piece begins or ends with a line break. */
const hasBreaks = (text: string, from: number, to: number): boolean =>
  to > from && (isBreak(text.charCodeAt(from)) || isBreak(text.charCodeAt(to - 1)))
const isBreak = (c: number): boolean => c === 0x0a || c === 0x0d

/** Drops the line breaks at the start that are more than `allowed`. */
function withoutExtraStart(piece: string, allowed: number): string {
  const start = breaksAtStart(piece)
  const extra = start.length - allowed
  return extra > 0 ? piece.slice(start[extra - 1] ?? 0) : piece
}

/** Line breaks at the start of a text, CR LF counted as one: the offset after each. */
export function breaksAtStart(text: string): number[] {
  const offsets: number[] = []
  for (let i = 0; i < text.length;) {
    const c = text[i]
    if (c !== '\n' && c !== '\r') break
    i += c === '\r' && text[i + 1] === '\n' ? 2 : 1
    offsets.push(i)
  }
  return offsets
}

/** Line breaks at the end of a text, CR LF counted as one: the offset before each, last break first. */
export function breaksAtEnd(text: string): number[] {
  const offsets: number[] = []
  for (let i = text.length; i > 0;) {
    const c = text[i - 1]
    if (c !== '\n' && c !== '\r') break
    i -= c === '\n' && text[i - 2] === '\r' ? 2 : 1
    offsets.push(i)
  }
  return offsets
}
