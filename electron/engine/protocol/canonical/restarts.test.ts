import { describe, expect, it } from 'vitest'
import { codecOf } from '../index.ts'
import { heardOf } from '../testing/heard-of.ts'
import type { JsonObject } from '../values.ts'
import { wireProtocols, type WireProtocol } from './request.ts'
import { converted } from './testing/converted.ts'
import { observing } from '../testing/observing.ts'

const line = (data: JsonObject): string => `data: ${JSON.stringify(data)}\n\n`
const named = (type: string, data: JsonObject): string => `event: ${type}\n${line({ type, ...data })}`

const messageStart = (id: string): string =>
  named('message_start', {
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model: 'up',
      content: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  })
const messageRest = (text: string): string =>
  named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
  named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }) +
  named('content_block_stop', { index: 0 }) +
  named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } }) +
  named('message_stop', {})
const half = named('content_block_start', { index: 0, content_block: { type: 'text', text: 'Half an' } })

const created = (id: string): string =>
  named('response.created', { response: { id, object: 'response', model: 'up', status: 'in_progress', output: [] } })
const responseDelta = (delta: string): string =>
  named('response.output_text.delta', { output_index: 0, content_index: 0, item_id: 'm', delta })
const completed = (id: string): string =>
  named('response.completed', { response: { id, object: 'response', model: 'up', status: 'completed', output: [] } })

const chunk = (id: string, delta: JsonObject, finish_reason: string | null = null): string =>
  line({ id, object: 'chat.completion.chunk', created: 1, model: 'up', choices: [{ index: 0, delta, finish_reason }] })
const role = { role: 'assistant' }
const part = (responseId: string, text: string, finishReason?: string): string =>
  line({
    candidates: [
      { content: { role: 'model', parts: [{ text }] }, index: 0, ...(finishReason ? { finishReason } : {}) },
    ],
    responseId,
    modelVersion: 'up',
  })
const chatEnd = (id: string): string => chunk(id, {}, 'stop') + 'data: [DONE]\n\n'

const spliced = {
  messages: messageStart('msg_1') + half + messageStart('msg_2') + messageRest('A second answer.'),
  responses:
    created('resp_1') + responseDelta('Half an') + created('resp_2') + responseDelta('A second.') + completed('resp_2'),
  chat:
    chunk('c1', { ...role, content: '' }) +
    chunk('c1', { content: 'Half ' }) +
    chunk('c1', { content: 'an' }) +
    chunk('c2', { ...role, content: '' }) +
    chunk('c2', { content: 'A second answer.' }) +
    chatEnd('c2'),
  gemini: part('r1', 'Half ') + part('r1', 'an') + part('r2', 'A second answer.') + part('r2', '', 'STOP'),
} as const

/** The same, where the gateway asked under the name that it had. */
const sameName = {
  messages: messageStart('msg_1') + half + messageStart('msg_1') + messageRest('A second answer.'),
  responses:
    created('resp_1') + responseDelta('Half an') + created('resp_1') + responseDelta('A second.') + completed('resp_1'),
} as const

/** Only one piece of the first answer came: the second one shows that this server does not change ids as it goes. */
const shortFirst = part('r1', 'Half') + part('r2', 'Half an') + part('r2', ' answer.', 'STOP')

/** Another answer after the end of the first is no part of it. */
const behindEnd = {
  messages: messageStart('msg_1') + messageRest('Hello.') + messageStart('msg_2') + messageRest('A second.'),
  responses:
    created('r1') +
    responseDelta('Hello.') +
    completed('r1') +
    created('r2') +
    responseDelta('A second.') +
    completed('r2'),
  chat:
    chunk('c1', role) +
    chunk('c1', { content: 'Hello.' }) +
    chunk('c1', {}, 'stop') +
    chunk('c2', role) +
    chunk('c2', { content: 'A second.' }) +
    chatEnd('c2'),
} as const

