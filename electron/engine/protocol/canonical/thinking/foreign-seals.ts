import { asObject, asText, parseObject, type JsonObject } from '../../values.ts'
import type { WireProtocol } from '../request.ts'
import { sealMark } from './seal.ts'

/** Gemini's clients hold seals as base64 of our own form. */
const encodedMark = Buffer.from(sealMark).toString('base64').slice(0, 12)

/**
 * Looked for in every request that is passed through, so it begins with a rare letter: behind the mark stands the
 * base64 of `{"of":`, `eyJvZiI6`; of Gemini's form a piece of the mark itself.
 */
const inWrapping = 'JvZiI6'
const hintOf: Record<WireProtocol, string> = {
  messages: inWrapping,
  responses: inWrapping,
  chat: inWrapping,
  gemini: 'YXJkLj',
}

/** Whether the body is worth a look for such seals. */
export const mayHoldForeignSeal = (protocol: WireProtocol, body: Buffer): boolean => body.includes(hintOf[protocol])

/**
 * The body without the seals that another vendor made while it answered this conversation: its own vendor would refuse
 * signatures it did not make. Only the members that hold such a seal go; without any the bytes stay as they are.
 */
export function withoutForeignSeals(protocol: WireProtocol, body: Buffer): Buffer {
  if (!mayHoldForeignSeal(protocol, body)) return body
  const before = parseObject(body)
  if (!before) return body
  const after = Buffer.from(JSON.stringify(cleaned(protocol, before)))
  // The mark may stand in a text, too: somebody talks about it.
  return after.length === Buffer.byteLength(JSON.stringify(before)) ? body : after
}

const listOf = { messages: 'messages', chat: 'messages', responses: 'input', gemini: 'contents' } as const

function cleaned(protocol: WireProtocol, body: JsonObject): JsonObject {
  const name = listOf[protocol]
  const list: unknown = body[name]
  return Array.isArray(list)
    ? { ...body, [name]: list.map(cleanedItem[protocol]).filter((item) => item !== null) }
    : body
}

/** null: nothing of it is left */
const cleanedItem: Record<WireProtocol, (item: unknown) => unknown> = {
  messages: messagesMessage,
  chat: chatMessage,
  responses: (item) => (isOurs(asObject(item)?.['encrypted_content']) ? null : item),
  gemini: geminiContent,
}

function isOurs(value: unknown): boolean {
  return asText(value)?.startsWith(sealMark) ?? false
}
function isOursEncoded(value: unknown): boolean {
  return asText(value)?.startsWith(encodedMark) ?? false
}

function messagesMessage(message: unknown): unknown {
  const content = asObject(message)?.['content']
  if (!Array.isArray(content)) return message
  const left = content
    .filter(
      (block: unknown) =>
        !isOurs(asObject(block)?.['signature']) &&
        !(asObject(block)?.['type'] === 'redacted_thinking' && isOurs(asObject(block)?.['data'])),
    )
    .map(withoutOurCitations)
  // An assistant message of thinking alone would be left empty, which is refused.
  return content.length > 0 && left.length === 0 ? null : { ...asObject(message), content: left }
}

/** Whether a citation of a text block was made by us for another vendor's source (messages/convert/citations.ts). */
export const isOwnCitation = (citation: unknown): boolean => isOurs(asObject(citation)?.['encrypted_index'])

/** Anthropic would refuse their `encrypted_index`. The text stays; a list of which nothing is left goes. */
function withoutOurCitations(block: unknown): unknown {
  const text = asObject(block)
  const citations = text?.['citations']
  if (!text || !Array.isArray(citations) || !citations.some(isOwnCitation)) return block
  const left = citations.filter((citation: unknown) => !isOwnCitation(citation))
  const { citations: _, ...rest } = text
  return left.length === 0 ? rest : { ...rest, citations: left }
}

function chatMessage(message: unknown): unknown {
  const details = asObject(message)?.['reasoning_details']
  if (!Array.isArray(details) || !JSON.stringify(details).includes(sealMark)) return message
  const { reasoning_details: _, ...rest } = asObject(message) ?? {}
  return rest
}

function geminiContent(content: unknown): unknown {
  const parts = asObject(content)?.['parts']
  if (!Array.isArray(parts)) return content
  const left = parts.flatMap((part: unknown) => {
    const own = asObject(part)
    if (!own || !isOursEncoded(own['thoughtSignature'])) return [part]
    const { thoughtSignature: _, ...rest } = own
    return own['thought'] === true || own['text'] === '' ? [] : [rest]
  })
  return left.length === 0 ? null : { ...asObject(content), parts: left }
}
