import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../../canonical/answer.ts'
import type { ThinkingPart, ToolCallPart, Message } from '../../canonical/request.ts'
import type { JsonObject } from '../../values.ts'
import { asked, chunk, folded, heard, read, said, saidBody, sse, written } from './testing/exchange.ts'
import { noText, placeThinking, textSoFar } from './thinking.ts'

/** Returns what a provider gets back of the thinking it streamed, after any client carried it. */
function givenBack(...deltas: JsonObject[]): JsonObject {
  const { thinking, seals, problems } = folded(
    heard(sse(...deltas.map((delta) => chunk(delta)), chunk({ content: 'Hi' }), chunk({}, 'stop'), '[DONE]')).events,
  )
  expect(problems).toEqual([])
  const parts = seals.map((seal): ThinkingPart => ({ type: 'thinking', text: thinking, seal }))
  const { body, dropped } = written(
    asked({ messages: [{ role: 'assistant', parts: [...parts, { type: 'text', text: 'Hi' }] }] }),
  )
  expect(dropped).toEqual([])
  const { role: _, ...message } = Object(Array.isArray(body['messages']) ? body['messages'][0] : null)
  return message
}

describe('thinking goes back to its provider in the member it came in', () => {
  it.each<[string, JsonObject[], JsonObject]>([
    [
      'reasoning_content',
      [{ reasoning_content: 'A ' }, { reasoning_content: 'valve' }],
      { content: 'Hi', reasoning_content: 'A valve' },
    ],
    ['reasoning', [{ reasoning: 'A valve' }], { content: 'Hi', reasoning: 'A valve' }],
    [
      'reasoning_text with what is opaque (GitHub Copilot)',
      [{ reasoning_text: 'A ' }, { reasoning_text: 'valve' }, { reasoning_opaque: 'o==' }],
      { content: 'Hi', reasoning_text: 'A valve', reasoning_opaque: 'o==' },
    ],
    ['reasoning_opaque alone', [{ reasoning_opaque: 'o==' }], { content: 'Hi', reasoning_opaque: 'o==' }],
    [
      'a part of the content',
      [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'A valve' }] }] }],
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'A valve' }] },
          { type: 'text', text: 'Hi' },
        ],
      },
    ],
    [
      'reasoning_details with their texts',
      [
        {
          reasoning: 'A ',
          reasoning_details: [{ type: 'reasoning.text', text: 'A ', index: 0, format: 'f', signature: null }],
        },
        { reasoning: 'valve', reasoning_details: [{ type: 'reasoning.text', text: 'valve', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.text', signature: 's', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.summary', summary: 'Sum', index: 1 }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'e', index: 2 }] },
      ],
      {
        content: 'Hi',
        reasoning_details: [
          { type: 'reasoning.text', text: 'A valve', index: 0, format: 'f', signature: 's' },
          { type: 'reasoning.summary', summary: 'Sum', index: 1 },
          { type: 'reasoning.encrypted', data: 'e', index: 2 },
        ],
      },
    ],
    [
      'encrypted details alone',
      [{ reasoning_details: [{ type: 'reasoning.encrypted', data: 'e', index: 0 }] }],
      { content: 'Hi', reasoning_details: [{ type: 'reasoning.encrypted', data: 'e', index: 0 }] },
    ],
  ])('%s', (_, deltas, message) => {
    expect(givenBack(...deltas)).toEqual(message)
  })

  it('which is told by the seal: that of others stays away', () => {
    const part: ThinkingPart = { type: 'thinking', text: 'Hm', seal: { of: 'responses', data: 'x', id: 'rs_1' } }
    const { body, dropped } = written(
      asked({ messages: [{ role: 'assistant', parts: [part, { type: 'text', text: 'Hi' }] }] }),
    )
    expect(body['messages']).toEqual([{ role: 'assistant', content: 'Hi' }])
    expect(dropped).toEqual(['thinking'])
  })

  it('not when its text was changed on the way', () => {
    const seal = { of: 'chat' as const, data: '[{"type":"reasoning.text","text":[0,40]}]' }
    expect(
      written(
        asked({
          messages: [
            {
              role: 'assistant',
              parts: [
                { type: 'thinking', text: 'short', seal },
                { type: 'text', text: 'Hi' },
              ],
            },
          ],
        }),
      ).dropped,
    ).toEqual(['thinking'])
  })
})

