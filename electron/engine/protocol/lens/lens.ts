import { crc32 } from 'node:zlib'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Mutable } from '../../base/mutable.ts'
import { knowsCacheMarks, wantsAnswerBehindTools } from '../canonical/models.ts'
import {
  decode,
  decodeStart,
  decodeString,
  elements,
  isArray,
  isString,
  member,
  outline,
  stringOf,
  type Outline,
  type Span,
  members,
  isObject,
  type Edit,
} from '../json-bytes/index.ts'
import { listOf, memberEdits, rootOf } from '../json-bytes/walk.ts'
import type { CacheKeep, MessageEnd, PrefixDigest, RequestLens, UserText } from '../types.ts'
import { behindLast, asList, asNumber, asObject, type JsonObject } from '../values.ts'

/** Half a million tokens. Every stage that looks at tools looks at all of them. */
const mostToolBytes = 2 * 1024 * 1024

/**
 * Reads a request of any protocol from its bytes. The body is checked and outlined at once; each message is read on
 * demand and at most once, and only requested texts are decoded.
 * @throws OnwardError `bad-json` | `bad-utf8` | `bad-request` | `too-complex` | `tools-too-large`, status 400
 */
export function readRequest(body: Buffer, dialect: LensDialect, beside?: AskedBeside): RequestLens {
  const found = outline(body)
  const top = found.members
  if (!top) throw badRequest('The body must be a JSON object.')
  const tools = top.get('tools')
  if (tools && tools.end - tools.start > mostToolBytes)
    throw new OnwardError(
      'tools-too-large',
      `The declared tools take more than ${mostToolBytes / 1024 / 1024} MB, which no model has room for. ` +
        'Switch off MCP servers or tools that are not needed.',
      { status: 400 },
    )
  const items = dialect.items?.(body, top) ?? itemsOf(body, found, dialect.list)
  const views: (ItemView | undefined)[] = []
  let toolCount: number | null | undefined
  const view = (index: number): ItemView => {
    const item = items[index]
    return (views[index] ??= item ? dialect.view(body, item) : { role: 'other', texts: [] })
  }
  const textsOf = (index: number): string[] => view(index).texts.map((token) => decodeString(body, token))
  const indexes = (role: ItemView['role'], worthALook?: (item: Buffer) => boolean): number[] =>
    [...items.keys()].filter(
      (index) =>
        (!worthALook || worthALook(body.subarray(items[index]?.start, items[index]?.end))) && view(index).role === role,
    )
  const place = (...path: string[]): Span | null => {
    let at = top.get(path[0] ?? '') ?? null
    for (let i = 1; at && i < path.length; i++) at = member(body, at, path[i] ?? '')
    return at
  }

  let last: MessageEnd | null = null
  const lastMessage = (behind?: (text: string) => boolean): MessageEnd | null => {
    let index = items.length - 1
    while (index >= 0 && view(index).role === 'system') index--
    let said = index
    while (behind && said >= 0 && isUserMessage(view(said)) && textsOf(said).every(behind)) said--
    if (said >= 0 && asks.has(view(said).role)) index = said
    return index < 0 ? null : messageEnd(view(index).role, index, textsOf)
  }

  const head = beside ?? { model: stringMember(body, found, 'model'), stream: booleanMember(body, found, 'stream') }
  const lens: Mutable<RequestLens> = {
    protocol: dialect.protocol,
    body,
    model: head.model,
    stream: head.stream,
    userTexts: (worthALook) =>
      indexes('user', worthALook).flatMap((messageIndex) =>
        view(messageIndex).texts.map((token) => userText(body, messageIndex, token)),
      ),
    // Nearly every stage reads it, and its texts may be long.
    lastMessage: (behind) => (behind ? lastMessage(behind) : (last ??= lastMessage())),
    firstUserTexts() {
      const first = items.findIndex((_, index) => view(index).role === 'user')
      return first < 0 ? [] : textsOf(first)
    },
    systemTexts(limit, leading = false) {
      const apart =
        dialect.systems?.(body, top) ??
        (dialect.system === null ? [] : contentTexts(body, top.get(dialect.system) ?? null, ['text']))
      // A system message may be anywhere, so all of a long conversation is searched.
      const firstOther = leading ? items.findIndex((_, index) => view(index).role !== 'system') : -1
      const places = leading ? items.slice(0, firstOther < 0 ? items.length : firstOther).keys() : indexes('system')
      const within = Array.from(places).flatMap((index) => view(index).texts)
      return [...apart, ...within].map((token) => decodeStart(body, token, limit))
    },
    toolCount() {
      const listed = found.elements.get('tools')?.length ?? null
      if (toolCount === undefined) toolCount = dialect.tools ? dialect.tools(body, top, listed) : listed
      return toolCount
    },
    place,
    value(...path) {
      const at = place(...path)
      return at ? decode(body, at) : undefined
    },
    messageCount: () => items.length,
    items: () => items,
    longStrings: () => found.longStrings,
    asked() {
      let last = items.length - 1
      while (last >= 0 && standsBehind.has(view(last).role)) last--
      let first = last
      if (last >= 0 && view(last).role === 'tool') while (first > 0 && view(first - 1).role === 'tool') first--
      return last < 0 || view(last).role === 'other' ? [] : items.slice(first, last + 1)
    },
    historyDigest() {
      let index = items.length - 1
      while (index >= 0 && !isUserMessage(view(index))) index--
      const from = items[0]?.start ?? 0
      const to = (index < 0 ? items.at(-1)?.end : items[index]?.start) ?? from
      return `${index}.${to - from}.${endsOf(body.subarray(from, to)).toString(36)}`
    },
    prefixDigest(): PrefixDigest {
      const tools = place('tools') ?? place('functions')
      const apart = ['system', 'instructions', 'systemInstruction', 'system_instruction'].map((name) => place(name))
      // Half of the time that all of this takes.
      const marked = takesMarks.has(dialect.protocol) && body.includes(cacheMark)
      let leading = 0
      while (leading < items.length && view(leading).role === 'system') leading++
      let system = 0
      for (const at of [...apart, ...items.slice(0, leading)])
        if (at) system = sumOf(body.subarray(at.start, at.end), marked, system)
      const messages = Uint32Array.from(items.slice(leading), ({ start, end }) => {
        const item = body.subarray(start, end)
        return marked && item.includes(cacheMark) ? 0 : crc32(item) || 1
      })
      return {
        tools: tools ? sumOf(body.subarray(tools.start, tools.end), marked, 0) : 0,
        system,
        messages,
        leading,
        keep: marked ? keptByMarks(body) : (retentions[String(lens.value('prompt_cache_retention'))] ?? null),
      }
    },
  }
  if (head.streamForm !== undefined) lens.streamForm = head.streamForm
  return lens
}

