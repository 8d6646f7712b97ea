import { describe, expect, it } from 'vitest'
import type { CanonicalRequest, Message, Seal } from '../../canonical/request.ts'
import { validateGeminiRequest } from '../../testing/validate-gemini.ts'
import { geminiConversion } from './index.ts'
import { noSignature } from '../../canonical/thinking/phases.ts'
import { request } from './testing/answers.ts'

function write(part: Partial<CanonicalRequest>, model = 'gemini-3-pro') {
  const written = geminiConversion.writeRequest(
    { ...request, messages: [user('go')], ...part },
    { model, maxOutput: null },
  )
  expect(validateGeminiRequest(written.body)).toEqual([])
  return written
}
const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })
const call = (id: string, seal: Seal | null = null) =>
  ({ type: 'tool-call', id, name: `tool_${id}`, arguments: '{"a":1}', custom: false, seal }) as const
const result = (callId: string, text = 'ok') =>
  ({ type: 'tool-result', callId, name: null, parts: [{ type: 'text', text }], isError: false, custom: false }) as const
const sealed: Seal = { of: 'gemini', data: 'Z2VtaW5p' }
const foreign: Seal = { of: 'messages', data: 'EqQB' }
const contents = (messages: readonly Message[], model?: string) => write({ messages }, model).body['contents']