describe('seals of other providers', () => {
  const events: AnswerEvent[] = [
    { type: 'start', model: null, usage: null },
    { type: 'begin', block: 0, part: { kind: 'thinking' } },
    { type: 'delta', block: 0, text: 'One' },
    { type: 'delta', block: 0, text: ' two' },
    { type: 'seal', block: 0, seal: { of: 'messages', data: 'sig' } },
    { type: 'end', block: 0 },
    { type: 'begin', block: 1, part: { kind: 'thinking' } },
    { type: 'seal', block: 1, seal: { of: 'messages', data: 'dark', redacted: true } },
    { type: 'end', block: 1 },
    { type: 'begin', block: 2, part: { kind: 'thinking' } },
    { type: 'delta', block: 2, text: 'three' },
    { type: 'seal', block: 2, seal: { of: 'responses', data: 'enc', id: 'rs_9' } },
    { type: 'end', block: 2 },
    { type: 'begin', block: 3, part: { kind: 'tool-call', id: 'c1', name: 'f', custom: false } },
    { type: 'seal', block: 3, seal: { of: 'gemini', data: 'c2ln' } },
    { type: 'delta', block: 3, text: '{}' },
    { type: 'end', block: 3 },
    { type: 'finish', reason: 'tool-calls', stopSequence: null, usage: null },
  ]
  const expected = [
    { type: 'thinking', text: 'One two', seal: { of: 'messages', data: 'sig' } },
    { type: 'thinking', text: '', seal: { of: 'messages', data: 'dark', redacted: true } },
    { type: 'thinking', text: 'three', seal: { of: 'responses', data: 'enc', id: 'rs_9' } },
    { type: 'tool-call', id: 'c1', name: 'f', arguments: '{}', custom: false, seal: { of: 'gemini', data: 'c2ln' } },
  ]
  const handedBack = (message: JsonObject) =>
    read({ model: 'm', messages: [{ role: 'user', content: 'Hi' }, message] }).messages[1]?.parts

  it('come back from a client that keeps its messages whole', () => {
    const { body } = saidBody(events)
    const choice = Array.isArray(body['choices']) ? Object(body['choices'][0]) : {}
    expect(handedBack(choice.message)).toEqual(expected)
  })

  it('come back from a client that puts deltas together', () => {
    const message: Record<string, string | unknown[]> = {
      role: 'assistant',
      reasoning_content: '',
      reasoning_details: [],
      tool_calls: [],
    }
    for (const event of said(events).stream.split('\n\n')) {
      if (!event.includes('"delta":')) continue
      const delta = JSON.parse(event.slice(6)).choices[0].delta
      if (delta.reasoning_content) message['reasoning_content'] += delta.reasoning_content
      for (const detail of delta.reasoning_details ?? [])
        message['reasoning_details'] = [...(message['reasoning_details'] ?? []), detail]
      for (const call of delta.tool_calls ?? [])
        if (call.id) message['tool_calls'] = [{ ...call, function: { ...call.function, arguments: '{}' } }]
    }
    expect(handedBack(message)).toEqual(expected)
  })

  it('are lost with a client that keeps only the text, and the text is marked as Chat’s own', () => {
    expect(handedBack({ role: 'assistant', content: 'x', reasoning_content: 'One two' })?.[0]).toEqual({
      type: 'thinking',
      text: 'One two',
      seal: { of: 'chat', data: 'reasoning_content' },
    })
  })

  it('a call’s goes back to the provider that made it, and to no other', () => {
    const call = (seal: ToolCallPart['seal']): ToolCallPart => ({
      type: 'tool-call',
      id: 'c',
      name: 'f',
      arguments: '{}',
      custom: false,
      seal,
    })
    const out = (seal: ToolCallPart['seal']) =>
      written(asked({ messages: [{ role: 'assistant', parts: [call(seal)] }] }))
    const google = { google: { thought_signature: 'x' } }
    const { events: heardEvents } = heard(
      sse(
        chunk({ tool_calls: [{ index: 0, id: 'c', extra_content: google, function: { name: 'f', arguments: '{}' } }] }),
        chunk({}, 'tool_calls'),
      ),
    )
    expect(out(folded(heardEvents).calls[0]?.seal ?? null).body['messages']).toMatchObject([
      { tool_calls: [{ extra_content: google }] },
    ])
    expect(out({ of: 'gemini', data: 'x' }).dropped).toEqual(['thought signature'])
  })
})

