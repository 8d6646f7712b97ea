import { asName, asObject, asObjects, asText, parseObject, type JsonObject } from '../../values.ts'
import type { WireProtocol, CanonicalRequest, Message } from '../request.ts'
import { sealMark } from './seal.ts'
import { noSignature, placedInChat, placedInMessages, wantsThinkingBack } from './phases.ts'

/** Gemini's clients hold seals as base64 of our own form. */
const encodedMark = Buffer.from(sealMark).toString('base64').slice(0, 12)

/**
 * Searched for in every request that is passed through, so it begins with a rare letter. After the mark comes the
 * base64 of `{"of":`, `eyJvZiI6`; for Gemini's form it is a piece of the mark itself.
 */
const inWrapping = 'JvZiI6'
const hintOf: Record<WireProtocol, string> = {
  messages: inWrapping,
  responses: inWrapping,
  chat: inWrapping,
  gemini: 'YXJkLj',
}

const mayHoldForeignSeal = (protocol: WireProtocol, body: Buffer): boolean => body.includes(hintOf[protocol])

/** Ids of searches that another vendor ran: Anthropic would look for what it sealed of them. */
export const ownSearchId = 'srvtoolu_onward'

/** Thinking that Kimi left unsigned, as a client hands it back: Claude refuses it. */
const unsigned = '"signature":""'

/**
 * True if the body is worth a look: for seals that another vendor made while it answered this conversation, which its
 * own vendor would refuse, and for answers without the thinking that the model wants back.
 */
export function mayNeedCleaning(protocol: WireProtocol, body: Buffer, model: string): boolean {
  if (mayHoldForeignSeal(protocol, body)) return true
  if (protocol === 'messages') return body.includes(ownSearchId) || (isClaude(model) && body.includes(unsigned))
  return protocol === 'chat' && wantsThinkingBack(model) && count(body, '"assistant"') > count(body, '"reasoning')
}

function count(body: Buffer, word: string): number {
  let found = 0
  for (let at = body.indexOf(word); at >= 0; at = body.indexOf(word, at + word.length)) found++
  return found
}

/**
 * The body as its vendor takes it: only the members that hold a seal of another one go, and thinking is turned off
 * where that leaves calls without it; without any the bytes stay as they are.
 */
export function withoutForeignSeals(protocol: WireProtocol, body: Buffer, model: string): Buffer {
  if (!mayNeedCleaning(protocol, body, model)) return body
  const before = parseObject(body)
  if (!before) return body
  const after = JSON.stringify(cleaned(protocol, before, { model, all: false }))
  // The mark may stand in a text, too, where a person writes about it.
  return after === JSON.stringify(before) ? body : Buffer.from(after)
}

/** The body for a model that refused its history: without any thinking. */
export function withoutAnyThinking(protocol: WireProtocol, body: Buffer, model: string): Buffer {
  const before = parseObject(body)
  return before ? Buffer.from(JSON.stringify(cleaned(protocol, before, { model, all: true }))) : body
}

interface Cleaning {
  model: string
  /** all thinking goes, whichever model it is of */
  all: boolean
}

const listOf = { messages: 'messages', chat: 'messages', responses: 'input', gemini: 'contents' } as const

function cleaned(protocol: WireProtocol, body: JsonObject, cleaning: Cleaning): JsonObject {
  const name = listOf[protocol]
  const list: unknown = body[name]
  if (!Array.isArray(list)) return body
  const left = list.map((item: unknown) => cleanedItem[protocol](item, cleaning)).filter((item) => item !== null)
  const after = { ...body, [name]: left }
  return protocol === 'messages'
    ? messagesBody(after, cleaning)
    : protocol === 'chat'
      ? chatBody(after, cleaning)
      : after
}

/** null: nothing of it is left */
const cleanedItem: Record<WireProtocol, (item: unknown, cleaning: Cleaning) => unknown> = {
  messages: messagesMessage,
  chat: chatMessage,
  responses: responsesItem,
  gemini: geminiContent,
}

function isOurs(value: unknown): boolean {
  return asText(value)?.startsWith(sealMark) ?? false
}
function isOursEncoded(value: unknown): boolean {
  return asText(value)?.startsWith(encodedMark) ?? false
}

function messagesMessage(message: unknown, cleaning: Cleaning): unknown {
  const content = asObject(message)?.['content']
  if (!Array.isArray(content)) return message
  const left = content
    .filter((block: unknown) => !isOwnSearch(asObject(block)))
    .flatMap((block: unknown) => thinkingBlock(block, cleaning))
    .map(withoutOurCitations)
  // An assistant message of thinking alone would be left empty, which is refused.
  return content.length > 0 && left.length === 0 ? null : { ...asObject(message), content: left }
}

const isOwnSearch = (block: JsonObject | null): boolean =>
  asText(block?.['id'] ?? block?.['tool_use_id'])?.startsWith(ownSearchId) ?? false

function thinkingBlock(block: unknown, { model, all }: Cleaning): readonly unknown[] {
  const thinking = asObject(block)
  const type = thinking?.['type']
  if (type !== 'thinking' && type !== 'redacted_thinking') return [block]
  const seal = thinking?.[type === 'thinking' ? 'signature' : 'data']
  if (!all && !isOurs(seal) && !(isClaude(model) && !asName(seal))) return [block]
  // A model that wants the thinking of every answer does not look at signatures.
  const stays = !all && wantsThinkingBack(model) && asName(thinking?.['thinking']) !== null
  return stays ? [{ ...thinking, signature: '' }] : []
}

