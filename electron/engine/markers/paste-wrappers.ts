/** Where a client says that text was pasted, not typed. Offsets are UTF-16. */
export interface PasteWrapper {
  start: number
  end: number
  /** the pasted text, without the line breaks that belong to the tags */
  contentStart: number
  contentEnd: number
}

/**
 * Claude Code 2.1 writes a paste of more than 800 characters or 4 lines as
 * `<pasted_content id="x">\n…\n</pasted_content id="x">`. The closing tag repeats the id, which the
 * pasted text can't know, so text that only looks like a closing tag ends nothing.
 */
const tag = /<(\/?)pasted_content id="([^"\r\n]*)">/g

/** Outermost wrappers from left to right; one without its closing tag is ordinary text. */
export function pasteWrappers(text: string): PasteWrapper[] {
  if (!text.includes('<pasted_content ')) return []
  const tags = [...text.matchAll(tag)].map((m) => ({
    closes: m[1] === '/',
    id: m[2] ?? '',
    start: m.index,
    end: m.index + m[0].length,
  }))
  const closings = new Map<string, { starts: number[]; next: number; ends: number[] }>()
  for (const t of tags) {
    if (!t.closes) continue
    const known = closings.get(t.id) ?? { starts: [], ends: [], next: 0 }
    known.starts.push(t.start)
    known.ends.push(t.end)
    closings.set(t.id, known)
  }
  const found: PasteWrapper[] = []
  let free = 0
  for (const t of tags) {
    if (t.closes || t.start < free) continue
    const closing = closings.get(t.id)
    if (!closing) continue
    while ((closing.starts[closing.next] ?? Infinity) < t.end) closing.next++
    const contentEnd = closing.starts[closing.next]
    const end = closing.ends[closing.next]
    if (contentEnd === undefined || end === undefined) continue
    found.push({ start: t.start, end, ...withoutTagBreaks(text, t.end, contentEnd) })
    free = end
  }
  return found
}

function withoutTagBreaks(text: string, start: number, end: number): { contentStart: number; contentEnd: number } {
  let contentStart = start
  if (text[contentStart] === '\r' && contentStart < end) contentStart++
  if (text[contentStart] === '\n' && contentStart < end) contentStart++
  let contentEnd = end
  if (contentEnd > contentStart && text[contentEnd - 1] === '\n') contentEnd--
  if (contentEnd > contentStart && text[contentEnd - 1] === '\r') contentEnd--
  return { contentStart, contentEnd }
}

/** The text with its wrappers blanked, every offset kept. */
export function maskWrappers(text: string, wrappers: readonly PasteWrapper[]): string {
  let masked = ''
  let from = 0
  for (const w of wrappers) {
    masked += text.slice(from, w.start) + ' '.repeat(w.end - w.start)
    from = w.end
  }
  return masked + text.slice(from)
}
