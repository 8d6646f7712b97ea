import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../../canonical/answer.ts'
import { validateGeminiBody, validateGeminiStream } from '../../testing/validate-gemini.ts'
import { sealOf } from './seals.ts'
import { fold, readSse, readWhole, writeSse, writeWhole, writing } from './testing/answers.ts'

const usage = { input: 12, cachedInput: 4, cacheWrite: 0, output: 12, reasoning: 7 }
const foreign = { of: 'messages', data: 'EqQB' } as const
const events: readonly AnswerEvent[] = [
  { type: 'start', model: 'other-model', usage: null },
  { type: 'begin', block: 0, part: { kind: 'thinking' } },
  { type: 'delta', block: 0, text: 'Let me\n' },
  { type: 'delta', block: 0, text: '"think"' },
  { type: 'seal', block: 0, seal: foreign },
  { type: 'end', block: 0 },
  { type: 'begin', block: 1, part: { kind: 'text' } },
  { type: 'delta', block: 1, text: '' },
  { type: 'delta', block: 1, text: 'Hello' },
  { type: 'end', block: 1 },
  { type: 'begin', block: 2, part: { kind: 'tool-call', id: 'toolu_1', name: 'f', custom: false } },
  { type: 'delta', block: 2, text: '{"a"' },
  { type: 'delta', block: 2, text: ':1}' },
  { type: 'end', block: 2 },
  { type: 'finish', reason: 'tool-calls', stopSequence: null, usage },
]
const usageMetadata = {
  promptTokenCount: 12,
  cachedContentTokenCount: 4,
  candidatesTokenCount: 5,
  thoughtsTokenCount: 7,
  totalTokenCount: 24,
}
const wrapped = (text: string) => /"thoughtSignature":"([^"]*)"/.exec(text)?.[1] ?? ''

