import type { EntryProtocol } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import { wantsAnswerBehindTools } from '../canonical/models.ts'
import { either, partsOf, placeOf } from '../gemini/request-lens.ts'
import { elements, isArray, isObject, isString, member, stringOf, type Edit, type Span } from '../json-bytes/index.ts'
import { listOf } from '../json-bytes/walk.ts'
import { behindLast } from '../values.ts'
import { roleOf } from '../messages/server-tools/declare.ts'
import { ofConversation } from '../responses/append-round.ts'
import { isOfAnswer } from '../responses/server-tools/declare.ts'
import type { RequestLens } from '../types.ts'
import { hasMovingMark, toolListEdits, toolListOf } from '../lens/lens.ts'

/** Returns the text to put around a single value to make it the first item of a list; null if it can't be one. */
type Wrap = (body: Buffer, at: Span) => { before: string; after: string } | null

/** How a protocol takes items after those of a request. */
interface Appending {
  list: 'messages' | 'input' | 'contents'
  wrap?: Wrap
  userItem(text: string): Buffer
  /** true if the provider already has all that was sent and answered: the next request holds the new items alone */
  isKept?(lens: RequestLens): boolean
  /** true if nothing may follow the last item */
  isClosed?(lens: RequestLens): boolean
  /** the time tag as a part of the last item; null: it is an item of its own */
  tagWithin?(lens: RequestLens, last: Span, line: string): Edit[] | null
}

/** Returns a user's turn as OpenAI's and Anthropic's protocols write it. */
const userMessage = (text: string): Buffer => Buffer.from(`{"role":"user","content":${JSON.stringify(text)}}`)
export const userContent = (text: string): Buffer => Buffer.from(JSON.stringify({ role: 'user', parts: [{ text }] }))

/** An input that is a plain text is the user's message. */
export const bareInput: Wrap = (body, at) =>
  isString(body, at) ? { before: '{"role":"user","content":', after: '}' } : null
const bareText: Wrap = (body, at) => (isString(body, at) ? { before: '{"type":"text","text":', after: '}' } : null)
/** ProtoJSON: a list of one may lack its brackets. */
const bareContent: Wrap = (body, at) => (isObject(body, at) ? { before: '', after: '' } : null)

const appending: Readonly<Record<EntryProtocol, Appending>> = {
  chat: {
    list: 'messages',
    userItem: userMessage,
    isClosed: (lens) => lens.lastMessage()?.role === 'tool' && wantsAnswerBehindTools(lens.model ?? ''),
  },
  /** neighbouring messages of the user are one to Anthropic, results in front of the words */
  messages: {
    list: 'messages',
    userItem: userMessage,
    isClosed: endsInSystem,
    /**
     * One more block after a tool's results, or whatever the user's last blocks are; a bare text becomes the first
     * block: not every server that speaks Anthropic's protocol takes the user twice in a row.
     */
    tagWithin({ body }, last, line) {
      const content = roleOf(body, last) === 'user' ? member(body, last, 'content') : null
      const block = Buffer.from(JSON.stringify({ type: 'text', text: line }))
      return content && saysAnything(body, content) ? insertsBehind(body, content, [block], bareText) : null
    },
  },
  responses: {
    list: 'input',
    wrap: bareInput,
    userItem: userMessage,
    isKept: ofConversation,
    /**
     * These must stay last: an answer's own items, because the answer after them counts as one with them, and the item
     * that asks the provider to compact everything before it (Codex).
     */
    isClosed({ body, items }) {
      const last = items().at(-1)
      return (
        last !== undefined &&
        (isOfAnswer(body, last) || stringOf(body, member(body, last, 'type')) === 'compaction_trigger')
      )
    },
  },
  gemini: {
    list: 'contents',
    wrap: bareContent,
    userItem: userContent,
    /** one more part of the user's last content, after results too: Google counts those, not what is beside them */
    tagWithin(lens, last, line) {
      const role = lens.lastMessage()?.role
      if (role !== 'user' && role !== 'tool') return []
      const { body } = lens
      // Older requests have another role for results.
      const isUsers = (stringOf(body, either(body, last, 'role')) ?? 'user').toLowerCase() === 'user'
      const list = isUsers ? either(body, last, 'parts') : null
      const part = Buffer.from(JSON.stringify({ text: line }))
      return list && partsOf(body, last).length > 0 ? insertsBehind(body, list, [part], bareContent) : null
    },
  },
}

