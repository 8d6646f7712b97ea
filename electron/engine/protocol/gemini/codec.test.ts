import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gemini, listOfEvents } from '../../../../e2e/support/mock-upstream/gemini.ts'
import type { AnswerPlan } from '../../../../e2e/support/mock-upstream/types.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { codecOf } from '../index.ts'
import { cut, cuts, watch } from '../testing/summaries.ts'

const codec = codecOf('gemini')
const context = { n: 1, model: 'gemini-3', request: {}, nowMs: 0 }
const plan: AnswerPlan = {
  kind: 'answer',
  thinking: 'Hm “so”.',
  text: 'Hello "you" \\ 世界 👋',
  toolCalls: [
    { name: 'look', input: { at: 'a"b' } },
    { name: 'read', input: {} },
    { name: 'look', input: {} },
  ],
  usage: { input: 50, cachedInput: 20, output: 7, reasoning: 3 },
  piece: 3,
}
const expected = {
  finish: 'tool-calls',
  complete: true,
  responseId: 'resp_mock1',
  model: 'gemini-3',
  text: 'Hello "you" \\ 世界 👋',
  toolNames: ['look', 'read'],
  usage: { input: 50, cachedInput: 20, output: 7, reasoning: 3 },
  error: null,
}
const json = 'application/json; charset=UTF-8'

describe('an answer of generateContent', () => {
  it('is read whole', () => {
    expect(watch(codec, JSON.stringify(gemini.json(plan, context)), { contentType: json })).toEqual(expected)
  })
  it('is read as events and as a list, under any chunk boundary', () => {
    const events = gemini.events(plan, context)
    const forms = [
      [events.join(''), 'text/event-stream'],
      [events.join('').replaceAll('\n', '\r\n'), 'text/event-stream'],
      [listOfEvents(events).join(''), json],
      [listOfEvents(events).join(''), ''],
    ] as const
    fc.assert(
      fc.property(fc.constantFrom(...forms), cuts, ([text, contentType], places) => {
        expect(watch(codec, text, { contentType, chunks: cut(Buffer.from(text), places) })).toEqual(expected)
      }),
      runs(100),
    )
  })
  it('has its counts also where they come behind its end', () => {
    const chunk = (parts: object[], more: object) => ({
      candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
      modelVersion: 'gemini-3',
      responseId: 'r',
    })
    const counts = { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 } }
    const chunks = [chunk([{ text: 'Hi' }], {}), chunk([], { finishReason: 'STOP' }), { ...counts, responseId: 'r' }]
    const events = chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
    for (const [text, contentType] of [
      [events, 'text/event-stream'],
      [JSON.stringify(chunks), json],
    ] as const)
      expect(watch(codec, text, { contentType })).toMatchObject({
        finish: 'stop',
        text: 'Hi',
        usage: { input: 5, cachedInput: 0, output: 2, reasoning: 0 },
      })
  })
  it('without its last words is broken off, in every form', () => {
    const events = gemini.events({ ...plan, toolCalls: [] }, context).slice(0, -1)
    for (const text of [events.join(''), listOfEvents(events).join(''), listOfEvents(events).join('').slice(0, -4)]) {
      for (const brokenOff of [true, false])
        expect(watch(codec, text, { contentType: '', brokenOff })).toMatchObject({
          finish: 'broken-off',
          complete: false,
          error: null,
        })
    }
  })

  const answer = (candidate: object, more: object = {}) =>
    JSON.stringify({ candidates: [{ content: { parts: [{ text: 'x' }] }, ...candidate }], ...more })
  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['BLOCKLIST', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['SPII', 'content-filter'],
    ['LANGUAGE', 'content-filter'],
    ['IMAGE_SAFETY', 'content-filter'],
    ['MALFORMED_FUNCTION_CALL', 'incomplete'],
    ['UNEXPECTED_TOOL_CALL', 'incomplete'],
    ['TOO_MANY_TOOL_CALLS', 'incomplete'],
    ['OTHER', 'incomplete'],
    ['FINISH_REASON_UNSPECIFIED', 'incomplete'],
    ['SOMETHING_NEW', 'incomplete'],
  ])('that ends with %s is %s', (finishReason, finish) => {
    expect(watch(codec, answer({ finishReason }), { contentType: json })).toMatchObject({ finish, complete: true })
    expect(watch(codec, `data: ${answer({ finishReason })}\n\n`)).toMatchObject({ finish, complete: true })
  })
  it('with a call is one, but not when it was cut at its length', () => {
    const content = { parts: [{ functionCall: { name: 'f', args: {} } }] }
    expect(watch(codec, answer({ content, finishReason: 'STOP' }), { contentType: json }).finish).toBe('tool-calls')
    expect(watch(codec, answer({ content, finishReason: 'MAX_TOKENS' }), { contentType: json }).finish).toBe('length')
  })
  it('that was blocked has no candidates', () => {
    const blocked = JSON.stringify({
      promptFeedback: { blockReason: 'SAFETY' },
      usageMetadata: { promptTokenCount: 4 },
    })
    expect(watch(codec, blocked, { contentType: json })).toMatchObject({
      finish: 'content-filter',
      complete: true,
      usage: { input: 4, output: 0 },
    })
    expect(watch(codec, `data: ${blocked}\n\n`)).toMatchObject({ finish: 'content-filter', complete: true })
  })
  it('of several candidates ends with the last of them', () => {
    const chunk = (index: number, finishReason?: string) =>
      'data: ' +
      JSON.stringify({
        candidates: [
          {
            index,
            content: { parts: [{ text: String(index) }] },
            ...(finishReason === undefined ? {} : { finishReason }),
          },
        ],
      }) +
      '\n\n'
    expect(watch(codec, chunk(0) + chunk(1) + chunk(0, 'STOP'))).toMatchObject({
      finish: 'broken-off',
      complete: false,
    })
    expect(watch(codec, chunk(0) + chunk(1) + chunk(0, 'STOP') + chunk(1, 'STOP'))).toMatchObject({
      finish: 'stop',
      complete: true,
      text: '00',
    })
  })
  it('counts what Google’s tools brought in as input', () => {
    expect(
      watch(
        codec,
        answer(
          { finishReason: 'STOP' },
          {
            usageMetadata: {
              promptTokenCount: 4,
              toolUsePromptTokenCount: 6,
              candidatesTokenCount: 1,
              thoughtsTokenCount: 2,
              cachedContentTokenCount: 3,
            },
          },
        ),
        { contentType: json },
      ).usage,
    ).toEqual({ input: 10, cachedInput: 3, output: 3, reasoning: 2 })
  })
  it('that turns into an error says which, by its name', () => {
    const error = JSON.stringify({ error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } })
    expect(watch(codec, `data: ${answer({})}\n\ndata: ${error}\n\n`)).toMatchObject({
      finish: 'error',
      complete: false,
      error: { code: 'UNAVAILABLE', message: 'Overloaded.' },
    })
    expect(watch(codec, `[${answer({})},\n${error}]`, { contentType: json })).toMatchObject({
      finish: 'error',
      error: { code: 'UNAVAILABLE' },
    })
    expect(watch(codec, `[${error}]`, { contentType: json, status: 503 })).toMatchObject({
      finish: 'error',
      error: { code: 'UNAVAILABLE' },
    })
  })
})