function messagesBody(body: JsonObject, { model, all }: Cleaning): JsonObject {
  const messages = asObjects(body['messages'])
  if (isClaude(model)) {
    const isEnabled = asObject(body['thinking'])?.['type'] === 'enabled'
    return isEnabled && callsWithoutThinking(messages) ? messagesWithoutThinking(body, false) : body
  }
  return all ? messagesWithoutThinking(body, true) : { ...body, messages: placedInMessages(messages, model) }
}

/** True if a citation of a text block was made by us for another vendor's source (messages/convert/citations.ts). */
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

function chatMessage(message: unknown, { all }: Cleaning): unknown {
  const details = asObject(message)?.['reasoning_details']
  if (!Array.isArray(details) || !(all || JSON.stringify(details).includes(sealMark))) return message
  const { reasoning_details: _, ...rest } = asObject(message) ?? {}
  return rest
}

function chatBody(body: JsonObject, { model, all }: Cleaning): JsonObject {
  const messages = placedInChat(asObjects(body['messages']), model, all)
  return { ...body, messages, ...(all && !/gemini/i.test(model) ? { thinking: { type: 'disabled' } } : {}) }
}

/** An item with an id from OpenAI belongs to the reasoning in front of it. */
function responsesItem(item: unknown, { all }: Cleaning): unknown {
  const own = asObject(item)
  if (isOurs(own?.['encrypted_content']) || (all && own?.['type'] === 'reasoning')) return null
  if (!all || !own || own['type'] === 'item_reference') return item
  const { id: _, ...rest } = own
  return rest
}

function geminiContent(content: unknown, { all }: Cleaning): unknown {
  const parts = asObject(content)?.['parts']
  if (!Array.isArray(parts)) return content
  const left = parts.flatMap((part: unknown) => {
    const own = asObject(part)
    if (!own || !(isOursEncoded(own['thoughtSignature']) || (all && isThought(own)))) return [part]
    const { thoughtSignature: _, ...rest } = own
    if (own['functionCall']) return [{ ...rest, thoughtSignature: noSignature }]
    return own['thought'] === true || own['text'] === '' ? [] : [rest]
  })
  return left.length === 0 ? null : { ...asObject(content), parts: left }
}

const isThought = (part: JsonObject): boolean =>
  part['thought'] === true || part['thoughtSignature'] !== undefined || part['functionCall'] !== undefined

/**
 * How vendors refuse a history that lacks thinking of theirs, or holds what they did not make: Anthropic, DeepSeek and
 * MiMo, Kimi, Google, OpenAI.
 */
const complaints = new RegExp(
  [
    'expected `?thinking`? or',
    'invalid `?(?:signature|data)`? in `?(?:redacted_)?thinking',
    'thinking\\.signature',
    'thinking`? blocks in the latest assistant message cannot',
    '(?:thinking|reasoning).{0,60} must be passed back',
    'reasoning_content.{0,30} missing',
    '(?:requires|must include) reasoning_content',
    'thought[_ ]signature',
    'invalid_encrypted_content',
    "required 'reasoning' item",
    "of type 'reasoning' was provided without its required following item",
    "item with id 'rs_\\w*' not found",
    'each `?thinking`? block must contain',
    'first block must be .?thinking',
  ].join('|'),
  'i',
)

export const complainsOfThinking = (error: string): boolean => complaints.test(error)

/** True for Claude at any vendor: it takes no thinking but its own. */
export const isClaude = (model: string): boolean => /claude/i.test(model)

/**
 * True if a conversation allows no thinking by budget: Anthropic wants the thinking back that led to the calls whose
 * results now come.
 */
export function callsWithoutThinking(messages: readonly JsonObject[]): boolean {
  const [before, last] = messages.slice(-2)
  const first = (message: JsonObject | undefined): string | null => {
    const content = message?.['content']
    return Array.isArray(content) ? asText(asObject(content[0])?.['type']) : null
  }
  if (last?.['role'] !== 'user' || first(last) !== 'tool_result') return false
  const begins = first(before)
  return begins !== 'thinking' && begins !== 'redacted_thinking'
}

/**
 * A request of Messages that does not think: "`clear_thinking_20251015` strategy requires `thinking` to be enabled or
 * adaptive", says Anthropic. `off`: turned off explicitly, for vendors whose models think unless they are told not to.
 */
function messagesWithoutThinking(body: JsonObject, off: boolean): JsonObject {
  const { thinking: _, context_management: management, ...rest } = body
  const edits = asObjects(asObject(management)?.['edits'])
  const left = edits.filter((edit) => !asText(edit['type'])?.startsWith('clear_thinking'))
  return {
    ...rest,
    ...(off ? { thinking: { type: 'disabled' } } : {}),
    ...(management !== undefined && (left.length > 0 || edits.length === 0)
      ? { context_management: { ...asObject(management), ...(edits.length > 0 ? { edits: left } : {}) } }
      : {}),
  }
}

/** The request for a model that refused its history: without any thinking, and with thinking off where that helps. */
export function withoutThinking(request: CanonicalRequest, to: WireProtocol, model: string): CanonicalRequest {
  // Claude, OpenAI and Google only check what they are given.
  const isOff = (to === 'messages' && !isClaude(model)) || to === 'chat'
  return {
    ...request,
    messages: request.messages.map(unthought),
    ...(isOff ? { reasoning: { effort: 'none', budget: null, summary: null } } : {}),
  }
}

const unthought = (message: Message): Message =>
  message.role === 'assistant'
    ? {
        ...message,
        parts: message.parts.flatMap((part) =>
          part.type === 'thinking' ? [] : [part.type === 'tool-call' ? { ...part, seal: null } : part],
        ),
      }
    : message
