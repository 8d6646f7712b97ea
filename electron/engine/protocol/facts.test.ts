import { describe, expect, it } from 'vitest'
import type { WireProtocol } from './canonical/request.ts'
import { codecOf } from './index.ts'
import { filtering, joining } from './join/testing/rounds.ts'
import { serverToolCodecOf } from './server-tools.ts'
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

const words: Partial<Record<WireProtocol, string>> = { chat: delta({ content: 'Hi.' }), gemini: parts({ text: 'Hi.' }) }
const ends: Partial<Record<WireProtocol, string>> = { chat: finish, gemini: stop }

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
  ['gemini', 'nothing', parts({ functionCall: {} })],
])('a call of %s that is %s', (protocol, _what, call) => {
  const stream = (words[protocol] ?? '') + call + (ends[protocol] ?? '')

  it('is none, to whoever reads it', () => {
    expect(watch(codecOf(protocol), stream)).toMatchObject({ finish: 'stop', toolNames: [], error: null })
    expect(serverToolCodecOf(protocol).hasContent(Buffer.from(call))).toBe(false)
    const { bytes } = converted(protocol, 'messages', stream, 'stream')
    expect(bytes).toContain('"stop_reason":"end_turn"')
    expect(bytes).not.toContain('tool_use')
    expect(bytes).not.toContain('"type":"error"')
  })

  it('goes by as it came', () => {
    expect(filtered(protocol, stream)).toBe(stream)
  })
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