/** bytes that count at the beginning of a history, and at its end */
const endBytes = 4 * 1024

/**
 * A conversation that went on differently has another length or another end, and another conversation has another
 * beginning. A sum of all of a long one would be made again for each message of a person.
 */
const endsOf = (history: Buffer): number =>
  history.length <= 2 * endBytes
    ? crc32(history)
    : crc32(history.subarray(-endBytes), crc32(history.subarray(0, endBytes)))

const takesMarks: ReadonlySet<EntryProtocol> = new Set(['messages', 'chat'])
/** Within a text its quotes would be escaped. */
const cacheMark = '"cache_control":'
/** Claude Code's first line of its system text, which changes with the version and the first message. */
const billing = Buffer.from('x-anthropic-billing-header:')

/** Returns a sum of bytes without their cache marks, which move on from request to request. */
function sumOf(bytes: Buffer, marked: boolean, sum: number): number {
  let from = 0
  const skip = (start: number, end: number) => {
    sum = crc32(bytes.subarray(from, start), sum)
    from = end < 0 ? bytes.length : end
  }
  const line = bytes.indexOf(billing)
  if (line >= 0) skip(line, bytes.indexOf('"', line))
  for (let at = marked ? bytes.indexOf(cacheMark, from) : -1; at >= 0; at = bytes.indexOf(cacheMark, from))
    skip(bytes[at - 1] === 0x2c ? at - 1 : at, bytes.indexOf('}', at) + 1)
  return crc32(bytes.subarray(from), sum)
}