type AssistantPart = Extract<Message, { role: 'assistant' }>['parts'][number]

/** `text`: what had been said when it came */
const thought = (text: string, at: { text?: string; calls?: number } = {}) => ({
  part: { type: 'thinking' as const, text, seal: null },
  text: at.text === undefined ? noText : textSoFar(at.text).now(),
  calls: at.calls ?? 0,
})
const words = (text: string): AssistantPart => ({ type: 'text', text })
const call = (name: string): AssistantPart => ({
  type: 'tool-call',
  id: name,
  name,
  arguments: '{}',
  custom: false,
  seal: null,
})
const spoken = (parts: readonly AssistantPart[]): string[] =>
  parts.map((part) =>
    part.type === 'tool-call'
      ? `${part.name}()`
      : part.type === 'thinking'
        ? `<${part.text}>`
        : part.type === 'text'
          ? part.text
          : '',
  )

describe('thoughts of an answer that Chat keeps apart', () => {
  it.each([
    ['in front of everything', [thought('a'), thought('b')], [words('Hi'), call('x')], ['<a>', '<b>', 'Hi', 'x()']],
    ['between words', [thought('a'), thought('b', { text: 'One' })], [words('One.Two')], ['<a>', 'One', '<b>', '.Two']],
    ['behind the words', [thought('a', { text: 'Hi' })], [words('Hi')], ['Hi', '<a>']],
    ['between words and a call', [thought('a', { text: 'Hi' })], [words('Hi'), call('x')], ['Hi', '<a>', 'x()']],
    [
      'between calls',
      [thought('a'), thought('b', { text: 'Hi', calls: 1 }), thought('c', { text: 'Hi', calls: 2 })],
      [words('Hi'), call('x'), call('y'), call('z')],
      ['<a>', 'Hi', 'x()', '<b>', 'y()', '<c>', 'z()'],
    ],
    [
      'between a call and words behind it',
      [thought('a'), thought('b', { calls: 1 })],
      [words('Hi'), call('x')],
      ['<a>', 'x()', '<b>', 'Hi'],
    ],
    ['behind the last call', [thought('a', { calls: 1 })], [call('x')], ['x()', '<a>']],
    [
      'in front of words that a client has changed',
      [thought('a', { text: 'Hello' }), thought('b', { text: 'Hello', calls: 1 })],
      [words('Something else'), call('x')],
      ['<a>', 'Something else', 'x()', '<b>'],
    ],
    [
      'of a client that has cut what was said',
      [thought('a', { text: 'Hi, all of you' }), thought('b', { text: 'Hi, all of you', calls: 3 })],
      [words('Hi'), call('x')],
      ['<a>', 'Hi', 'x()', '<b>'],
    ],
  ])('stand again %s', (_name, thoughts, said, expected) => {
    expect(spoken(placeThinking(thoughts, said))).toEqual(expected)
  })
})
