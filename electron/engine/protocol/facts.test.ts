import { describe, expect, it } from 'vitest'
import { wireProtocols, type WireProtocol } from './canonical/request.ts'
import { codecOf, serverToolCodecOf } from './index.ts'
import { filtering, joining } from './join/testing/rounds.ts'
import { converted } from './testing/converted.ts'
import { heardOf } from './testing/heard-of.ts'
import { watch } from './testing/summaries.ts'

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const delta = (value: object, more: object = {}): string =>
  event({ id: 'a', choices: [{ index: 0, delta: value, finish_reason: null }], ...more })
const finish = event({ id: 'a', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) + 'data: [DONE]\n\n'
const parts = (...all: object[]): string =>
  event({ candidates: [{ content: { parts: all, role: 'model' }, index: 0 }] })
const stop = event({
  candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
})

const named = (type: string, value: object): string => `event: ${type}\n${event({ type, ...value })}`
const item = (value: object, index = 1): string =>
  named('response.output_item.added', { output_index: index, item: value }) +
  named('response.output_item.done', { output_index: index, item: value })
const said = { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] }

const words: Record<WireProtocol, string> = {
  chat: delta({ content: 'Hi.' }),
  gemini: parts({ text: 'Hi.' }),
  messages:
    named('message_start', { message: { id: 'a', type: 'message', role: 'assistant', content: [], model: 'm' } }) +
    named('content_block_start', { index: 0, content_block: { type: 'text', text: 'Hi.' } }) +
    named('content_block_stop', { index: 0 }),
  responses: named('response.created', { response: { id: 'resp_1', output: [] } }) + item(said, 0),
}
const ends: Record<WireProtocol, string> = {
  chat: finish,
  gemini: stop,
  messages:
    named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }) +
    named('message_stop', {}),
  responses: named('response.completed', { response: { id: 'resp_1', status: 'completed', output: [said] } }),
}

const filtered = (protocol: WireProtocol, stream: string): string =>
  filtering(serverToolCodecOf(protocol).filter(new Set(['clock'])))
    .push(Buffer.from(stream))
    .toString()

/** Returns what the client has of a second round before its end. */
function early(protocol: WireProtocol, stream: string): string {
  const joiner = joining(protocol, { stream: true })
  joiner.push(Buffer.from((words[protocol] ?? '') + (ends[protocol] ?? '')))
  joiner.endRound()
  return joiner.push(Buffer.from(stream)).toString()
}

describe.each<[WireProtocol, string, string]>([
  [
    'chat',
    'an object for the list (TGI)',
    delta({ tool_calls: { index: 0, id: 'c1', function: { name: 'clock', arguments: '{}' } } }),
  ],
  ['gemini', 'snake case', parts({ function_call: { name: 'clock', args: {} } })],
])('a call of a %s answer in %s', (protocol, _form, call) => {
  const stream = call + (ends[protocol] ?? '')

  it('is a call to whoever reads it', () => {
    expect(watch(codecOf(protocol), stream)).toMatchObject({ finish: 'tool-calls', toolNames: ['clock'] })
    expect(serverToolCodecOf(protocol).hasContent(Buffer.from(call))).toBe(true)
    expect(converted(protocol, 'messages', stream, 'stream').bytes).toContain('"name":"clock"')
  })

  it('is hidden where it is one of Onward’s', () => {
    expect(filtered(protocol, stream)).not.toContain('clock')
  })

  it('waits for the end of a later round, since it can’t be taken back', () => {
    expect(early(protocol, call)).toBe('')
  })
})

describe('a Chat answer', () => {
  it('keeps the words of two rounds apart, in whatever member they come (GitHub Copilot)', () => {
    const joiner = joining('chat', { stream: true })
    joiner.push(Buffer.from(delta({ reasoning_text: 'One.' }) + finish))
    joiner.endRound()
    expect(joiner.push(Buffer.from(delta({ reasoning_text: 'Two.' }))).toString()).toContain(
      '"reasoning_text":"\\n\\nTwo."',
    )
  })

  it('keeps counts that stand beside a hidden call (Groq)', () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
    const call = { tool_calls: [{ index: 0, id: 'c1', function: { name: 'clock', arguments: '{}' } }] }
    const out = filtered('chat', delta(call, { x_groq: { usage } }) + finish)
    expect(out).not.toContain('clock')
    expect(watch(codecOf('chat'), out).usage).toMatchObject({ input: 5, output: 2 })
  })

  it('failed where its choice says so, to observer and conversion alike', () => {
    const failed =
      delta({ content: 'Hi' }) +
      event({ id: 'a', choices: [{ index: 0, delta: {}, error: { code: 502, message: 'Gone.' } }] })
    expect(watch(codecOf('chat'), failed).error).toEqual({ code: '502', message: 'Gone.' })
    expect(converted('chat', 'messages', failed, 'stream').bytes).toContain('Gone.')
  })
})

