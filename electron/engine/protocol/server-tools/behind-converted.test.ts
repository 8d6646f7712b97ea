import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { readCanonical, writeCanonical } from '../canonical/index.ts'
import { conversionOf } from '../conversions.ts'
import { codecOf, serverToolCodecOf } from '../index.ts'
import { splice } from '../json-bytes/index.ts'
import { refusedOf } from '../testing/refused-of.ts'
import { validateChatRequest } from '../testing/validate-chat.ts'
import { validateGeminiRequest } from '../testing/validate-gemini.ts'
import { validateMessagesRequest } from '../testing/validate-messages.ts'
import { validateResponsesRequest } from '../testing/validate-responses.ts'
import { asList, asText, parseObject, type JsonObject } from '../values.ts'
import {
  conversation,
  exchanges,
  lines,
  listOf,
  pathOf,
  protocols,
  requestOf,
  type Exchange,
} from './testing/requests.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const documented: Readonly<Record<EntryProtocol, (body: JsonObject) => readonly string[]>> = {
  chat: validateChatRequest,
  responses: validateResponsesRequest,
  messages: validateMessagesRequest,
  gemini: validateGeminiRequest,
}

/** The additions after the client's own items: nothing, the tag, a reminder and the tag. */
type Added = (from: EntryProtocol, body: Buffer) => Buffer
const plain: Added = (_, body) => body
const tag: Added = (from, body) =>
  splice(body, serverToolCodecOf(from).appendTimeTag(codecOf(from).read(body, pathOf(from)), 'TAG'))
const reminderAndTag: Added = (from, body) =>
  splice(
    body,
    serverToolCodecOf(from).appendAfterLast(
      codecOf(from).read(body, pathOf(from)),
      ['REMINDER', 'TAG'].map((text) => serverToolCodecOf(from).userItem(text)),
    ),
  )

function converted(from: EntryProtocol, to: EntryProtocol, body: Buffer): JsonObject {
  if (from === to) return parseObject(body) ?? {}
  const request = readCanonical(conversionOf[from], parseObject(body) ?? {}, pathOf(from))
  return parseObject(writeCanonical(request, conversionOf[to], { model: 'm', maxOutput: null }).body) ?? {}
}
/** Anthropic merges neighbours of one role; only newly written requests must have merged them already. */
const problems = (to: EntryProtocol, body: JsonObject, written: boolean): string[] => [
  ...documented[to](body).filter((problem) => written || !problem.endsWith('user twice in a row')),
  ...refusedOf[to](body),
]

/** The end of a conversation in a common form: results and users' words as text, from the last answer on. */
function ending(to: EntryProtocol, body: JsonObject): string[] {
  return asList(body[listOf[to]])
    .flatMap((item) => wordsOf(item as JsonObject))
    .slice(-4)
}
function wordsOf(item: JsonObject): string[] {
  const role = asText(item['role']) ?? ''
  if (role === 'assistant' || role === 'model' || item['type'] === 'function_call') return ['answer']
  if (role === 'tool') return [`result ${asText(item['content'])}`]
  if (item['type'] === 'function_call_output') return [`result ${asText(item['output'])}`]
  const content = item['content'] ?? item['parts']
  if (typeof content === 'string') return [`${role} ${content}`]
  return asList(content).map((part) => {
    const {
      type,
      text,
      content: of,
      functionResponse,
    } = part as {
      type?: string
      text?: string
      content?: string | { text: string }[]
      functionResponse?: { response: { output: string } }
    }
    if (functionResponse) return `result ${functionResponse.response.output}`
    if (type !== 'tool_result') return `${role} ${text}`
    return `result ${typeof of === 'string' ? of : of?.map((block) => block.text).join('')}`
  })
}

const pairs = protocols.flatMap((from) => protocols.map((to) => [from, to] as const))
const look: readonly Exchange[] = [{ asks: 'Look', bare: true, calls: 2, answers: 'x' }]

describe.each(pairs)('a request of %s that goes to a provider of %s', (from, to) => {
  const body = requestOf(from, conversation(from, look).list)
  it.each<[string, Added, string[]]>([
    ['the time tag', tag, ['result seen call_0_0', 'result seen call_0_1', 'user TAG']],
    [
      'a reminder and the time tag',
      reminderAndTag,
      ['result seen call_0_0', 'result seen call_0_1', 'user REMINDER', 'user TAG'],
    ],
  ])("has %s behind the results, as the user's words", (_, add, expected) => {
    const there = converted(from, to, add(from, body))
    expect(problems(to, there, from !== to)).toEqual([])
    expect(ending(to, there).slice(-expected.length)).toEqual(expected)
  })

  it('is one the provider takes, and begins with what it is without the tag', () => {
    fc.assert(
      fc.property(exchanges, lines, (all, line) => {
        const own = requestOf(from, conversation(from, all).list)
        const without = converted(from, to, plain(from, own))
        const lens = codecOf(from).read(own, pathOf(from))
        const there = converted(from, to, splice(own, serverToolCodecOf(from).appendTimeTag(lens, line)))
        expect(problems(to, there, from !== to)).toEqual(problems(to, without, from !== to))
        const [now, earlier] = [asList(there[listOf[to]]), asList(without[listOf[to]])]
        const same = now.length > earlier.length ? earlier.length : earlier.length - 1
        expect(now.slice(0, same)).toEqual(earlier.slice(0, same))
        const [words, before] = [now, earlier].map((list) => list.flatMap((item) => wordsOf(item as JsonObject)))
        expect(words).toEqual([...(before ?? []), `user ${line}`])
      }),
      runs(60),
    )
  })
})
