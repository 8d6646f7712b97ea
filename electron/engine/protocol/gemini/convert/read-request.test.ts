import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../values.ts'
import { geminiConversion } from './index.ts'
import { noSignature } from '../../canonical/thinking/phases.ts'

const read = (body: JsonObject, path = '/v1beta/models/gemini-2.5-flash:generateContent') =>
  geminiConversion.readRequest(body, { path })
const hello = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }

describe('a generateContent request is read', () => {
  it.each([
    ['/v1beta/models/gemini-2.5-flash:generateContent', 'gemini-2.5-flash', false],
    ['/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse', 'gemini-2.5-flash', true],
    ['/v1beta/models/glm%2Fglm-5:generateContent', 'glm/glm-5', false],
  ])('with model and streaming from %s', (path, model, stream) => {
    expect(read(hello, path)).toMatchObject({
      model,
      stream,
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
      unread: [],
    })
  })

  it('refuses a path without a model, and contents of no known shape', () => {
    expect(() => read(hello, '/v1beta/other')).toThrow('names no model')
    expect(() => read({ contents: 7 })).toThrow('«contents»')
  })

  it('in snake case as in camel case', () => {
    const result = read({
      system_instruction: { parts: [{ text: 'be short' }] },
      contents: [{ parts: [{ inline_data: { mime_type: 'image/png', data: 'AAAA' } }] }],
      generation_config: { max_output_tokens: 9, stop_sequences: ['x'], thinking_config: { thinking_budget: 5 } },
    })
    expect(result).toMatchObject({
      system: [{ text: 'be short' }],
      maxTokens: 9,
      stop: ['x'],
      reasoning: { budget: 5 },
      unread: [],
    })
    expect(result.messages).toEqual([
      {
        role: 'user',
        parts: [{ type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' }, detail: null }],
      },
    ])
  })

  it('with calls and results that have no ids: matched by name and order, the same ids every time', () => {
    const call = (city: string) => ({ functionCall: { name: 'weather', args: { city } } })
    const result = (output: string) => ({ functionResponse: { name: 'weather', response: { output } } })
    const contents = [
      { role: 'user', parts: [{ text: 'weather?' }] },
      { role: 'model', parts: [call('Rome'), call('Oslo'), { functionCall: { name: 'time', args: {} } }] },
      { role: 'function', parts: [{ functionResponse: { name: 'time', response: { now: 7 } } }, result('sun')] },
      { role: 'user', parts: [result('snow')] },
    ]
    const { messages } = read({ contents })
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        parts: [
          {
            type: 'tool-call',
            id: 'call_gemini_1',
            name: 'weather',
            arguments: '{"city":"Rome"}',
            custom: false,
            seal: null,
          },
          {
            type: 'tool-call',
            id: 'call_gemini_2',
            name: 'weather',
            arguments: '{"city":"Oslo"}',
            custom: false,
            seal: null,
          },
          { type: 'tool-call', id: 'call_gemini_3', name: 'time', arguments: '{}', custom: false, seal: null },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            type: 'tool-result',
            callId: 'call_gemini_3',
            name: 'time',
            parts: [{ type: 'text', text: '{"now":7}' }],
            isError: false,
            custom: false,
          },
          {
            type: 'tool-result',
            callId: 'call_gemini_1',
            name: 'weather',
            parts: [{ type: 'text', text: 'sun' }],
            isError: false,
            custom: false,
          },
          {
            type: 'tool-result',
            callId: 'call_gemini_2',
            name: 'weather',
            parts: [{ type: 'text', text: 'snow' }],
            isError: false,
            custom: false,
          },
        ],
      },
    ])
    expect(read({ contents: [...contents, { role: 'user', parts: [{ text: 'more' }] }] }).messages.slice(0, 3)).toEqual(
      messages,
    )
  })

  it('joins what an SDK kept of a stream, one content per chunk', () => {
    const chunk = (part: JsonObject) => ({ role: 'model', parts: [part] })
    const { messages } = read({
      contents: [
        { role: 'user', parts: [{ text: 'go' }] },
        chunk({ text: 'I think', thought: true }),
        chunk({ text: ' so', thought: true }),
        chunk({ text: '', thought: true, thoughtSignature: 'c2ln' }),
        chunk({ text: 'Hel' }),
        chunk({ text: 'lo' }),
        chunk({ text: '', thoughtSignature: 'dGV4dA==' }),
        chunk({ functionCall: { id: 'a', name: 'f', args: {} }, thoughtSignature: 'Y2FsbA==' }),
      ],
    })
    expect(messages[1]?.parts).toEqual([
      { type: 'thinking', text: 'I think so', seal: { of: 'gemini', data: 'c2ln' } },
      { type: 'text', text: 'Hello' },
      { type: 'thinking', text: '', seal: { of: 'gemini', data: 'dGV4dA==', id: 'text' } },
      {
        type: 'tool-call',
        id: 'a',
        name: 'f',
        arguments: '{}',
        custom: false,
        seal: { of: 'gemini', data: 'Y2FsbA==' },
      },
    ])
  })

  it('joins what a client kept of a stream, one part per chunk', () => {
    const { messages } = read({
      contents: [
        {
          role: 'model',
          parts: [
            { text: 'I think', thought: true },
            { text: ' so', thought: true },
            { text: 'Hel' },
            { text: '', thought: true },
            { text: 'lo' },
            { text: ' you', thoughtSignature: 'dGV4dA==' },
            { text: 'And ' },
            { text: 'more' },
            { functionCall: { id: 'a', name: 'f', args: {} } },
            { text: 'Be' },
            { text: 'hind' },
          ],
        },
        { role: 'user', parts: [{ text: 'two' }, { text: 'parts' }] },
      ],
    })
    expect(
      messages.map(({ parts }) => parts.map((part) => ('text' in part ? `${part.type}: ${part.text}` : part.type))),
    ).toEqual([
      ['thinking: I think so', 'text: Hello you', 'thinking: ', 'text: And more', 'tool-call', 'text: Behind'],
      ['text: two', 'text: parts'],
    ])
  })

  it.each([
    [{ output: 'fine' }, 'fine', false],
    [{ output: { a: 1 } }, '{"a":1}', false],
    [{ error: 'no such file' }, 'no such file', true],
    [{ output: 'half', error: 'then it broke' }, '{"output":"half","error":"then it broke"}', true],
    [{ result: 1 }, '{"result":1}', false],
  ])('a result %j', (response, text, isError) => {
    const { messages } = read({
      contents: [
        { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'f' } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'f', response } }] },
      ],
    })
    expect(messages[1]?.parts).toEqual([
      { type: 'tool-result', callId: 'c1', name: 'f', parts: [{ type: 'text', text }], isError, custom: false },
    ])
  })

  it("Google's schemas become JSON Schema, properties in the order asked for", () => {
    const parameters = {
      type: 'OBJECT',
      properties: {
        b: { type: 'STRING', nullable: true },
        a: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '2' },
      },
      propertyOrdering: ['a', 'b'],
      required: ['a'],
    }
    const [tool] = read({
      ...hello,
      tools: [{ functionDeclarations: [{ name: 'f', description: 'd', parameters }] }],
    }).tools
    expect(JSON.stringify(tool)).toBe(
      JSON.stringify({
        type: 'function',
        name: 'f',
        description: 'd',
        parameters: {
          type: 'object',
          properties: {
            a: { type: 'array', items: { type: 'integer' }, minItems: 2 },
            b: { type: ['string', 'null'] },
          },
          required: ['a'],
        },
        strict: null,
      }),
    )
  })

  it.each([
    [{ mode: 'AUTO' }, { type: 'auto' }, null],
    [{ mode: 'NONE' }, { type: 'none' }, null],
    [{ mode: 'ANY' }, { type: 'any' }, null],
    [{ mode: 'ANY', allowedFunctionNames: ['f'] }, { type: 'tool', name: 'f' }, null],
    [{ mode: 'ANY', allowedFunctionNames: ['f', 'g'] }, { type: 'allowed', mode: 'any', names: ['f', 'g'] }, null],
    [{ mode: 'VALIDATED' }, { type: 'auto' }, true],
    [{ mode: 'MODE_UNSPECIFIED' }, null, null],
  ])('functionCallingConfig %j', (functionCallingConfig, toolChoice, strict) => {
    const result = read({
      ...hello,
      tools: [{ functionDeclarations: [{ name: 'f' }] }],
      toolConfig: { functionCallingConfig },
    })
    expect(result.toolChoice).toEqual(toolChoice)
    expect(result.tools).toMatchObject([{ strict }])
  })

  it.each([
    [{ thinkingBudget: 0 }, { effort: 'none', budget: null, summary: null }],
    [
      { thinkingBudget: -1, includeThoughts: true },
      { effort: null, budget: null, summary: 'auto' },
    ],
    [
      { thinkingBudget: 900, includeThoughts: false },
      { effort: null, budget: 900, summary: 'none' },
    ],
    [{ thinkingLevel: 'LOW' }, { effort: 'low', budget: null, summary: null }],
  ])('thinkingConfig %j', (thinkingConfig, reasoning) => {
    expect(read({ ...hello, generationConfig: { thinkingConfig } }).reasoning).toEqual(reasoning)
  })

  it('says by name what it has no place for', () => {
    const result = read({
      contents: [
        { role: 'user', parts: [{ text: 'a', videoMetadata: { fps: 1 } }] },
        { role: 'model', parts: [{ executableCode: { code: '1' } }, { text: 'b' }] },
      ],
      safetySettings: [{ category: 'c', threshold: 't' }],
      cachedContent: 'cachedContents/1',
      toolConfig: { retrievalConfig: {} },
      tools: [{ googleSearch: {} }, { functionDeclarations: [{ name: 'f', behavior: 'BLOCKING' }] }],
      generationConfig: {
        candidateCount: 2,
        responseModalities: ['IMAGE'],
        mediaResolution: 'MEDIA_RESOLUTION_LOW',
        topP: null,
      },
    })
    expect([...result.unread].sort()).toEqual([
      'cachedContent',
      'contents[].parts[].executableCode',
      'contents[].parts[].videoMetadata',
      'generationConfig.candidateCount',
      'generationConfig.mediaResolution',
      'generationConfig.responseModalities',
      'safetySettings',
      'toolConfig.retrievalConfig',
      'tools[].functionDeclarations[].behavior',
    ])
    expect(result.tools[0]).toMatchObject({ type: 'native', of: 'gemini', raw: { googleSearch: {} } })
  })

  it('the value that stands for a signature is base64 as it is', () => {
    expect(Buffer.from(noSignature, 'base64url').toString('base64url')).toBe(noSignature)
  })
})
