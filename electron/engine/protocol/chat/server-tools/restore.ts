import {
  decode,
  decodeString,
  type Edit,
  elements,
  isString,
  member,
  type Span,
  splice,
  stringOf,
} from '../../json-bytes/index.ts'
import { elementsOf, listOf, rootOf, setMembers } from '../../json-bytes/walk.ts'
import {
  callsByPlace,
  type AssistantTurn,
  type HiddenHistory,
  textCutter,
  withoutBlanks,
} from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { withoutElements, asName, asObject, type JsonObject, asObjects, asText, parseObject } from '../../values.ts'
import { withoutMember } from '../../without-member.ts'
import { isSaid } from '../convert/members.ts'
import { text as visibleText, thinkingLists, thinkingTexts, text } from '../facts.ts'

/**
 * Puts back what was hidden around an answer: earlier rounds before it, their text and thinking taken out of the
 * client's copy, and hidden calls among its own, their results right after it and before the client's own results. A
 * cache mark of the client's goes only when the part it stands on was shown by those rounds as a whole.
 */
export function restore(
  lens: RequestLens,
  turn: AssistantTurn,
  { before, filler, calls, results }: HiddenHistory,
): Edit[] {
  const items = lens.items()
  const [first, last] = [items[turn.first], items[turn.last]]
  if (!first || !last || (before.length === 0 && !filler && calls.length === 0 && results.length === 0)) return []
  const client = items.slice(turn.first, turn.last + 1).map(({ start, end }) => lens.body.subarray(start, end))
  const shown = shownIn(before)
  const changed = placeCalls(cutThinking(cutTexts(client, shown.text, filler), shown), calls)
  const kept = changed.filter((message, i) => message === client[i] || saysAnything(message))
  const whole = [...before, ...kept, ...results].map((item) => item.toString()).join(',')
  if (whole !== '') return [{ start: first.start, end: last.end, replacement: whole }]
  const [previous, next] = [items[turn.first - 1], items[turn.last + 1]]
  return [
    { start: previous ? previous.end : first.start, end: !previous && next ? next.start : last.end, replacement: '' },
  ]
}

/** The client's messages with hidden calls among its own: in the message that has calls, else in the last. */
function placeCalls(messages: readonly Buffer[], hidden: HiddenHistory['calls']): Buffer[] {
  if (hidden.length === 0) return [...messages]
  const own = messages.map((message) => elementsOf(message, 'tool_calls'))
  const withCalls = own.findLastIndex((calls) => calls.length > 0)
  const target = withCalls < 0 ? messages.length - 1 : withCalls
  return messages.map((message, i) =>
    i === target ? setMembers(message, { tool_calls: listOf(together(own[i] ?? [], hidden)) }) : message,
  )
}

function together(own: readonly Buffer[], hidden: HiddenHistory['calls']): Buffer[] {
  const places = callsByPlace(hidden, own.length)
  const standsAt = (place: number): Buffer[] => places(place).map(({ json }) => Buffer.from(json))
  return [...own.flatMap((call, place) => [...standsAt(place), call]), ...standsAt(own.length)]
}

/**
 * Returns the client's messages without the text that other messages already have: however the client joined it, it
 * stands at the beginning. `all`: without any text. Messages that stay as they are are the same buffers.
 */
function cutTexts(messages: readonly Buffer[], shown: string, all: boolean): Buffer[] {
  const text = messages
    .map((message) => {
      const content = member(message, rootOf(message), 'content')
      return content ? visibleText(decode(message, content)) : ''
    })
    .join('')
  const cut = all ? () => '' : textCutter(text, shown)
  return cut ? messages.map((message) => cutMessage(message, cut)) : [...messages]
}

function cutMessage(message: Buffer, cut: (text: string) => string): Buffer {
  const content = member(message, rootOf(message), 'content')
  if (!content) return message
  if (isString(message, content)) {
    const text = decodeString(message, content)
    const left = cut(text)
    return left === text
      ? message
      : splice(message, [{ ...content, replacement: left === '' ? 'null' : JSON.stringify(left) }])
  }
  const parts = elements(message, content)
  const edits: Edit[] = []
  const gone = new Set<number>()
  for (const [i, part] of parts.entries()) {
    const at = textOf(message, part)
    const text = at && decodeString(message, at)
    const left = text === null ? null : cut(text)
    if (left === null || left === text) continue
    if (left === '') gone.add(i)
    else if (at) edits.push({ ...at, replacement: JSON.stringify(left) })
  }
  if (gone.size > 0 && gone.size === parts.length) return setMembers(message, { content: 'null' })
  return splice(message, [...edits, ...withoutElements(parts, (i) => gone.has(i))])
}

