import { describe, expect, it } from 'vitest'
import type { CanonicalRequest } from '../../canonical/request.ts'
import { validateResponsesRequest } from '../../testing/validate-responses.ts'
import type { JsonObject } from '../../values.ts'
import { responsesConversion } from './index.ts'
import { plainRequest } from '../../testing/plain-request.ts'

function write(request: Partial<CanonicalRequest>, model = 'some-model', maxOutput: number | null = null) {
  const written = responsesConversion.writeRequest({ ...plainRequest, ...request }, { model, maxOutput })
  expect(validateResponsesRequest(written.body)).toEqual([])
  return written
}
const call = { type: 'tool-call' as const, id: 'c1', name: 'f', arguments: '', custom: false, seal: null }

describe('a request read and written again', () => {
  const rich: JsonObject = {
    model: 'gpt-4.1',
    stream: true,
    store: false,
    instructions: 'Be brief.',
    parallel_tool_calls: false,
    max_output_tokens: 900,
    temperature: 0.5,
    top_p: 0.9,
    top_logprobs: 2,
    include: ['message.output_text.logprobs'],
    user: 'u',
    metadata: { k: 'v' },
    prompt_cache_key: 'key',
    service_tier: 'flex',
    text: {
      format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, description: 'd', strict: true },
      verbosity: 'low',
    },
    tool_choice: { type: 'custom', name: 'patch' },
    tools: [
      { type: 'function', name: 'f', description: 'd', parameters: { type: 'object', properties: {} }, strict: true },
      { type: 'custom', name: 'patch', description: 'd', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
      {
        type: 'namespace',
        name: 'ns',
        description: 'group',
        tools: [
          { type: 'function', name: 'g', parameters: { type: 'object' }, strict: false },
          { type: 'custom', name: 'h' },
        ],
      },
      { type: 'web_search', search_context_size: 'low' },
    ],
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'look' },
          { type: 'input_image', detail: 'high', image_url: 'data:image/png;base64,AA==' },
          { type: 'input_image', detail: 'auto', file_id: 'file-1' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
          { type: 'input_file', file_url: 'https://x/y.pdf' },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'enc' },
      { type: 'message', role: 'assistant', content: 'I call.' },
      { type: 'function_call', call_id: 'c1', name: 'g', namespace: 'ns', arguments: '{"a":1}' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: '*** x' },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', detail: 'auto', image_url: 'https://x/y.png' },
        ],
      },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'ok' },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'now' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go on' }] },
    ],
  }

  it('keeps every documented member', () => {
    const canonical = responsesConversion.readRequest(rich, { path: '' })
    expect(canonical.unread).toEqual([])
    expect(write(canonical, 'gpt-4.1')).toEqual({ path: '/v1/responses', body: rich, dropped: [] })
  })

  it('keeps the reasoning of a model that reasons', () => {
    const body = {
      model: 'gpt-5',
      stream: false,
      store: true,
      input: [],
      reasoning: { effort: 'high', summary: 'detailed' },
      include: ['reasoning.encrypted_content'],
    }
    expect(write(responsesConversion.readRequest(body, { path: '' }), 'gpt-5').body).toEqual(body)
  })

  it('keeps cache marks for models that know them', () => {
    const input = [
      {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } }],
      },
    ]
    const canonical = responsesConversion.readRequest({ model: 'm', input }, { path: '' })
    expect(write(canonical, 'gpt-5.6').body['input']).toEqual(input)
    expect(write(canonical, 'other')).toMatchObject({
      body: { input: [{ content: [{ type: 'input_text', text: 'x' }] }] },
      dropped: ['cache_control'],
    })
  })
})