/** OpenAI keeps what is in memory for five to ten minutes without use, and never for more than an hour. */
const retentions: Readonly<Record<string, CacheKeep>> = { in_memory: 'hour', '24h': 'day' }

function keptByMarks(body: Buffer): CacheKeep {
  for (let at = body.indexOf(cacheMark); at >= 0; at = body.indexOf(cacheMark, at + 1))
    if (!body.subarray(at, body.indexOf('}', at)).includes('"1h"')) return 'minutes'
  return 'hour'
}

/** Roles that may follow the message to be answered: the model continues an answer at the end. */
const standsBehind: ReadonlySet<ItemView['role']> = new Set(['system', 'assistant'])

const asks: ReadonlySet<ItemView['role']> = new Set(['user', 'tool'])

const isUserMessage = (view: ItemView): boolean => view.role === 'user' && view.texts.length > 0

function userText(body: Buffer, messageIndex: number, token: Span): UserText {
  return { messageIndex, start: token.start, end: token.end, text: () => decodeString(body, token) }
}

function messageEnd(role: ItemView['role'], index: number, textsOf: (index: number) => string[]): MessageEnd {
  if (role === 'user') return { role, index, texts: textsOf(index) }
  return { role: role === 'system' ? 'other' : role, index, texts: [] }
}

/** Returns the conversation's items. Responses takes a bare string for one user message. */
function itemsOf(body: Buffer, found: Outline, name: LensDialect['list']): readonly Span[] {
  const at = found.members?.get(name)
  if (!at) return []
  if (isArray(body, at)) return found.elements.get(name) ?? elements(body, at)
  if (name === 'input' && isString(body, at)) return [at]
  throw badRequest(name === 'input' ? '“input” must be a text or a list.' : `“${name}” must be a list.`)
}

function stringMember(body: Buffer, found: Outline, name: string): string | null {
  const at = found.members?.get(name)
  if (!at || isNull(body, at)) return null
  const text = stringOf(body, at)
  if (text === null) throw badRequest(`“${name}” must be a text.`)
  return text
}

function booleanMember(body: Buffer, found: Outline, name: string): boolean {
  const at = found.members?.get(name)
  if (!at || isNull(body, at)) return false
  const value = decode(body, at)
  if (typeof value !== 'boolean') throw badRequest(`“${name}” must be true or false.`)
  return value
}

const isNull = (body: Buffer, at: Span): boolean => body[at.start] === 0x6e
const badRequest = (message: string): OnwardError => new OnwardError('bad-request', message, { status: 400 })

/** One message (input item). `system` also stands for developer. */
export interface ItemView {
  role: 'user' | 'assistant' | 'tool' | 'system' | 'other'
  /** string tokens of the texts of a user or system message */
  texts: readonly Span[]
}

/** A protocol's layout of requests; everything else about reading them is shared (lens.ts). */
export interface LensDialect {
  protocol: EntryProtocol
  /** the member that holds the conversation */
  list: 'messages' | 'input' | 'contents'
  /** the member beside it that holds system text */
  system: 'system' | 'instructions' | null
  view(body: Buffer, item: Span): ItemView
  /**
   * for a protocol that has them in another place or form than the members named above; `top`: the body's own members
   */
  items?(body: Buffer, top: ReadonlyMap<string, Span>): readonly Span[]
  systems?(body: Buffer, top: ReadonlyMap<string, Span>): readonly Span[]
  /** `listed`: the length of the member `tools`; null if it is missing or no list */
  tools?(body: Buffer, top: ReadonlyMap<string, Span>, listed: number | null): number | null
}

/** The parts of a request that a protocol sends outside the body. */
interface AskedBeside {
  model: string | null
  stream: boolean
  streamForm?: 'sse' | 'json-array'
}

/** Returns the string tokens of a content that is a string or a list of parts; only parts of these types count. */
export function contentTexts(body: Buffer, content: Span | null, types: readonly string[]): Span[] {
  if (!content) return []
  if (isString(body, content)) return [content]
  const found: Span[] = []
  for (const part of elements(body, content)) {
    const [type, text] = members(body, part, ['type', 'text'])
    if (text && isString(body, text) && types.includes(stringOf(body, type ?? null) ?? '')) found.push(text)
  }
  return found
}

