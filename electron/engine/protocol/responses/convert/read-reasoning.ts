import { sealFromClient } from '../../canonical/thinking/seal.ts'
import type { Message, Seal, ThinkingPart } from '../../canonical/request.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { noteUnread, noteUnreadOf, type Unread } from '../../chat/convert/members.ts'

/** Separates the parts of a summary, which is one text in the canonical turn. */
export const summaryGap = '\n\n'

/** Returns all text of a reasoning item: the summary, or the thoughts themselves if a server shows them. */
export const reasoningText = (item: JsonObject, gap = summaryGap): string =>
  textsOf(item['summary'], gap) || textsOf(item['content'], gap)

function textsOf(list: unknown, gap: string): string {
  const texts: string[] = []
  for (const entry of asList(list)) {
    const text = asText(asObject(entry)?.['text'])
    if (text) texts.push(text)
  }
  return texts.length === 1 ? (texts[0] ?? '') : texts.join(gap)
}

const knownThought = new Set(['type', 'text'])
const known = new Set(['type', 'summary', 'content', 'encrypted_content', 'status', 'id'])

/** Reads a reasoning item that a client sends back. */
export function readReasoning(item: JsonObject, unread: Unread): ThinkingPart {
  noteUnread(item, known, 'input[].', unread)
  for (const name of ['summary', 'content'])
    for (const entry of asList(item[name])) noteUnreadOf(entry, knownThought, `input[].${name}[].`, unread)
  const text = reasoningText(item)
  const sealed = asName(item['encrypted_content'])
  const id = asName(item['id'])
  if (sealed === null && id !== null) unread.add('input[].id')
  return {
    type: 'thinking',
    text,
    seal: sealed === null ? null : withItem(sealFromClient(sealed, 'responses'), sealed, id, text),
  }
}

/** A provider's own bytes need the id and text of the item they came in. */
const withItem = (seal: Seal, sealed: string, id: string | null, text: string): Seal =>
  seal.data === sealed ? { ...seal, ...(id === null ? {} : { id }), ...(text === '' ? {} : { text }) } : seal

/**
 * Attaches a tool call's own seal, which comes back in a reasoning item without text after the call, under the call's
 * id: calls have no member for it, and every client sends reasoning back. Returns true if it was one.
 */
export function attachSeal(
  { text, seal }: ThinkingPart,
  turn: Extract<Message, { role: 'assistant' }>['parts'],
): boolean {
  if (text !== '' || !seal || seal.of === 'responses' || seal.id === undefined) return false
  for (const part of turn) {
    if (part.type !== 'tool-call' || part.id !== seal.id) continue
    part.seal = { ...seal, id: undefined }
    return true
  }
  return false
}
