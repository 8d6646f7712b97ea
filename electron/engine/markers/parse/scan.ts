import { maskWrappers, pasteWrappers, type PasteWrapper } from '../../sessions/identify/person-text.ts'
import { findFences } from '../context/fences.ts'
import type { InCode, MarkerSpan } from '../types.ts'

/**
 * Every marker of a text from left to right, except those in code (`keep`). Parsing and stripping share this scanner.
 * Linear in the length of any text. `most`: stop after this many; later ones count as text.
 */
export function scan(text: string, most = Infinity, code: InCode = 'keep'): MarkerSpan[] {
  if (!text.includes('<**') || !text.includes('**>')) return []
  const wrappers = pasteWrappers(text)
  // With pastes, code after the last marker counts too: a paste may be in it.
  const typed = scanStretch(maskWrappers(text, wrappers), wrappers, code, wrappers.length === 0 ? most : Infinity)
  const edges = edgesOf(text, typed.markers, wrappers)
  const found = typed.markers.map((m) => span(text, m, m.quoted ? 'quoted' : 'typed', edges(m)))
  for (const wrapper of wrappers) {
    if (!within(typed.code, wrapper)) found.push(...scanPasted(text, wrapper, code))
  }
  return wrappers.length === 0 ? found : found.sort((a, b) => a.start - b.start).slice(0, most)
}

/** Positions of the markers that `scan` finds, without what only acting on them needs. */
export function markerRanges(text: string, code: InCode = 'keep'): readonly Range[] {
  if (!text.includes('<**') || !text.includes('**>')) return []
  const wrappers = pasteWrappers(text)
  return wrappers.length === 0 ? scanStretch(text, [], code).markers : scan(text, Infinity, code)
}

/** If it is not certain where a paste ends, none of its lines counts as the first or last. */
function scanPasted(text: string, wrapper: PasteWrapper, code: InCode): MarkerSpan[] {
  const content = text.slice(wrapper.contentStart, wrapper.contentEnd)
  const { markers } = scanStretch(content, [], code)
  const edges = wrapper.certain ? edgesOf(content, markers) : () => ({ first: false, last: false })
  return markers.map((m) =>
    span(
      text,
      { start: m.start + wrapper.contentStart, end: m.end + wrapper.contentStart },
      m.quoted ? 'quoted' : 'pasted',
      edges(m),
    ),
  )
}

interface Found extends Range {
  /** in a blockquote or an HTML comment */
  quoted: boolean
}

/**
 * Goes over a stretch once: whatever opens first, a marker or code, hides the other. A marker never reaches across a
 * barrier; code that may is returned.
 */
function scanStretch(
  text: string,
  barriers: readonly Range[],
  inCode: InCode,
  most = Infinity,
): { markers: Found[]; code: Range[] } {
  const markers: Found[] = []
  const code: Range[] = []
  const hidden = (start: number, end: number) => {
    if (barriers.length > 0) code.push({ start, end })
  }
  const fences = findFences(text)
  const spans = findCodeSpans(text)
  const nextBlank = blankLines(text)
  const onQuotedLine = quotedLines(text)
  const comments = commentsOf(text)
  const nextFence = (at: number) => (inCode === 'strip' ? text.length : fences.nextStart(at))
  let fence = nextFence(0)
  let barrier = 0
  /** after the last closing signs only code can matter, and only to a paste */
  const last = barriers.length > 0 ? text.length : text.lastIndexOf('**>')
  for (let i = 0; i < last && markers.length < most;) {
    if (fence < i) fence = nextFence(i)
    if (i === fence) {
      const end = fences.endOf(fence)
      hidden(i, end)
      i = end
      continue
    }
    const c = text.charCodeAt(i)
    if (c === 0x60 && inCode === 'keep') {
      if (isEscaped(text, i)) {
        i++
        continue
      }
      const length = runLength(text, i)
      const end = spans.endOf(i, length, Math.min(nextBlank(i), fence))
      if (end !== null) hidden(i, end)
      i = end ?? i + length
    } else if (c === 0x3c && opensMarker(text, i)) {
      while ((barriers[barrier]?.start ?? Infinity) < i) barrier++
      const end = markerEnd(text, i, barriers[barrier]?.start ?? text.length)
      if (end !== null) markers.push({ start: i, end, quoted: comments.holds(i) || onQuotedLine(i) })
      i = end ?? i + 3
    } else {
      if (c === 0x3c) comments.opensAt(i)
      i++
    }
  }
  return { markers, code }
}

function runLength(text: string, start: number): number {
  let i = start
  while (text.charCodeAt(i) === 0x60) i++
  return i - start
}

/** A backtick after an odd number of backslashes is a plain sign. */
function isEscaped(text: string, at: number): boolean {
  let i = at
  while (i > 0 && text.charCodeAt(i - 1) === 0x5c) i--
  return (at - i) % 2 === 1
}

/** True if a wrapper lies in code; both lists are in order and nothing in them overlaps. */
function within(code: readonly Range[], wrapper: Range): boolean {
  let low = 0
  for (let high = code.length; low < high;) {
    const middle = (low + high) >> 1
    if ((code[middle]?.end ?? 0) <= wrapper.start) low = middle + 1
    else high = middle
  }
  return (code[low]?.start ?? Infinity) < wrapper.start
}