function textOf(message: Buffer, part: Span): Span | null {
  const text = stringOf(message, member(message, part, 'type')) === 'text' ? member(message, part, 'text') : null
  return text && isString(message, text) ? text : null
}

/** The client's messages without the thinking that other messages already have. */
function cutThinking(messages: readonly Buffer[], shown: Shown): Buffer[] {
  return messages.map((message) =>
    thinkingLists.reduce(
      (left, name) => cutList(left, name, shown.details),
      thinkingTexts.reduce((left, name) => cutText(left, name, shown.thinking), message),
    ),
  )
}

function cutText(message: Buffer, name: string, shown: string): Buffer {
  const at = member(message, rootOf(message), name)
  const text = stringOf(message, at)
  const cut = text === null ? null : textCutter(text, shown)
  if (!at || text === null || !cut) return message
  const left = cut(text)
  return left === '' ? withoutMember(message, name) : splice(message, [{ ...at, replacement: JSON.stringify(left) }])
}

function cutList(message: Buffer, name: string, shown: readonly JsonObject[]): Buffer {
  const at = member(message, rootOf(message), name)
  const entries = at && elements(message, at)
  if (!entries || shown.length === 0) return message
  const isShown = entries.map((entry) => shown.some((other) => isSame(other, asObject(decode(message, entry)) ?? {})))
  if (isShown.length > 0 && !isShown.includes(false)) return withoutMember(message, name)
  const all = shown
    .map((entry) => words.map((word) => asName(entry[word])).find((text) => text !== null) ?? '')
    .join('')
  const cuts = entries.flatMap((entry, i) => (isShown[i] ? [] : prefixCuts(message, entry, all)))
  return splice(message, [...cuts, ...withoutElements(entries, (i) => isShown[i] === true)])
}

/** A client that joins pieces in a row keeps the last signature, which is that of what remains. */
function prefixCuts(message: Buffer, entry: Span, shown: string): Edit[] {
  return words.flatMap((word) => {
    const at = member(message, entry, word)
    const text = stringOf(message, at)
    const left = text === null ? null : (textCutter(text, shown)?.(text) ?? null)
    return at && left ? [{ ...at, replacement: JSON.stringify(left) }] : []
  })
}

/** Members that distinguish one piece of thinking from another, the surest first. */
const marks = ['signature', 'data', 'id'] as const
const words = ['text', 'thinking', 'summary'] as const

function isSame(a: JsonObject, b: JsonObject): boolean {
  for (const mark of marks) {
    const [one, other] = [asName(a[mark]), asName(b[mark])]
    if (one !== null && other !== null) return one === other
  }
  return words.some(
    (word) => asName(a[word]) !== null && withoutBlanks(asName(a[word]) ?? '') === withoutBlanks(asName(b[word]) ?? ''),
  )
}

/** The contents of earlier rounds that a client has seen in its answer. */
interface Shown {
  text: string
  thinking: string
  /** entries of `reasoning_details` and the like, which carry signatures or encrypted thinking */
  details: readonly JsonObject[]
}

/** `items`: whole messages; those of the assistant count. */
function shownIn(items: readonly string[]): Shown {
  const messages = items
    .map((item) => parseObject(Buffer.from(item)) ?? {})
    .filter((message) => message['role'] === 'assistant')
  return {
    text: messages.map((message) => text(message['content'])).join(''),
    thinking: messages
      .map((message) => thinkingTexts.map((name) => asText(message[name])).find((thought) => thought !== null) ?? '')
      .join(''),
    details: messages.flatMap((message) => thinkingLists.flatMap((name) => asObjects(message[name]))),
  }
}

/** Thinking alone is no message: Chat wants a text or a call in it. */
function saysAnything(message: Buffer): boolean {
  const value = parseObject(message) ?? {}
  return ['content', 'tool_calls', 'function_call', 'refusal', 'audio'].some((name) => isSaid(value[name]))
}