describe('an answer to a Gemini client', () => {
  it('as a stream: a chunk for each piece, the reason and the counts in the last', () => {
    const text = writeSse(events)
    expect(validateGeminiStream(text)).toEqual([])
    const chunks = text
      .trimEnd()
      .split('\n\n')
      .map((event) => JSON.parse(event.slice('data: '.length)))
    const signature = wrapped(text)
    expect(sealOf(signature)).toEqual(foreign)
    expect(chunks.map((chunk) => chunk.candidates[0].content.parts[0])).toEqual([
      { text: 'Let me\n', thought: true },
      { text: '"think"', thought: true },
      { text: '', thought: true, thoughtSignature: signature },
      { text: 'Hello' },
      { functionCall: { id: 'toolu_1', name: 'f', args: { a: 1 } } },
      { text: '' },
    ])
    expect(chunks.at(-1)).toEqual({
      candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata,
      modelVersion: 'other-model',
      responseId: 'resp_new',
    })
  })

  it('as one body, signatures on the parts they are for', () => {
    const body = writeWhole(events)
    expect(validateGeminiBody(body)).toEqual([])
    expect(body).toEqual({
      candidates: [
        {
          finishReason: 'STOP',
          index: 0,
          content: {
            role: 'model',
            parts: [
              { text: 'Let me\n"think"', thought: true, thoughtSignature: wrapped(JSON.stringify(body)) },
              { text: 'Hello' },
              { functionCall: { id: 'toolu_1', name: 'f', args: { a: 1 } } },
            ],
          },
        },
      ],
      usageMetadata,
      modelVersion: 'other-model',
      responseId: 'resp_new',
    })
  })

  it('says what a Gemini provider said, signatures unchanged', () => {
    const parts = [
      { text: 'hm', thought: true, thoughtSignature: 'dGhvdWdodA==' },
      { text: 'Hello', thoughtSignature: 'dGV4dA==' },
      { functionCall: { id: 'a', name: 'f', args: { b: [1] } }, thoughtSignature: 'Y2FsbA==' },
    ]
    const answer = {
      candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata,
      modelVersion: 'gemini-3-pro',
      responseId: 'r',
    }
    const read = readWhole(answer).events
    expect(writeWhole(read)).toEqual({ ...answer, responseId: 'resp_new' })
    expect(fold(readSse(writeSse(read)).events)).toEqual(fold(read))
  })

  it('names model and answer itself where the provider does not', () => {
    expect(
      writeWhole([
        { type: 'start', model: null, usage },
        { type: 'finish', reason: 'stop', stopSequence: null, usage: null },
      ]),
    ).toEqual({
      candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata,
      modelVersion: 'asked-model',
      responseId: 'resp_new',
    })
  })

  it.each([
    ['stop', 'STOP'],
    ['stop-sequence', 'STOP'],
    ['tool-calls', 'STOP'],
    ['pause-turn', 'OTHER'],
    ['incomplete', 'OTHER'],
    ['length', 'MAX_TOKENS'],
    ['content-filter', 'SAFETY'],
    ['refusal', 'SAFETY'],
  ] as const)('%s is %s', (reason, finishReason) => {
    expect(
      writeWhole([
        { type: 'start', model: 'm', usage: null },
        { type: 'finish', reason, stopSequence: null, usage },
      ]),
    ).toMatchObject({ candidates: [{ finishReason }] })
  })

  it('breaks off with an error that SDKs throw, and says nothing behind it', () => {
    const broken: AnswerEvent[] = [
      ...events.slice(0, 5),
      { type: 'error', code: 'upstream-broke-off', message: 'Gone.' },
      ...events.slice(5),
    ]
    const text = writeSse(broken)
    expect(validateGeminiStream(text)).toEqual([])
    expect(JSON.parse(text.trimEnd().split('\n\n').at(-1)?.slice('data: '.length) ?? '')).toMatchObject({
      error: { code: 503, message: 'Gone.', status: 'UNAVAILABLE', details: [{ reason: 'upstream-broke-off' }, {}] },
    })
  })

  it.each([
    ['tool-calls', 'MALFORMED_FUNCTION_CALL'],
    ['length', 'MAX_TOKENS'],
  ] as const)('a call cut off is left out: %s is %s', (reason, finishReason) => {
    const context = writing()
    const text = writeSse(
      [
        { type: 'start', model: 'm', usage: null },
        { type: 'begin', block: 0, part: { kind: 'tool-call', id: 'c', name: 'f', custom: false } },
        { type: 'delta', block: 0, text: '{"a":' },
        { type: 'end', block: 0 },
        { type: 'finish', reason, stopSequence: 'END', usage: { ...usage, cacheWrite: 2 } },
      ],
      context,
    )
    expect(validateGeminiStream(text)).toEqual([])
    expect(text).toContain(`"finishReason":"${finishReason}"`)
    expect(text).not.toContain('functionCall')
    expect(context.names).toEqual(['functionCall.args', 'stopSequence', 'usage.cacheWrite'])
  })
})

describe('arguments that a model wrote over several lines', () => {
  it.each([
    ['{\n  "a": 1,\r\n  "b": "x\\ny"\n}', { a: 1, b: 'x\ny' }],
    ['null\n', {}],
    [' \n', {}],
  ])('%j are one line of the stream', (json, args) => {
    const stream = writeSse([
      { type: 'start', model: 'm', usage: null },
      { type: 'begin', block: 0, part: { kind: 'tool-call', id: 'c', name: 'f', custom: false } },
      { type: 'delta', block: 0, text: json },
      { type: 'end', block: 0 },
      { type: 'finish', reason: 'tool-calls', stopSequence: null, usage },
    ]).toString()
    const lines = stream.split('\n').filter((line) => line !== '')
    const chunks = lines.map((line) => JSON.parse(line.replace(/^data: /, '')) as { candidates: unknown[] })
    expect(JSON.stringify(chunks)).toContain(JSON.stringify({ id: 'c', name: 'f', args }))
  })
})