const span = (
  text: string,
  { start, end }: Range,
  where: MarkerSpan['where'],
  edges: { first: boolean; last: boolean },
): MarkerSpan => ({ start, end, body: text.slice(start + 3, end - 3), where, ...edges })

const quote = 0x22,
  leftQuote = 0x201c,
  rightQuote = 0x201d,
  backslash = 0x5c,
  star = 0x2a,
  less = 0x3c,
  greater = 0x3e

/** `<**` at this offset? */
const opensMarker = (text: string, at: number): boolean =>
  text.charCodeAt(at) === less && text.charCodeAt(at + 1) === star && text.charCodeAt(at + 2) === star

/**
 * End of the marker that opens at `start`, or null when it is never closed. Inside quotes `**>` is plain text and `\"`
 * is a quote; but a quote that is never closed counts as left open by mistake, and the first `**>` in it is the end. A
 * `<**` anywhere ends the search, which also keeps a scan linear.
 */
function markerEnd(text: string, start: number, limit: number): number | null {
  /** the sign that ends the quote we are in, 0 outside quotes */
  let closes = 0
  /** the first end that a quote hides */
  let quoted: number | null = null
  for (let i = start + 3; i < limit; i++) {
    const c = text.charCodeAt(i)
    if (c === less && opensMarker(text, i)) return quoted
    if (c === star && text.charCodeAt(i + 1) === star && text.charCodeAt(i + 2) === greater && i + 3 <= limit) {
      if (closes === 0) return i + 3
      quoted ??= i + 3
    } else if (c === backslash && closes !== 0 && text.charCodeAt(i + 1) === quote) i++
    else if (closes !== 0) {
      if (c === closes) closes = 0
    } else if (c === quote) closes = quote
    else if (c === leftQuote || c === rightQuote) closes = rightQuote
  }
  return quoted
}

/** A quoted line (CommonMark 5.1), also below list signs. */
const quoteSign = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*>/
const lineBreaks = /[\n\r\v\f\u0085\u2028\u2029]/g

/**
 * Returns a test of whether an offset is on a quoted line. Call it from left to right: each line break is visited once.
 */
function quotedLines(text: string): (offset: number) => boolean {
  let line = 0
  let next = 0
  return (offset) => {
    while (next <= offset) {
      line = next
      lineBreaks.lastIndex = next
      next = (lineBreaks.exec(text)?.index ?? Infinity) + 1
    }
    // List and quote signs count only at the beginning of a line.
    return quoteSign.test(text.slice(line, Math.min(offset + 1, line + 200)))
  }
}

/**
 * Tracks HTML comments; one that is never closed hides the rest. The scanner reports where one opens, since a comment
 * sign in code opens none.
 */
function commentsOf(text: string): { opensAt(offset: number): void; holds(offset: number): boolean } {
  let end = 0
  return {
    opensAt(offset) {
      if (offset < end || !text.startsWith('<!--', offset)) return
      const close = text.indexOf('-->', offset + 4)
      end = close < 0 ? Infinity : close + 3
    },
    holds: (offset) => offset < end,
  }
}

/** A stretch of a text; offsets are UTF-16. */
interface Range {
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
function edgesOf(
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

/** Inline code (CommonMark 6.1): a run of backticks up to the next run of the same length in the same paragraph. */
export interface CodeSpans {
  /** end of the span opened by the run at `start`, or null; ask from left to right */
  endOf(start: number, length: number, paragraphEnd: number): number | null
}

/** Positions are indexed by run length, each list read once from left to right: linear over the whole text. */
function findCodeSpans(text: string): CodeSpans {
  let byLength: Map<number, { starts: number[]; next: number }> | null = null
  return {
    endOf(start, length, paragraphEnd) {
      byLength ??= runs(text)
      const same = byLength.get(length)
      if (!same) return null
      while ((same.starts[same.next] ?? Infinity) < start + length) same.next++
      const close = same.starts[same.next]
      return close === undefined || close >= paragraphEnd ? null : close + length
    },
  }
}

function runs(text: string): Map<number, { starts: number[]; next: number }> {
  const found = new Map<number, { starts: number[]; next: number }>()
  for (let i = text.indexOf('`'); i >= 0; i = text.indexOf('`', i)) {
    const start = i
    while (text.charCodeAt(i) === 0x60) i++
    const same = found.get(i - start)
    if (same) same.starts.push(start)
    else found.set(i - start, { starts: [start], next: 0 })
  }
  return found
}

/** Where the paragraph around an offset ends at the latest: the next blank line. Ask from left to right. */
function blankLines(text: string): (offset: number) => number {
  const blank = /(?:\r\n|\n|\r(?!\n))[ \t>]*(?=[\r\n])/g
  let at = -1
  return (offset) => {
    if (at >= offset) return at
    blank.lastIndex = offset
    at = blank.exec(text)?.index ?? Infinity
    return at
  }
}