describe.each<[WireProtocol, string, string]>([
  ['chat', 'zero values', delta({ function_call: { name: '', arguments: '' } })],
  ['chat', 'nothing', delta({ function_call: {}, tool_calls: [{}, null] })],
  [
    'chat',
    'zero values in a list',
    delta({ tool_calls: [{ index: 0, id: '', function: { name: '', arguments: '' } }] }),
  ],
  [
    'chat',
    'zero values beside a list that has none',
    delta({ function_call: { name: '', arguments: null }, tool_calls: [] }),
  ],
  [
    'chat',
    'zero values of both kinds in a list',
    delta({
      tool_calls: [
        { index: 0, id: '', type: 'function', function: { name: '', arguments: '' }, custom: { name: '', input: '' } },
      ],
    }),
  ],
  ['gemini', 'nothing', parts({ functionCall: {} })],
  ['gemini', 'zero values', parts({ functionCall: { id: '', name: '', args: {} } })],
  ['gemini', 'zero values in snake case', parts({ text: '', function_call: { name: '', args: null } })],
  [
    'messages',
    'zero values',
    named('content_block_start', { index: 1, content_block: { type: 'tool_use', id: '', name: '', input: {} } }) +
      named('content_block_stop', { index: 1 }),
  ],
  ['responses', 'zero values', item({ type: 'function_call', id: '', call_id: '', name: '', arguments: '' })],
])('a call of %s that is %s', (protocol, _what, call) => {
  const stream = (words[protocol] ?? '') + call + (ends[protocol] ?? '')

  it('is none, to whoever reads it', () => {
    expect(watch(codecOf(protocol), stream)).toMatchObject({ finish: 'stop', toolNames: [], error: null })
    expect(serverToolCodecOf(protocol).hasContent(Buffer.from(call))).toBe(false)
    for (const client of wireProtocols.filter((one) => one !== protocol)) {
      const { bytes } = converted(protocol, client, stream, 'stream')
      expect(heardOf(client, bytes, true)).toMatchObject({ text: 'Hi.', calls: [] })
    }
  })

  it('goes by as it came', () => {
    expect(filtered(protocol, stream)).toBe(stream)
  })
})

it.each([
  { function_call: { name: '', arguments: '{}' } },
  { tool_calls: [{ index: 0, id: '', type: 'function', function: { name: '', arguments: '{}' } }] },
  { tool_calls: [{ function: { name: null, arguments: 'null' } }] },
])('a call without a name and with empty arguments is none: %j', (call) => {
  const message = { role: 'assistant', content: 'Hi.', ...call }
  const body = JSON.stringify({ id: 'a', choices: [{ index: 0, message, finish_reason: 'stop' }] })
  for (const [form, answer] of [
    ['stream', delta({ content: 'Hi.' }) + delta(call) + finish],
    ['body', body],
  ] as const) {
    if (form === 'stream') expect(watch(codecOf('chat'), answer)).toMatchObject({ finish: 'stop', toolNames: [] })
    for (const client of wireProtocols.filter((one) => one !== 'chat')) {
      const { bytes, dropped } = converted('chat', client, answer, form)
      expect(heardOf(client, bytes, form === 'stream')).toMatchObject({
        text: 'Hi.',
        calls: [],
        end: { reason: 'stop' },
      })
      expect(dropped).toEqual([])
    }
  }
})

it('a call whose pieces come between zero values is one all the same', () => {
  const piece = (name: string, args: string) => delta({ function_call: { name, arguments: args } })
  const stream = piece('look', '') + piece('', '{"at":') + piece('', '') + piece('', '1}') + finish
  expect(watch(codecOf('chat'), stream)).toMatchObject({ finish: 'tool-calls', toolNames: ['look'] })
  expect(converted('chat', 'responses', stream, 'stream').bytes).toContain('"arguments":"{\\"at\\":1}"')
})

it.each(['stream', 'body'] as const)('what a model of Chat says aloud is told in its words (%s)', (form) => {
  const audio = { id: 'audio_1', data: 'UklGRg==', expires_at: 1, transcript: 'Hello there.' }
  const stream =
    delta({ role: 'assistant', audio: { id: 'audio_1' } }) +
    delta({ audio: { transcript: 'Hello ' } }) +
    delta({ audio: { transcript: 'there.' } }) +
    delta({ audio: { data: 'UklGRg==' } }) +
    finish
  const message = { role: 'assistant', content: null, audio }
  const body = JSON.stringify({ id: 'a', choices: [{ index: 0, message, finish_reason: 'stop' }] })
  const { bytes, dropped } = converted('chat', 'messages', form === 'stream' ? stream : body, form)
  expect(heardOf('messages', bytes, form === 'stream').text).toBe('Hello there.')
  expect(bytes).not.toContain('not shown')
  expect(dropped).toContain('audio')
})