/**
 * True if the provider sets a cache mark by itself on the last item. What it cached then ends with words that no later
 * request has, and is not found again. `model`: the one that answers, where it is known already.
 * - `cache_control` beside the messages: Anthropic's automatic caching; OpenRouter takes it in OpenAI's protocols too
 * (openrouter.ai/docs, AnthropicCacheControlDirective).
 * - LiteLLM's `cache_control_injection_points` (docs.litellm.ai, Auto-inject prompt caching).
 * - OpenAI from gpt-5.6 on: see below.
 */
export function hasMovingMark(lens: RequestLens, model: string = lens.model ?? ''): boolean {
  const automatic = lens.place('cache_control')
  if (automatic && isObject(lens.body, automatic)) return true
  if (asList(lens.value('cache_control_injection_points')).some((point) => isAtTheEnd(asObject(point) ?? {})))
    return true
  return knowsCacheMarks(model) && isLeftToModel(lens)
}

/**
 * True if the model that answers accepts the time tag, whatever name the client uses for it. Checked for each choice: a
 * route may lead to a model whose vendor caches up to the very last words, or that takes no user words after tool
 * results.
 */
export const bearsTimeTag = (lens: RequestLens, upstreamModel: string): boolean =>
  !hasMovingMark(lens, upstreamModel) && !(lens.lastMessage()?.role === 'tool' && wantsAnswerBehindTools(upstreamModel))

function isAtTheEnd(point: JsonObject): boolean {
  if (point['location'] !== 'message') return false
  const index = asNumber(point['index'])
  return index === null ? point['role'] !== 'system' : index < 0
}

/**
 * OpenAI's newer models put a breakpoint on the latest message unless told otherwise, and find what they cached only at
 * that very place (developers.openai.com, Prompt caching). Clients of Anthropic's protocol mark what is to be cached
 * themselves; a response or conversation that is kept begins the next request with all it was sent.
 */
function isLeftToModel(lens: RequestLens): boolean {
  if (lens.protocol === 'messages') return !lens.body.includes('"cache_control"')
  if (lens.value('prompt_cache_options', 'mode') === 'explicit') return false
  return ['previous_response_id', 'conversation'].every((name) => (lens.value(name) ?? null) === null)
}

/**
 * Returns a copy of the client's list of tools, so that the request's bytes can be freed; null if it has none, or an
 * empty one.
 */
export function toolListOf(lens: RequestLens, at: Span | null = lens.place('tools')): Buffer | null {
  const { body } = lens
  if (!at || (lens.toolCount() ?? 0) === 0) return null
  // Gemini takes one entry without its brackets.
  return isObject(body, at) || elements(body, at).length > 0 ? Buffer.from(body.subarray(at.start, at.end)) : null
}

/** Adds this list of tools to a request that has none. */
export const toolListEdits = (lens: RequestLens, tools: Buffer, object: Span = rootOf(lens.body)): Edit[] =>
  memberEdits(lens.body, object, { tools })

/** Adds declarations after the client's own, which are at `at`; without such a list, adds one. */
export function declareBehind(lens: RequestLens, at: Span | null, ours: readonly Buffer[]): Edit[] {
  if (ours.length === 0) return []
  return at && isArray(lens.body, at) ? [behindLast(lens.body, at, ours)] : toolListEdits(lens, listOf(ours))
}

/**
 * The beginning of the line that gives the time at the end of one request and no later one: nothing that is cached may
 * end with it.
 */
export const timeTagStart = '[Time/Date]: '

export const isTimeTag = (text: string): boolean => text.startsWith(timeTagStart)

/** True if a request ends in results; Claude Code puts its reminders after them, in the same message. */
export function endsInResults(lens: RequestLens): boolean {
  const last = lens.lastMessage()
  if (last?.role !== 'user') return last?.role === 'tool'
  return last.texts.length > 0 && last.texts.every((text) => text.startsWith('<system-reminder>'))
}
