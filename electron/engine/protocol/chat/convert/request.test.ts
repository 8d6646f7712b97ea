import { describe, expect, it } from 'vitest'
import { OnwardError } from '../../../base/errors.ts'
import { validateChatRequest } from '../../testing/validate-chat.ts'
import type { JsonObject } from '../../values.ts'
import { chatConversion } from './index.ts'
import { asked, read, written } from './testing/exchange.ts'

const png = 'data:image/png;base64,iVBORw0KGgo='
/** Every documented member that the canonical turn has a place for. */
const rich: JsonObject = {
  model: 'gpt-5.6',
  messages: [
    {
      role: 'system',
      content: [
        { type: 'text', text: 'You mend engines.' },
        { type: 'text', text: 'Be brief.', prompt_cache_breakpoint: { mode: 'explicit' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: png, detail: 'high' } },
        { type: 'image_url', image_url: { url: 'https://pictures.example/valve.jpg' } },
        { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        { type: 'input_audio', input_audio: { data: 'SUQz', format: 'mp3' } },
        { type: 'file', file: { filename: 'manual.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
        { type: 'file', file: { file_id: 'file-7' } },
      ],
    },
    {
      role: 'assistant',
      content: 'I look it up.',
      reasoning_content: 'A valve, most likely.',
      tool_calls: [
        { id: 'call_a', type: 'function', function: { name: 'lookup', arguments: '{"part":"valve"}' } },
        { id: 'call_b', type: 'custom', custom: { name: 'shell', input: 'ls -l' } },
        {
          id: 'call_c',
          type: 'function',
          function: { name: 'lookup', arguments: '{}' },
          extra_content: { google: { thought_signature: 'c2ln' } },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'call_a', content: 'An inlet valve.' },
    {
      role: 'tool',
      tool_call_id: 'call_b',
      content: [
        { type: 'text', text: 'total 0' },
        { type: 'text', text: 'done' },
      ],
    },
    { role: 'tool', tool_call_id: 'call_c', content: 'nothing' },
    { role: 'user', content: 'Go on.' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'One.' },
        { type: 'text', text: 'Two.' },
      ],
      refusal: 'Not three.',
    },
    { role: 'system', content: 'Metric units from now on.' },
    {
      role: 'assistant',
      content: 'Yes.',
      reasoning_details: [
        { type: 'reasoning.text', text: 'Think of ', signature: 's1', format: 'anthropic-claude-v1', index: 0 },
        { type: 'reasoning.summary', summary: 'units', index: 1 },
        { type: 'reasoning.encrypted', data: 'x+/=', index: 2 },
      ],
    },
    { role: 'user', content: 'And now?' },
  ],
  stream: true,
  stream_options: { include_usage: true },
  tools: [
    {
      type: 'function',
      function: {
        name: 'lookup',
        description: 'Finds a part',
        parameters: { type: 'object', properties: { part: { type: 'string' } } },
        strict: true,
      },
    },
    { type: 'function', function: { name: 'noop' } },
    {
      type: 'custom',
      custom: {
        name: 'shell',
        description: 'Runs it',
        format: { type: 'grammar', grammar: { syntax: 'regex', definition: '.+' } },
      },
    },
    { type: 'custom', custom: { name: 'free', format: { type: 'text' } } },
  ],
  tool_choice: {
    type: 'allowed_tools',
    allowed_tools: {
      mode: 'required',
      tools: [
        { type: 'function', function: { name: 'lookup' } },
        { type: 'custom', custom: { name: 'shell' } },
      ],
    },
  },
  parallel_tool_calls: false,
  web_search_options: {
    search_context_size: 'low',
    user_location: { type: 'approximate', approximate: { city: 'Bern' } },
  },
  max_completion_tokens: 900,
  temperature: 0.5,
  top_p: 0.9,
  frequency_penalty: 0.1,
  presence_penalty: -0.1,
  seed: 7,
  logprobs: true,
  top_logprobs: 3,
  stop: ['END', 'STOP'],
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'part', description: 'A part', schema: { type: 'object' }, strict: true },
  },
  verbosity: 'low',
  reasoning_effort: 'high',
  user: 'u-1',
  metadata: { team: 'blue' },
  prompt_cache_key: 'k',
  service_tier: 'flex',
  store: true,
}

describe('a rich request, read and written again', () => {
  it('keeps every documented member', () => {
    const request = read(rich)
    const { body, dropped, path } = written(request)
    const { temperature, top_p, frequency_penalty, presence_penalty, logprobs, top_logprobs, stop, ...others } = rich
    // A reasoning model refuses these.
    const sampling = { temperature, top_p, frequency_penalty, presence_penalty, logprobs, stop }
    expect(body).toEqual(others)
    expect(dropped).toEqual(Object.keys(sampling))
    const asked = { ...request, reasoning: null }
    expect(written(asked, 'gpt-4.1').body).toMatchObject({ ...sampling, top_logprobs })
    expect(request.unread).toEqual([])
    expect(path).toBe('/v1/chat/completions')
    expect(validateChatRequest(body)).toEqual([])
  })
})

describe('readRequest', () => {
  it('takes tool results and what the user says next for one message', () => {
    const { system, messages } = read(rich)
    expect(system.map(({ text }) => text)).toEqual(['You mend engines.', 'Be brief.'])
    expect(system[1]?.cache).toEqual({ type: 'ephemeral' })
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'system',
      'assistant',
      'user',
    ])
    expect(messages[2]?.parts).toEqual([
      {
        type: 'tool-result',
        callId: 'call_a',
        name: 'lookup',
        parts: [{ type: 'text', text: 'An inlet valve.' }],
        isError: false,
        custom: false,
      },
      {
        type: 'tool-result',
        callId: 'call_b',
        name: 'shell',
        parts: [
          { type: 'text', text: 'total 0' },
          { type: 'text', text: 'done' },
        ],
        isError: false,
        custom: true,
      },
      {
        type: 'tool-result',
        callId: 'call_c',
        name: 'lookup',
        parts: [{ type: 'text', text: 'nothing' }],
        isError: false,
        custom: false,
      },
      { type: 'text', text: 'Go on.' },
    ])
  })

  it('reads legacy functions as tools, and finds the call a result belongs to', () => {
    const request = read({
      model: 'm',
      functions: [{ name: 'add', parameters: { type: 'object' } }],
      function_call: { name: 'add' },
      messages: [
        { role: 'user', content: 'Add' },
        { role: 'assistant', content: null, function_call: { name: 'add', arguments: '{"a":1}' } },
        { role: 'function', name: 'add', content: '2' },
      ],
    })
    expect(request.tools).toEqual([
      { type: 'function', name: 'add', description: null, parameters: { type: 'object' }, strict: null },
    ])
    expect(request.toolChoice).toEqual({ type: 'tool', name: 'add' })
    const { body } = written(request, 'gpt-4.1')
    expect(validateChatRequest(body)).toEqual([])
    expect(request.unread).toEqual([])
  })

  it('notes what it has no place for by its path, and no defaults', () => {
    const request = read({
      model: 'm',
      n: 2,
      logit_bias: { 5: -1 },
      prediction: { type: 'content', content: 'x' },
      modalities: ['text', 'audio'],
      audio: { voice: 'ash', format: 'wav' },
      min_p: 0.1,
      moderation: null,
      prompt_cache_retention: '24h',
      stream_options: { include_obfuscation: false },
      user: 'a',
      safety_identifier: 'b',
      messages: [
        {
          role: 'user',
          name: 'Ann',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'video_url', video_url: {} },
          ],
        },
        { role: 'assistant', audio: { id: 'audio_1' }, content: null },
      ],
    })
    expect([...request.unread].sort()).toEqual([
      'audio',
      'logit_bias',
      'messages[].audio',
      'messages[].content[].video_url',
      'messages[].name',
      'min_p',
      'modalities',
      'n',
      'prediction',
      'prompt_cache_retention',
      'safety_identifier',
      'stream_options.include_obfuscation',
    ])
    expect(
      read({
        model: 'm',
        messages: [],
        n: 1,
        modalities: ['text'],
        logit_bias: {},
        response_format: { type: 'text' },
        top_k: null,
      }).unread,
    ).toEqual([])
  })

  it.each<[string, JsonObject, unknown]>([
    ['reasoning_effort', { reasoning_effort: 'minimal' }, { effort: 'minimal', budget: null, summary: null }],
    ['OpenRouter', { reasoning: { max_tokens: 2000, exclude: true } }, { effort: null, budget: 2000, summary: 'none' }],
    ['DeepSeek, off', { thinking: { type: 'disabled' } }, { effort: 'none', budget: null, summary: null }],
    ['GLM, on', { thinking: { type: 'enabled' } }, { effort: null, budget: null, summary: null }],
    ['Qwen', { enable_thinking: true, thinking_budget: 100 }, { effort: null, budget: 100, summary: null }],
    ['nothing', {}, null],
  ])('reads how much is to be thought: %s', (_, members, reasoning) => {
    expect(read({ model: 'm', messages: [], ...members }).reasoning).toEqual(reasoning)
  })

  it.each([
    [{ messages: [] }, 'model'],
    [{ model: 'm' }, 'messages'],
    [{ model: 'm', messages: 'Hi' }, 'messages'],
    [{ model: 'm', messages: ['Hi'] }, 'messages[0]'],
    [{ model: 'm', messages: [{ role: 'robot', content: 'Hi' }] }, 'messages[0].role'],
    [{ model: 'm', messages: [{ role: 'user', content: 5 }] }, 'messages[0].content'],
    [{ model: 'm', messages: [{ role: 'assistant', tool_calls: [{ id: 'c' }] }] }, 'messages[0].tool_calls[0]'],
    [{ model: 'm', messages: [], tools: [{ type: 'function' }] }, 'tools[0].function'],
  ])('refuses %j, naming %s', (body, path) => {
    let thrown: unknown = null
    try {
      read(body)
    } catch (error) {
      thrown = error
    }
    expect(
      OnwardError.isInstance(thrown) ? [thrown.code, thrown.status, thrown.message.startsWith(`${path} `)] : thrown,
    ).toEqual(['bad-request', 400, true])
  })
})

