import { blankLines, findCodeSpans } from '../context/code-spans.ts'
import { edgesOf, type Range } from '../context/edges.ts'
import { findFences } from '../context/fences.ts'
import { markerEnd, opensMarker } from '../context/marker-end.ts'
import { maskWrappers, pasteWrappers, type PasteWrapper } from '../../sessions/identify/paste-wrappers.ts'
import { commentsOf, quotedLines } from '../context/quoted-lines.ts'
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