/** Habits of servers that begin no second answer. */
const harmless: readonly ['messages' | 'responses' | 'chat' | 'gemini', string, string][] = [
  ['messages', 'its very same beginning twice', messageStart('msg_1') + messageStart('msg_1') + messageRest('Hello.')],
  [
    'responses',
    'its very same beginning twice',
    created('r1') + created('r1') + responseDelta('Hello.') + completed('r1'),
  ],
  [
    'chat',
    'another id in every chunk',
    chunk('c1', role) + chunk('c2', { content: 'Hel' }) + chunk('c3', { content: 'lo.' }) + chatEnd('c4'),
  ],
  [
    'chat',
    'another id and the role in every chunk',
    chunk('c1', { ...role, content: '' }) +
      chunk('c2', { ...role, content: 'Hel' }) +
      chunk('c3', { ...role, content: 'lo.' }) +
      chatEnd('c4'),
  ],
  [
    'chat',
    'the role in every chunk',
    chunk('c1', { ...role, content: 'Hel' }) + chunk('c1', { ...role, content: 'lo.' }) + chatEnd('c1'),
  ],
  ['chat', 'another id in its last chunk', chunk('c1', role) + chunk('c1', { content: 'Hello.' }) + chatEnd('c9')],
  ['gemini', 'another id in its last chunk', part('r1', 'Hel') + part('r1', 'lo.') + part('r9', '', 'STOP')],
  ['gemini', 'an empty chunk of its own first', part('r0', '') + part('r1', 'Hel') + part('r1', 'lo.', 'STOP')],
  [
    'gemini',
    'another id in every chunk',
    ['Hel', 'lo.']
      .map((text, i) =>
        line({
          candidates: [{ content: { role: 'model', parts: [{ text }] }, ...(i === 1 ? { finishReason: 'STOP' } : {}) }],
          responseId: `r${i}`,
          modelVersion: 'up',
        }),
      )
      .join(''),
  ],
]

function observed(protocol: WireProtocol, bytes: string) {
  const observer = observing(codecOf(protocol), 'text/event-stream', 200)
  observer.push(Buffer.from(bytes))
  return observer.finish(false)
}

describe.each(wireProtocols)('a second answer in the middle of a stream of %s', (from) => {
  it.each(wireProtocols.filter((to) => to !== from))('is an error for a client of %s', (to) => {
    const stream = converted(from, to, spliced[from], { as: 'stream', wants: 'stream' })
    expect(stream.error).toContain('upstream-restarted')
    expect(stream.text).not.toContain('second answer.')
    expect(heardOf(to, stream.text).text).toContain('Half')
    expect(converted(from, to, spliced[from], { as: 'stream', wants: 'body' }).error).toBe('upstream-restarted')
  })
})

it.each(wireProtocols)('an answer of %s with another in it has no proper end where it is passed through', (from) => {
  expect(observed(from, spliced[from])).toMatchObject({ finish: 'error', error: { code: 'upstream-restarted' } })
})

it.each(['messages', 'responses'] as const)('a second answer of %s under the same name is an error as well', (from) => {
  for (const to of wireProtocols)
    if (to !== from)
      expect(converted(from, to, sameName[from], { as: 'stream', wants: 'stream' }).error).toContain(
        'upstream-restarted',
      )
  expect(observed(from, sameName[from])).toMatchObject({ finish: 'error', error: { code: 'upstream-restarted' } })
})

it('a second answer of Gemini behind one piece of the first is an error as well', () => {
  for (const to of ['messages', 'responses', 'chat'] as const)
    expect(converted('gemini', to, shortFirst, { as: 'stream', wants: 'stream' }).error).toContain('upstream-restarted')
  expect(observed('gemini', shortFirst)).toMatchObject({ finish: 'error', error: { code: 'upstream-restarted' } })
})

it.each(['messages', 'responses', 'chat'] as const)(
  'what comes behind the end of an answer of %s is none of it',
  (from) => {
    for (const to of wireProtocols)
      if (to !== from) {
        const { text, error } = converted(from, to, behindEnd[from], { as: 'stream', wants: 'stream' })
        expect(error).toBeNull()
        expect(heardOf(to, text)).toMatchObject({ text: 'Hello.', end: { reason: 'stop' } })
      }
    expect(observed(from, behindEnd[from])).toMatchObject({ finish: 'stop', error: null })
  },
)

it.each(harmless)('a server of %s with %s answers once', (from, _, bytes) => {
  for (const to of wireProtocols) {
    if (to === from) continue
    const { text, error } = converted(from, to, bytes, { as: 'stream', wants: 'stream' })
    expect(error).toBeNull()
    expect(heardOf(to, text)).toMatchObject({ text: 'Hello.', end: { reason: 'stop' } })
  }
  expect(observed(from, bytes)).toMatchObject({ finish: 'stop', error: null })
})
