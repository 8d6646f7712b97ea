import { describe, expect, it } from 'vitest'
import { geminiConversion } from './index.ts'
import { readChunks, readSse, readWhole } from './testing/answers.ts'

const chunk = (parts: unknown[], more: object = {}, rest: object = {}) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
  modelVersion: 'gemini-3-pro',
  responseId: 'r1',
  ...rest,
})
const stop = { finishReason: 'STOP' }
const usageMetadata = {
  promptTokenCount: 10,
  cachedContentTokenCount: 4,
  toolUsePromptTokenCount: 2,
  candidatesTokenCount: 5,
  thoughtsTokenCount: 7,
  totalTokenCount: 24,
}
const usage = { input: 12, cachedInput: 4, cacheWrite: 0, output: 12, reasoning: 7 }

describe('an answer of Gemini is read', () => {
  it('as a stream: thoughts, text, calls, signatures, counts', () => {
    const { events, names } = readChunks(
      chunk([{ text: 'Let me', thought: true }], {}, { usageMetadata: { promptTokenCount: 10, totalTokenCount: 10 } }),
      chunk([{ text: ' think', thought: true }]),
      chunk([{ text: 'Hel' }]),
      chunk([{ text: 'lo' }]),
      chunk([{ text: '', thoughtSignature: 'dGV4dA==' }]),
      chunk([
        { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
        { functionCall: { id: 'own', name: 'g' } },
      ]),
      chunk([{ text: '' }], stop, { usageMetadata }),
    )
    expect(events).toEqual([
      {
        type: 'start',
        model: 'gemini-3-pro',
        usage: { input: 10, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 },
      },
      { type: 'begin', block: 0, part: { kind: 'thinking' } },
      { type: 'delta', block: 0, text: 'Let me' },
      { type: 'delta', block: 0, text: ' think' },
      { type: 'end', block: 0 },
      { type: 'begin', block: 1, part: { kind: 'text' } },
      { type: 'delta', block: 1, text: 'Hel' },
      { type: 'delta', block: 1, text: 'lo' },
      { type: 'end', block: 1 },
      { type: 'begin', block: 2, part: { kind: 'thinking' } },
      { type: 'seal', block: 2, seal: { of: 'gemini', data: 'dGV4dA==', id: 'text' } },
      { type: 'end', block: 2 },
      { type: 'begin', block: 3, part: { kind: 'tool-call', id: 'call_1', name: 'f', custom: false } },
      { type: 'seal', block: 3, seal: { of: 'gemini', data: 'Y2FsbA==' } },
      { type: 'delta', block: 3, text: '{"a":1}' },
      { type: 'end', block: 3 },
      { type: 'begin', block: 4, part: { kind: 'tool-call', id: 'own', name: 'g', custom: false } },
      { type: 'delta', block: 4, text: '{}' },
      { type: 'end', block: 4 },
      { type: 'finish', reason: 'tool-calls', stopSequence: null, usage },
    ])
    expect(names).toEqual([])
  })

  it('as one body', () => {
    const { events } = readWhole(
      chunk([{ text: 'Hello', thought: false }], { finishReason: 'MAX_TOKENS' }, { usageMetadata }),
    )
    expect(events.map(({ type }) => type)).toEqual(['start', 'begin', 'delta', 'end', 'finish'])
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'length', stopSequence: null, usage })
  })

  it('says each text at once, before the stream goes on', () => {
    const { events } = readSse(`data: ${JSON.stringify(chunk([{ text: 'a' }]))}\r\n\r\ndata: {"candi`)
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual(['start', 'begin', 'delta'])
  })

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['SPII', 'content-filter'],
    ['BLOCKLIST', 'content-filter'],
    ['LANGUAGE', 'content-filter'],
  ])('%s ends it as %s', (finishReason, reason) => {
    expect(readChunks(chunk([{ text: 'x' }], { finishReason })).events.at(-1)).toMatchObject({ type: 'finish', reason })
  })

  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'OTHER', 'SOMETHING_NEW'])(
    '%s is neither a stop nor a failure',
    (finishReason) => {
      const { events, names } = readChunks(chunk([{ text: 'x' }]), chunk([], { finishReason, finishMessage: 'why' }))
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'incomplete' })
      expect(names).toContain('candidates[].finishMessage')
    },
  )

  it('a blocked prompt ends by its filter', () => {
    const { events } = readChunks({
      promptFeedback: { blockReason: 'SAFETY' },
      usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 },
    })
    expect(events.map(({ type }) => type)).toEqual(['start', 'finish'])
    expect(events.at(-1)).toMatchObject({ reason: 'content-filter', usage: { input: 3 } })
  })

  it('goes on behind a finish reason, which old versions put into every chunk', () => {
    const { events } = readChunks(chunk([{ text: 'a' }], stop), chunk([{ text: 'b' }], stop, { usageMetadata }), {
      usageMetadata: { ...usageMetadata, promptTokenCount: 11 },
    })
    expect(events.filter(({ type }) => type === 'delta').length).toBe(2)
    expect(events.at(-1)).toMatchObject({ type: 'finish', usage: { input: 13 } })
  })

  it('that breaks off is an error, also with a call half streamed', () => {
    expect(readChunks(chunk([{ text: 'a' }])).events.at(-1)).toMatchObject({
      type: 'error',
      code: 'upstream-broke-off',
    })
    expect(readSse('').events).toMatchObject([{ type: 'error', code: 'upstream-broke-off' }])
    expect(readChunks(chunk([{ functionCall: { name: 'f', willContinue: true } }], stop)).events.at(-1)).toMatchObject({
      type: 'error',
      code: 'upstream-broke-off',
    })
  })

  it('an error in the stream is its end', () => {
    const { events } = readChunks(
      chunk([{ text: 'a' }]),
      { error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } },
      chunk([{ text: 'b' }], stop),
    )
    expect(events.at(-1)).toEqual({ type: 'error', code: 'UNAVAILABLE', message: 'Overloaded.' })
  })

  it('what is no JSON is an error; [DONE] is nothing', () => {
    expect(readSse('data: {"candidates\n\n').events).toMatchObject([{ type: 'error', code: 'bad-answer' }])
    expect(
      readSse(`data: ${JSON.stringify(chunk([{ text: 'a' }], stop))}\n\ndata: [DONE]\n\n`).events.at(-1),
    ).toMatchObject({ type: 'finish' })
  })

  it('puts streamed arguments together (Vertex AI)', () => {
    const part = (functionCall: object) => chunk([{ functionCall }])
    const { events } = readChunks(
      part({ id: 'p', name: 'f', willContinue: true }),
      part({ partialArgs: [{ jsonPath: '$.city', stringValue: 'Bos', willContinue: true }], willContinue: true }),
      part({
        partialArgs: [
          { jsonPath: '$.city', stringValue: 'ton' },
          { jsonPath: '$.days[0].n', numberValue: 3 },
          { jsonPath: "$['is on']", boolValue: true },
          { jsonPath: '$.none', nullValue: 'NULL_VALUE' },
        ],
        willContinue: true,
      }),
      part({}),
      chunk([{ text: '' }], stop),
    )
    expect(events.find(({ type }) => type === 'delta')).toMatchObject({
      text: '{"city":"Boston","days":[{"n":3}],"is on":true,"none":null}',
    })
    expect(events.at(-1)).toMatchObject({ reason: 'tool-calls' })
  })

  it('names what has no place', () => {
    const { names } = readChunks(
      chunk([{ executableCode: { code: '1' } }, { inlineData: { mimeType: 'image/png', data: 'AA' } }], {
        ...stop,
        safetyRatings: [],
      }),
    )
    expect(names).toEqual(['candidates[].content.parts[].executableCode', 'candidates[].content.parts[].inlineData'])
    expect(
      readChunks({
        candidates: [
          { index: 1, content: { parts: [{ text: 'second' }] } },
          { index: 0, ...stop },
        ],
      }).names,
    ).toEqual(['candidates[1]'])
  })

  it('tells of its searches once, with the pages they found', () => {
    const web = { uri: 'https://e.test/rain', title: 'Rain' }
    const { events } = readChunks(
      chunk([{ text: 'It rains.' }], { groundingMetadata: { webSearchQueries: ['rain'] } }),
      chunk([], { ...stop, groundingMetadata: { webSearchQueries: ['rain'], groundingChunks: [{ web }] } }),
    )
    const found = [{ url: 'https://e.test/rain', title: 'Rain', age: null }]
    const searches = events.flatMap((event) =>
      event.type === 'begin' && event.part.kind === 'search' ? event.part : [],
    )
    expect(searches).toEqual([{ kind: 'search', queries: ['rain'], found, failed: null }])
  })

  it('an error body', () => {
    expect(
      geminiConversion.readError({ error: { code: 429, message: 'Quota.', status: 'RESOURCE_EXHAUSTED' } }),
    ).toEqual({ code: 'RESOURCE_EXHAUSTED', message: 'Quota.' })
    expect(geminiConversion.readError({})).toEqual({ code: null, message: null })
  })
})