describe('what other protocols say', () => {
  it('joins system texts, keeps results in their place and closes a failed one with words', () => {
    const { body, dropped } = write({
      system: [
        { type: 'text', text: 'a', cache: { type: 'ephemeral' } },
        { type: 'text', text: 'b' },
      ],
      messages: [
        { role: 'assistant', parts: [call] },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'before' },
            { type: 'tool-result', callId: 'c1', name: 'f', parts: [], isError: true, custom: false },
            { type: 'text', text: 'after' },
          ],
        },
      ],
    })
    expect(body).toMatchObject({
      instructions: 'a\n\nb',
      store: false,
      input: [
        { type: 'function_call', arguments: '{}' },
        { role: 'user', content: [{ text: 'before' }] },
        { type: 'function_call_output', output: 'The tool failed without saying why.' },
        { role: 'user', content: [{ text: 'after' }] },
      ],
    })
    expect(dropped).toEqual(['cache_control', 'isError'])
  })

  it('shortens ids that are too long, call and result alike', () => {
    const id = 'x'.repeat(80)
    const { body } = write({
      messages: [
        { role: 'assistant', parts: [{ ...call, id }] },
        {
          role: 'user',
          parts: [{ type: 'tool-result', callId: id, name: null, parts: [], isError: false, custom: false }],
        },
      ],
    })
    expect(JSON.stringify(body)).not.toContain(id)
  })

  it('gives back thinking only as this protocol sealed it', () => {
    const { body, dropped } = write({
      messages: [
        {
          role: 'assistant',
          parts: [
            { type: 'thinking', text: 'foreign', seal: { of: 'messages', data: 's' } },
            { type: 'thinking', text: 'bare', seal: null },
            {
              type: 'thinking',
              text: 'changed by the client',
              seal: { of: 'responses', data: 'e', id: 'rs_2', text: 'as it was' },
            },
          ],
        },
      ],
    })
    expect(body['input']).toEqual([
      { type: 'reasoning', id: 'rs_2', summary: [{ type: 'summary_text', text: 'as it was' }], encrypted_content: 'e' },
    ])
    expect(body['include']).toEqual(['reasoning.encrypted_content'])
    expect(dropped).toEqual(['thinking'])
  })

  it('names everything it has no word for, once', () => {
    const { dropped } = write({
      topK: 1,
      frequencyPenalty: 1,
      presencePenalty: 1,
      seed: 1,
      stop: ['x'],
      verbosity: 'odd',
      serviceTier: 'odd',
      user: 'u'.repeat(65),
      cacheKey: 'k'.repeat(65),
      metadata: { k: 'v'.repeat(600) },
      maxTokens: 1,
      reasoning: { effort: null, budget: 5000, summary: 'none' },
      toolChoice: { type: 'any' },
      tools: [{ type: 'native', of: 'messages', kind: 'web_search_20250305', raw: {} }],
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'audio', mediaType: 'audio/wav', base64: 'AA' },
            { type: 'image', source: { kind: 'id', of: 'messages', id: 'f' }, detail: null },
            { type: 'file', source: { kind: 'id', of: 'gemini', id: 'f' }, name: null },
            { type: 'file', source: { kind: 'text', text: 't', mediaType: 'text/plain' }, name: 'n' },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'image', source: { kind: 'url', url: 'https://x/y', mediaType: null }, detail: null },
            { ...call, seal: { of: 'gemini', data: 's' } },
          ],
        },
      ],
    })
    expect([...dropped].sort()).toEqual([
      'audio',
      'cacheKey',
      'file.file_id',
      'file.name',
      'frequencyPenalty',
      'image.file_id',
      'maxTokens',
      'messages[].image',
      'metadata',
      'presencePenalty',
      'reasoning.budget',
      'seal',
      'seed',
      'serviceTier',
      'stop',
      'toolChoice',
      'tools[].web_search_20250305',
      'topK',
      'user',
      'verbosity',
    ])
  })

  it.each([
    [0, 'none'],
    [4096, 'low'],
    [16_384, 'medium'],
    [16_385, 'high'],
  ])('says a budget of %i tokens as %s', (budget, effort) => {
    expect(write({ reasoning: { effort: null, budget, summary: null } }).body['reasoning']).toEqual({ effort })
  })

  it.each([
    [1, null, 16],
    [500, null, 500],
    [500, 100, 100],
    [null, 100, undefined],
  ])('says a limit of %s on a model of %s as %s', (maxTokens, most, said) => {
    expect(write({ maxTokens }, 'm', most).body['max_output_tokens']).toBe(said)
  })

  it.each([
    ['gpt-4o', false, ['reasoning'], 0.5],
    ['gpt-5', true, ['temperature'], undefined],
    ['gpt-5-chat-latest', false, ['reasoning'], 0.5],
    ['qwen-max', true, [], 0.5],
  ])('asks %s for reasoning only where it reasons', (model, asked, lost, temperature) => {
    const { body, dropped } = write(
      { reasoning: { effort: 'low', budget: null, summary: null }, temperature: 0.5 },
      model,
    )
    expect([body['include'] !== undefined, body['reasoning'] !== undefined, dropped, body['temperature']]).toEqual([
      asked,
      asked,
      lost,
      temperature,
    ])
  })

  it('says no strictness as none, and puts tools of a namespace together', () => {
    const tool = { type: 'function' as const, description: null, parameters: null, strict: null }
    expect(
      write({
        tools: [
          { ...tool, name: 'a', namespace: 'n' },
          { ...tool, name: 'b' },
          { ...tool, name: 'c', namespace: 'n' },
        ],
      }).body['tools'],
    ).toMatchObject([
      { type: 'namespace', name: 'n', tools: [{ name: 'a', strict: false }, { name: 'c' }] },
      { type: 'function', name: 'b', strict: false },
    ])
  })
})