/**
 * Anthropic refuses a user's message after a system message, which Claude Code may send last: "role 'system' must
 * precede an 'assistant' message or end the array" (https://github.com/diillson/chatcli/pull/1523); so it does with the
 * block that says the same. One without words, which only sets options, may stand anywhere.
 */
function endsInSystem({ body, items }: RequestLens): boolean {
  const last = items().at(-1)
  const content = last ? member(body, last, 'content') : null
  if (!last || !content) return false
  if (roleOf(body, last) === 'system') return saysAnything(body, content)
  const block = elements(body, content).at(-1)
  return block !== undefined && stringOf(body, member(body, block, 'type')) === 'mid_conv_system'
}

const saysAnything = (body: Buffer, content: Span): boolean =>
  isString(body, content) || elements(body, content).length > 0

const placeIn = (lens: RequestLens, list: Appending['list']): Span | null =>
  list === 'contents' ? placeOf(lens, list) : lens.place(list)

/**
 * Returns inserts that put items after the last of a request's list; every other byte stays.
 * @throws OnwardError `cannot-continue` if nothing can be added
 */
function append(lens: RequestLens, items: readonly Buffer[]): Edit[] {
  const { list, wrap, isKept } = appending[lens.protocol]
  const at = placeIn(lens, list)
  if (at && isKept?.(lens)) return [{ ...at, replacement: listOf(items) }]
  const edits = insertsBehind(lens.body, at, items, wrap)
  if (edits) return edits
  throw new OnwardError('cannot-continue', `The request has no list “${list}” that a followup could be added to.`)
}

/**
 * The same for Onward's own words after a client's request. Returns `[]` if nothing can be added, or if the client has
 * begun the answer, because the model continues the last item.
 */
function appendAfterLast(lens: RequestLens, items: readonly Buffer[]): Edit[] {
  const { list, wrap, isClosed } = appending[lens.protocol]
  if (items.length === 0 || lens.lastMessage()?.role === 'assistant' || isClosed?.(lens)) return []
  return insertsBehind(lens.body, placeIn(lens, list), items, wrap) ?? []
}

/** A request without messages stays as it is, for the provider to refuse: it has no words of the user's. */
function appendTimeTag(lens: RequestLens, line: string): Edit[] {
  const { userItem, isClosed, tagWithin } = appending[lens.protocol]
  const last = lens.items().at(-1)
  // Google's caches have a name of their own (`cachedContent`), or hold any beginning that was sent before.
  const marks = lens.protocol !== 'gemini' && hasMovingMark(lens)
  if (!last || marks || isClosed?.(lens)) return []
  return tagWithin?.(lens, last, line) ?? appendAfterLast(lens, [userItem(line)])
}

/** Returns null if nothing can be added. */
function insertsBehind(body: Buffer, list: Span | null, items: readonly Buffer[], wrap?: Wrap): Edit[] | null {
  if (!list) return null
  if (isArray(body, list)) return [behindLast(body, list, items)]
  const around = wrap?.(body, list)
  if (!around) return null
  return [
    { start: list.start, end: list.start, replacement: `[${around.before}` },
    { start: list.end, end: list.end, replacement: `${around.after},${items.join(',')}]` },
  ]
}

/** The part of `ServerToolCodec` that most protocols share. */
export const appendingMembers = {
  userItem: userMessage,
  append,
  appendAfterLast,
  appendTimeTag,
  toolsAsSent: (lens: RequestLens) => toolListOf(lens),
  withTools: (lens: RequestLens, tools: Buffer) => toolListEdits(lens, tools),
}
