import { scan } from './parse/scan.ts'
import type { InCode } from './types.ts'

/** Rounds of removal; text that needs more was made to resist and loses every `<**` it has left. */
const maxRounds = 8

/** Line breaks that meet where a marker was: 3 or more become 2. */
const maxBreaks = 2

/**
 * The text without its markers, whether they act or not; the same string when it has none. What becomes a marker only
 * because another one was taken out is taken out too (never executed), so that stripping twice is stripping once.
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
  const markers = scan(text, Infinity, code)
  if (markers.length === 0) return text
  let out = ''
  /** line breaks at the end of `out` */
  let breaks = 0
  let from = 0
  for (const span of markers) {
    const piece = withoutExtraStart(text.slice(from, span.start), from === 0 ? Infinity : maxBreaks - breaks)
    const end = breaksAtEnd(piece)
    const onlyBreaks = (end.at(-1) ?? piece.length) === 0
    out += piece.slice(0, end.length > maxBreaks ? (end[end.length - maxBreaks - 1] ?? 0) : piece.length)
    breaks = Math.min(maxBreaks, onlyBreaks ? breaks + end.length : end.length)
    from = span.end
  }
  return out + withoutExtraStart(text.slice(from), maxBreaks - breaks)
}

/** Drops the line breaks at the start that are more than `allowed`. */
function withoutExtraStart(piece: string, allowed: number): string {
  const start = breaksAtStart(piece)
  const extra = start.length - allowed
  return extra > 0 ? piece.slice(start[extra - 1] ?? 0) : piece
}

/** Line breaks at the start of a text, CR LF counted as one: the offset behind each. */
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