describe('writeRequest', () => {
  it.each([
    ['gpt-5-mini', 'max_completion_tokens'],
    ['o3', 'max_completion_tokens'],
    ['o4-mini-2025', 'max_completion_tokens'],
    ['openai/gpt-5.1', 'max_completion_tokens'],
    ['gpt-4.1', 'max_tokens'],
    ['glm-5', 'max_tokens'],
    ['deepseek-reasoner', 'max_tokens'],
    ['gpt-oss-120b', 'max_tokens'],
    ['openai/gpt-oss-20b', 'max_tokens'],
  ])('limits %s by %s', (model, name) => {
    const { body } = written(asked({ maxTokens: 5 }), model)
    expect(Object.keys(body).filter((key) => key.startsWith('max_'))).toEqual([name])
  })

  it('asks for no more than the model can write', () => {
    const limited = (maxTokens: number | null, maxOutput: number | null) =>
      chatConversion.writeRequest(asked({ maxTokens }), { model: 'm', maxOutput }).body['max_tokens']
    expect([limited(64_000, 8000), limited(64_000, null), limited(500, 8000), limited(null, 8000)]).toEqual([
      8000,
      64_000,
      500,
      undefined,
    ])
  })

  it('puts results first, and pictures of results behind them', () => {
    const { body, dropped } = written(
      asked({
        messages: [
          {
            role: 'assistant',
            parts: [
              { type: 'tool-call', id: 'c1', name: 'shot', arguments: '', custom: false, seal: null },
              { type: 'tool-call', id: 'c2', name: 'cat', arguments: '{}', custom: false, seal: null },
            ],
          },
          {
            role: 'user',
            parts: [
              { type: 'text', text: 'See both.' },
              {
                type: 'tool-result',
                callId: 'c1',
                name: 'shot',
                parts: [
                  { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'QUJD' }, detail: null },
                ],
                isError: false,
                custom: false,
              },
              {
                type: 'tool-result',
                callId: 'c2',
                name: 'cat',
                parts: [{ type: 'text', text: 'no such file' }],
                isError: true,
                custom: false,
              },
            ],
          },
        ],
      }),
    )
    expect(body['messages']).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'shot', arguments: '{}' } },
          { id: 'c2', type: 'function', function: { name: 'cat', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'The result follows in the next user message.' },
      { role: 'tool', tool_call_id: 'c2', content: 'no such file' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Result of the tool call c1:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
          { type: 'text', text: 'See both.' },
        ],
      },
    ])
    expect(dropped).toEqual(['tool_result.is_error'])
    expect(validateChatRequest(body)).toEqual([])
  })

  it('names what Chat can’t say, each once', () => {
    const { body, dropped } = written(
      asked({
        model: 'glm-5',
        system: [{ type: 'text', text: 'S', cache: { type: 'ephemeral' } }],
        messages: [
          {
            role: 'user',
            parts: [
              { type: 'image', source: { kind: 'id', of: 'messages', id: 'f1' }, detail: null },
              { type: 'image', source: { kind: 'id', of: 'gemini', id: 'f2' }, detail: null },
              { type: 'file', source: { kind: 'url', url: 'https://a/b.pdf', mediaType: null }, name: null },
              { type: 'audio', mediaType: 'audio/ogg', base64: 'AA==' },
              { type: 'text', text: 'Hi' },
            ],
          },
          {
            role: 'assistant',
            parts: [
              { type: 'thinking', text: 'Hm', seal: { of: 'messages', data: 'sig' } },
              { type: 'thinking', text: 'Hm', seal: null },
            ],
          },
        ],
        tools: [{ type: 'native', of: 'messages', kind: 'web_search_20250305', raw: {} }],
        toolChoice: { type: 'any' },
        topK: 4,
        stop: ['1', '2', '3', '4', '5'],
        reasoning: { effort: null, budget: 8000, summary: 'auto' },
        metadata: { a: 'b' },
        cacheKey: 'k',
        verbosity: 'loud',
        serviceTier: 'standard_only',
        store: false,
      }),
    )
    expect([...dropped].sort()).toEqual([
      'cache_control',
      'file.url',
      'image.file_id',
      'input_audio',
      'metadata',
      'prompt_cache_key',
      'reasoning.budget',
      'reasoning.summary',
      'stop[4..]',
      'thinking',
      'tool_choice',
      'tools.web_search_20250305',
      'top_k',
      'verbosity',
    ])
    expect(body).toEqual({
      model: 'glm-5',
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'Hi' },
      ],
      stop: ['1', '2', '3', '4'],
      reasoning_effort: 'medium',
      service_tier: 'default',
    })
  })

  it('marks the end of a cached prefix where the model knows how', () => {
    const marked = asked({
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi', cache: { type: 'ephemeral' } }] }],
    })
    expect(written(marked, 'gpt-5.6').body['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi', prompt_cache_breakpoint: { mode: 'explicit' } }] },
    ])
    expect(written(marked, 'gpt-5.1')).toMatchObject({
      body: { messages: [{ content: 'Hi' }] },
      dropped: ['cache_control'],
    })
  })

  it('sends every result right behind its call, and one of no call in words', () => {
    const result = (callId: string, text: string) => ({
      type: 'tool-result' as const,
      callId,
      name: 'exec',
      parts: [{ type: 'text' as const, text }],
      isError: false,
      custom: false,
    })
    const { body, dropped } = written(
      asked({
        messages: [
          {
            role: 'assistant',
            parts: [{ type: 'tool-call', id: 'c', name: 'exec', arguments: '{}', custom: false, seal: null }],
          },
          { role: 'system', parts: [{ type: 'text', text: 'Hurry.' }] },
          { role: 'user', parts: [result('c', 'done'), result('c', 'and more')] },
        ],
      }),
    )
    expect(body['messages']).toMatchObject([
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'c', content: 'done' },
      { role: 'system', content: 'Hurry.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Result of the tool exec made earlier:' },
          { type: 'text', text: 'and more' },
        ],
      },
    ])
    expect(dropped).toEqual(['tool_call_id'])
  })

  it('shows other servers only the tools that are allowed', () => {
    const tool = (name: string) => ({
      type: 'function' as const,
      name,
      description: null,
      parameters: null,
      strict: null,
    })
    const { body } = written(
      asked({ tools: [tool('a'), tool('b')], toolChoice: { type: 'allowed', mode: 'any', names: ['b'] } }),
      'qwen3',
    )
    expect(body['tools']).toEqual([{ type: 'function', function: { name: 'b' } }])
    expect(body['tool_choice']).toBe('required')
  })
})