describe('a request to Gemini', () => {
  it.each([
    [true, 'gemini-3-pro', '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse'],
    [false, 'models/gemini-2.5-flash', '/v1beta/models/gemini-2.5-flash:generateContent'],
  ])('streaming %s of %s goes to %s', (stream, model, path) => {
    expect(write({ stream }, model).path).toBe(path)
  })

  it("puts the results of parallel calls in one content behind them, with the calls' names", () => {
    expect(
      contents([
        user('go'),
        { role: 'assistant', parts: [call('a', sealed)] },
        { role: 'assistant', parts: [call('b')] },
        { role: 'user', parts: [result('a')] },
        { role: 'user', parts: [result('b', 'no')] },
        user('and?'),
      ]),
    ).toEqual([
      { role: 'user', parts: [{ text: 'go' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'a', name: 'tool_a', args: { a: 1 } }, thoughtSignature: 'Z2VtaW5p' },
          { functionCall: { id: 'b', name: 'tool_b', args: { a: 1 } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'tool_a', response: { output: 'ok' } } },
          { functionResponse: { id: 'b', name: 'tool_b', response: { output: 'no' } } },
          { text: 'and?' },
        ],
      },
    ])
  })

  it('signs the first call of every step that another model made, the same in every later request', () => {
    const round = (id: string, seal: Seal | null): Message[] => [
      { role: 'assistant', parts: [call(id, seal), call(`${id}2`)] },
      { role: 'user', parts: [result(id), result(`${id}2`)] },
    ]
    const signatures = (model: string) =>
      JSON.stringify(
        contents(
          [
            user('one'),
            ...round('a', null),
            user('two'),
            ...round('b', foreign),
            ...round('c', sealed),
            ...round('d', null),
          ],
          model,
        ),
      ).match(/"thoughtSignature":"[^"]*"/g)
    expect(signatures('gemini-3-pro')).toEqual(
      [noSignature, noSignature, 'Z2VtaW5p', noSignature].map((text) => `"thoughtSignature":"${text}"`),
    )
    expect(signatures('gemini-2.5-pro')).toEqual(['"thoughtSignature":"Z2VtaW5p"'])
  })

  it('gives every signature back on the part it came on', () => {
    const parts = [
      { type: 'thinking', text: 'hm', seal: sealed },
      { type: 'text', text: 'Hello' },
      { type: 'thinking', text: '', seal: { ...sealed, id: 'text' } },
      call('a', { of: 'gemini', data: 'Y2FsbA==' }),
    ] as const
    expect(contents([user('go'), { role: 'assistant', parts }])).toMatchObject([
      {},
      {
        parts: [
          { text: 'hm', thought: true, thoughtSignature: 'Z2VtaW5p' },
          { text: 'Hello', thoughtSignature: 'Z2VtaW5p' },
          { functionCall: { id: 'a' }, thoughtSignature: 'Y2FsbA==' },
        ],
      },
    ])
  })

  it("takes a signature that another protocol could only put before its call for the call's", () => {
    expect(
      contents([
        user('go'),
        {
          role: 'assistant',
          parts: [{ type: 'text', text: 'Hi' }, { type: 'thinking', text: '', seal: sealed }, call('a')],
        },
      ]),
    ).toMatchObject([{}, { parts: [{ text: 'Hi' }, { functionCall: { id: 'a' }, thoughtSignature: 'Z2VtaW5p' }] }])
  })

  it("says other vendors' thinking without their signature, and leaves out what only they can read", () => {
    const written = write({
      messages: [
        user('go'),
        {
          role: 'assistant',
          parts: [
            { type: 'thinking', text: 'hm', seal: foreign },
            { type: 'thinking', text: '', seal: { ...foreign, redacted: true } },
            { type: 'text', text: 'Hi' },
          ],
        },
      ],
    })
    expect(written.body['contents']).toMatchObject([{}, { parts: [{ text: 'hm', thought: true }, { text: 'Hi' }] }])
    expect(JSON.stringify(written.body)).not.toContain('EqQB')
    expect(written.dropped).toEqual(['thinking.signature', 'thinking'])
  })

  it('puts images of results inside them, or behind them for models before 3; errors as errors', () => {
    const image = {
      type: 'image',
      source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' },
      detail: null,
    } as const
    const messages: Message[] = [
      user('go'),
      { role: 'assistant', parts: [call('a', sealed)] },
      {
        role: 'user',
        parts: [{ ...result('a', 'seen'), isError: true, parts: [{ type: 'text', text: 'seen' }, image] }],
      },
    ]
    const blob = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
    const response = { id: 'a', name: 'tool_a', response: { error: 'seen' } }
    expect(contents(messages)).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: { ...response, parts: [blob] } }] },
    ])
    expect(contents(messages, 'gemini-2.5-flash')).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: response }, blob] },
    ])
  })

  it.each([
    ['gemini-2.5-flash', { effort: 'none', budget: null, summary: null }, { thinkingBudget: 0 }],
    ['gemini-2.5-pro', { effort: 'none', budget: null, summary: null }, { thinkingBudget: 128 }],
    [
      'gemini-2.5-flash',
      { effort: 'medium', budget: null, summary: 'auto' },
      { thinkingBudget: 8192, includeThoughts: true },
    ],
    [
      'gemini-2.5-flash',
      { effort: null, budget: 31_999, summary: 'none' },
      { thinkingBudget: 24_576, includeThoughts: false },
    ],
    ['gemini-2.5-flash', { effort: 'high', budget: 0, summary: null }, { thinkingBudget: 0 }],
    [
      'gemini-2.5-pro',
      { effort: 'max', budget: null, summary: null },
      { thinkingBudget: 32_768, includeThoughts: true },
    ],
    ['gemini-2.5-flash', { effort: null, budget: null, summary: null }, { thinkingBudget: -1, includeThoughts: true }],
    ['gemini-3-flash', { effort: 'none', budget: null, summary: null }, { thinkingLevel: 'MINIMAL' }],
    [
      'gemini-3-pro',
      { effort: 'medium', budget: null, summary: null },
      { thinkingLevel: 'HIGH', includeThoughts: true },
    ],
    [
      'gemini-3.1-pro',
      { effort: 'minimal', budget: null, summary: null },
      { thinkingLevel: 'LOW', includeThoughts: true },
    ],
    [
      'gemini-3-flash',
      { effort: null, budget: 5000, summary: null },
      { thinkingLevel: 'MEDIUM', includeThoughts: true },
    ],
    ['gemini-3-flash', { effort: null, budget: null, summary: null }, { includeThoughts: true }],
    ['gemini-2.0-flash', { effort: 'high', budget: null, summary: null }, undefined],
  ] as const)('%s thinks %j as %j', (model, reasoning, thinkingConfig) => {
    const { body } = write({ reasoning }, model)
    expect(body['generationConfig']).toEqual(thinkingConfig && { thinkingConfig })
  })

  it.each([
    [{ type: 'auto' }, null, { mode: 'AUTO' }],
    [{ type: 'auto' }, true, { mode: 'VALIDATED' }],
    [null, true, { mode: 'VALIDATED' }],
    [{ type: 'none' }, null, { mode: 'NONE' }],
    [{ type: 'any' }, true, { mode: 'ANY' }],
    [{ type: 'tool', name: 'f' }, null, { mode: 'ANY', allowedFunctionNames: ['f'] }],
    [{ type: 'allowed', mode: 'auto', names: ['f'] }, null, { mode: 'VALIDATED', allowedFunctionNames: ['f'] }],
    [{ type: 'allowed', mode: 'any', names: ['f'] }, null, { mode: 'ANY', allowedFunctionNames: ['f'] }],
  ] as const)('tool choice %j, strict %s, is %j', (toolChoice, strict, functionCallingConfig) => {
    const { body } = write({
      toolChoice,
      tools: [{ type: 'function', name: 'f', description: null, parameters: { type: 'object', $defs: {} }, strict }],
    })
    expect(body['toolConfig']).toEqual({ functionCallingConfig })
    expect(body['tools']).toEqual([
      { functionDeclarations: [{ name: 'f', parametersJsonSchema: { type: 'object', $defs: {} } }] },
    ])
  })

  it("records by name what it can't say, each once", () => {
    const cache = { type: 'ephemeral' }
    const { body, dropped } = write({
      system: [{ type: 'text', text: 's', cache }],
      parallelTools: false,
      verbosity: 'low',
      user: 'u',
      cacheKey: 'k',
      serviceTier: 'scale',
      store: true,
      metadata: { 'Not a label': 'x' },
      stop: ['1', '2', '3', '4', '5', '6'],
      toolChoice: { type: 'any' },
      tools: [{ type: 'native', of: 'responses', kind: 'web_search', raw: {} }],
      format: { type: 'schema', name: 'n', description: 'd', schema: { type: 'object' }, strict: true },
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'a', cache },
            { type: 'image', source: { kind: 'id', of: 'responses', id: 'file-1' }, detail: 'high' },
          ],
        },
        { role: 'system', parts: [{ type: 'text', text: 'now' }] },
      ],
    })
    expect([...dropped].sort()).toEqual([
      'cacheKey',
      'cache_control',
      'detail',
      'file_id',
      'format.description',
      'format.name',
      'messages[].role',
      'metadata',
      'parallelTools',
      'serviceTier',
      'stop',
      'store',
      'toolChoice',
      'tools[].web_search',
      'user',
      'verbosity',
    ])
    expect(body['contents']).toEqual([{ role: 'user', parts: [{ text: 'a' }, { text: 'now' }] }])
  })

  it('asks for no more than the model can', () => {
    const written = geminiConversion.writeRequest(
      { ...request, maxTokens: 100_000 },
      { model: 'gemini-2.5-flash', maxOutput: 65_536 },
    )
    expect(written).toMatchObject({ body: { generationConfig: { maxOutputTokens: 65_536 } }, dropped: ['maxTokens'] })
  })

  it('keeps arguments that are no object as a text', () => {
    const { body, dropped } = write({
      messages: [user('go'), { role: 'assistant', parts: [{ ...call('a', sealed), arguments: '{"a":' }] }],
    })
    expect(body['contents']).toMatchObject([{}, { parts: [{ functionCall: { args: { arguments: '{"a":' } } }] }])
    expect(dropped).toEqual(['messages[].arguments'])
  })
})
