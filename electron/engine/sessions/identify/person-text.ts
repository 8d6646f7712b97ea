import type { ClientKind } from '../../../../shared/words.ts'
import { profileOf } from '../clients/index.ts'
import type { WrittenRule } from '../clients/profile.ts'

/**
 * Returns the part of each text of a message that a person wrote; empty if there is none. The rest was written by the
 * client itself: notifications, reminders, command output, attached files, summaries. In doubt a text counts as the
 * client's. Paste wrappers are kept: their content is the person's.
 */
export function personTexts(client: ClientKind, texts: readonly string[]): readonly string[] {
  const rules = rulesOf(client)
  let restIsClients = false
  return texts.map((text) => {
    if (restIsClients) return ''
    const found = personSpans(rules, text)
    restIsClients = found.restIsClients
    return found.spans
      .map(({ start, end }) => text.slice(start, end))
      .filter((part) => part.trim() !== '')
      .join('\n')
  })
}

/** True if nothing in this text is a person's. */
export const isClientWritten = (client: ClientKind, text: string): boolean => personTexts(client, [text])[0] === ''

/** Returns the text that shows what a request is for: the last of the message, without blocks that clients attach. */
export const leadText = (client: ClientKind, texts: readonly string[]): string => firstOwn(client, texts.toReversed())

/** Returns the first text that has anything beside a client's blocks, from there on. */
export function firstOwn(client: ClientKind, texts: readonly string[]): string {
  const rules = rulesOf(client)
  for (const text of texts) {
    const [first] = outsideBlocks(rules, text).filter((span) => text.slice(span.start, span.end).trim() !== '')
    if (first) return text.slice(first.start).trimStart()
  }
  return ''
}

type Rule<Sign extends string> = Extract<WrittenRule, Record<Sign, unknown>>

/** A client's texts by kind of sign: texts are checked in every request, and most rules are of one kind. */
interface Rules {
  blocks: readonly Rule<'block'>[]
  frames: readonly Rule<'before'>[]
  wholes: readonly (Rule<'starts'> | Rule<'is'>)[]
  preambles: readonly Rule<'preamble'>[]
  lines: readonly Rule<'fromLine'>[]
}

const known = new Map<ClientKind, Rules>()

function rulesOf(client: ClientKind): Rules {
  const before = known.get(client)
  if (before) return before
  const { written } = profileOf(client)
  const rules: Rules = {
    blocks: written.filter((rule) => 'block' in rule),
    frames: written.filter((rule) => 'before' in rule),
    wholes: written.filter((rule) => 'starts' in rule || 'is' in rule),
    preambles: written.filter((rule) => 'preamble' in rule),
    lines: written.filter((rule) => 'fromLine' in rule),
  }
  known.set(client, rules)
  return rules
}

interface Span {
  start: number
  end: number
}

function personSpans(rules: Rules, text: string): { spans: readonly Span[]; restIsClients: boolean } {
  const framed = insideFrame(rules, text)
  if (framed) return { spans: framed.span ? [framed.span] : [], restIsClients: false }
  const outside = outsideBlocks(rules, text)
  const spans: Span[] = []
  let begun = false
  for (const { start, end } of outside) {
    const body = text.slice(start, end)
    if (body.trim() === '') continue
    const lead = start + (body.length - body.trimStart().length)
    const whole = begun ? null : wholeText(rules, text.slice(lead))
    if (whole) return { spans, restIsClients: whole.andAfter }
    const from = begun ? start : afterPreamble(rules, text, { start, lead, end })
    begun = true
    if (from === null) return { spans, restIsClients: false }
    const cut = firstLine(rules, text, from, end)
    spans.push({ start: from, end: cut ?? end })
    if (cut !== null) return { spans, restIsClients: true }
  }
  return { spans, restIsClients: false }
}

/** Matches a text that is the client's from its first word on. */
function wholeText({ wholes }: Rules, text: string): { andAfter: boolean } | null {
  for (const rule of wholes) {
    if ('starts' in rule && text.startsWith(rule.starts)) return { andAfter: rule.andAfter ?? false }
    if ('is' in rule && text.trim() === rule.is) return { andAfter: false }
  }
  return null
}

/** Finds text typed in the middle of a turn, in the client's frame, bare or in a block of its own. */
function insideFrame({ blocks, frames }: Rules, text: string): { span: Span | null } | null {
  if (frames.length === 0) return null
  const block = blocks.find((rule) => text.trimStart().startsWith(rule.block)) ?? null
  const at = skipSpace(text, block ? skipSpace(text, 0) + block.block.length : 0)
  for (const rule of frames) {
    if (!text.startsWith(rule.before, at)) continue
    const start = at + rule.before.length
    const end = Math.max(...rule.after.map((after) => text.lastIndexOf(after)))
    // in a block but without the frame's end, the end of the person's words is unknown
    if (end < start) return { span: block ? null : { start, end: text.length } }
    return { span: block && text.slice(start, end).includes(block.close) ? null : { start, end } }
  }
  return null
}

const skipSpace = (text: string, from: number) => from + text.slice(from).search(/\S|$/)

function outsideBlocks({ blocks }: Rules, text: string): readonly Span[] {
  let spans: Span[] = [{ start: 0, end: text.length }]
  for (const { block, close } of blocks) {
    if (!text.includes(block)) continue
    spans = spans.flatMap((span) => {
      const open = lineStart(text, block, span.start, span.end)
      if (open === null) return [span]
      const closing = text.slice(0, span.end).lastIndexOf(close)
      const after = closing > open ? closing + close.length : span.end
      // another block follows that is never closed
      return [
        { start: span.start, end: open },
        { start: after, end: lineStart(text, block, after, span.end) ?? span.end },
      ]
    })
  }
  return spans
}

/** Returns where the person's words begin; null when the preamble never ends. */
function afterPreamble(
  { preambles }: Rules,
  text: string,
  { start, lead, end }: Span & { lead: number },
): number | null {
  for (const rule of preambles) {
    if (!text.startsWith(rule.preamble, lead)) continue
    const last = text.slice(0, end).lastIndexOf(rule.until)
    return last < lead ? null : last + rule.until.length
  }
  return start
}

function firstLine({ lines }: Rules, text: string, start: number, end: number): number | null {
  let first: number | null = null
  for (const { fromLine } of lines) {
    const cut = lineStart(text, fromLine, start, end)
    if (cut !== null && (first === null || cut < first)) first = cut
  }
  return first
}

/** Returns where the words stand at the start of a line, indented or not. */
function lineStart(text: string, words: string, from: number, end: number): number | null {
  for (let at = text.indexOf(words, from); at >= 0 && at < end; at = text.indexOf(words, at + 1)) {
    let before = at
    while (before > 0 && (text[before - 1] === ' ' || text[before - 1] === '\t')) before -= 1
    if (before === 0 || text[before - 1] === '\n') return at
  }
  return null
}

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
