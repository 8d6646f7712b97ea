/** A part of a text that a client marks as pasted, not typed. Offsets are UTF-16. */
export interface PasteWrapper {
  start: number
  end: number
  /** the pasted text, without the line breaks that belong to the tags */
  contentStart: number
  contentEnd: number
  /** the closing tag repeats the id; without it, pasted text that looks like a closing tag may have ended it early */
  certain: boolean
}

/**
 * Claude Code 2.1.330 writes a paste of more than 800 characters or 4 lines as
 * `<pasted_content id="x">\n…\n</pasted_content id="x">`. The closing tag repeats the id, which the pasted text can't
 * know, so text that only looks like a closing tag ends nothing. Some versions close without an id.
 */
const tag = /<(\/?)pasted_content(?: id="([^"\r\n]{0,64})")?>/g

interface Tag {
  closes: boolean
  id: string | null
  start: number
  end: number
}

/** Outermost wrappers from left to right; one without its closing tag is ordinary text. Linear. */
export function pasteWrappers(text: string): PasteWrapper[] {
  if (!text.includes('<pasted_content ')) return []
  const tags = [...text.matchAll(tag)].map((m): Tag => ({
    closes: m[1] === '/',
    id: m[2] ?? null,
    start: m.index,
    end: m.index + m[0].length,
  }))
  const closingOf = closingsById(tags)
  const found: PasteWrapper[] = []
  let free = 0
  for (const [at, open] of tags.entries()) {
    if (open.closes || open.id === null || open.start < free) continue
    const named = closingOf(open.id, open.end)
    const closing = named ?? lastNameless(tags, at)
    if (closing === null) continue
    const content = withoutTagBreaks(text, open.end, closing.start)
    found.push({ start: open.start, end: closing.end, ...content, certain: named !== null })
    free = closing.end
  }
  return found
}

/** Finds the first closing tag of an id after an offset; call it with rising offsets. */
function closingsById(tags: readonly Tag[]): (id: string, behind: number) => Tag | null {
  const closings = new Map<string, { tags: Tag[]; next: number }>()
  for (const one of tags) {
    if (!one.closes || one.id === null) continue
    const same = closings.get(one.id)
    if (same) same.tags.push(one)
    else closings.set(one.id, { tags: [one], next: 0 })
  }
  return (id, behind) => {
    const same = closings.get(id)
    if (!same) return null
    while ((same.tags[same.next]?.start ?? Infinity) < behind) same.next++
    return same.tags[same.next] ?? null
  }
}

/** Closing tags without an id: the last one before another paste opens. */
function lastNameless(tags: readonly Tag[], open: number): Tag | null {
  let last: Tag | null = null
  for (let i = open + 1; i < tags.length; i++) {
    const one = tags[i]
    if (!one || (!one.closes && one.id !== null)) break
    if (one.closes && one.id === null) last = one
  }
  return last
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
