import { describe, expect, it } from 'vitest'
import type { CanonicalRequest, ContentPart, Message, ToolResultPart } from '../../canonical/request.ts'
import { validateMessagesRequest } from '../../testing/validate-messages.ts'
import { messagesConversion } from './index.ts'
import { request, said } from './testing/asking.ts'

/** Written for a model of no known kind, or for the one named; always as Anthropic takes it. */
function write(members: Partial<CanonicalRequest>, model = 'some-model', maxOutput: number | null = null) {
  const written = messagesConversion.writeRequest(request({ messages: [said('hi')], ...members }), { model, maxOutput })
  expect(validateMessagesRequest(written.body)).toEqual([])
  return written
}
const messagesOf = (...messages: Message[]) => write({ messages }).body['messages']
const text = (words: string) => ({ type: 'text', text: words }) as const
const call = (id: string, args = '{}') =>
  ({ type: 'tool-call', id, name: 'run', arguments: args, custom: false, seal: null }) as const
const result = (callId: string, words = 'done', isError = false): ToolResultPart => ({
  type: 'tool-result',
  callId,
  name: 'run',
  parts: words === '' ? [] : [text(words)],
  isError,
  custom: false,
})
const assistant = (...parts: Extract<Message, { role: 'assistant' }>['parts']): Message => ({
  role: 'assistant',
  parts,
})
const user = (...parts: Extract<Message, { role: 'user' }>['parts']): Message => ({ role: 'user', parts })
const tool = { type: 'function', name: 'run', description: null, parameters: null, strict: null } as const

describe('the limit of tokens', () => {
  it.each<[string, number | null, number | null, number]>([
    ['the client says', 500, 8000, 500],
    ['the model has', null, 8000, 8000],
    ['the model has, where the client says more', 128_000, 64_000, 64_000],
    ['nobody says', null, null, 32_000],
  ])('is what %s', (_name, maxTokens, maxOutput, expected) =>
    expect(write({ maxTokens }, 'm', maxOutput).body['max_tokens']).toBe(expected),
  )
})

describe('the conversation', () => {
  it('begins with the user, and has one when there is none', () => {
    expect(messagesOf(assistant(text('hello')), said('hi'))).toEqual([
      { role: 'user', content: [text('Continue.')] },
      { role: 'assistant', content: [text('hello')] },
      { role: 'user', content: [text('hi')] },
    ])
    expect(messagesOf()).toEqual([{ role: 'user', content: [text('Continue.')] }])
  })

  it('joins neighbours and leaves out what is empty', () => {
    expect(
      messagesOf(
        said('a'),
        said(''),
        said('b'),
        assistant(text('c')),
        assistant(),
        assistant(text(' '), text('d')),
        said('e'),
      ),
    ).toEqual([
      { role: 'user', content: [text('a'), text('b')] },
      { role: 'assistant', content: [text('c'), text('d')] },
      { role: 'user', content: [text('e')] },
    ])
  })

  it('has results at once behind their calls, in front, also where they came late, twice or not at all', () => {
    expect(
      messagesOf(
        said('go'),
        assistant(call('a'), call('b')),
        user(text('wait'), result('b')),
        assistant(text('hm')),
        user(result('a'), result('a', 'again'), result('z', 'lost')),
      ),
    ).toEqual([
      { role: 'user', content: [text('go')] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'run', input: {} },
          { type: 'tool_use', id: 'b', name: 'run', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [text('done')] },
          { type: 'tool_result', tool_use_id: 'b', content: [text('done')] },
          text('wait'),
        ],
      },
      { role: 'assistant', content: [text('hm')] },
      {
        role: 'user',
        content: [
          text('Result of the tool run made earlier:'),
          text('again'),
          text('Result of the tool run made earlier:'),
          text('lost'),
        ],
      },
    ])
    expect(messagesOf(said('go'), assistant(call('a')), said('and?'))).toMatchObject([
      {},
      {},
      { content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true }, { text: 'and?' }] },
    ])
  })

  it("ends with the user where the client's does, though nothing of that message is left", () => {
    expect(
      messagesOf(said('go'), assistant(call('a')), said('wait'), assistant(text('hm')), user(result('a'))),
    ).toMatchObject([
      {},
      {},
      { content: [{ tool_use_id: 'a' }, text('wait')] },
      {},
      { role: 'user', content: [text('Continue.')] },
    ])
  })

  it('joins calls that came as single messages, and keeps rounds apart', () => {
    expect(
      messagesOf(
        said('go'),
        assistant(call('a')),
        assistant(call('b')),
        user(result('a')),
        user(result('b')),
        assistant(call('c')),
        user(result('c')),
      ),
    ).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ id: 'a' }, { id: 'b' }] },
      { role: 'user', content: [{ tool_use_id: 'a' }, { tool_use_id: 'b' }] },
      { role: 'assistant', content: [{ id: 'c' }] },
      { role: 'user', content: [{ tool_use_id: 'c' }] },
    ])
  })

  it('makes ids legal and unlike each other', () => {
    expect(
      messagesOf(
        said('go'),
        assistant(call('run:0')),
        user(result('run:0', 'one')),
        assistant(call('run:0')),
        user(result('run:0', 'two')),
      ),
    ).toMatchObject([
      {},
      { content: [{ id: 'run_0' }] },
      { content: [{ tool_use_id: 'run_0', content: [{ text: 'one' }] }] },
      { content: [{ id: 'run_0_2' }] },
      { content: [{ tool_use_id: 'run_0_2', content: [{ text: 'two' }] }] },
    ])
  })

  it('has arguments as an object, whatever they were', () => {
    const inputs = ['{"a":[1]}', '', 'null', '{"a":', '"text"'].map((args, i) => call(`c${i}`, args))
    expect(messagesOf(said('go'), assistant(...inputs))).toMatchObject([
      {},
      {
        content: [
          { input: { a: [1] } },
          { input: {} },
          { input: {} },
          { input: { arguments: '{"a":' } },
          { input: { arguments: '"text"' } },
        ],
      },
      {},
    ])
  })

  it('says words for an error without any', () => {
    expect(
      messagesOf(said('go'), assistant(call('a'), call('b')), user(result('a', '', true), result('b', ''))),
    ).toMatchObject([{}, {}, { content: [{ is_error: true, content: [{ type: 'text' }] }, { tool_use_id: 'b' }] }])
  })

  it("has only its own vendor's thinking, and never at the end", () => {
    const parts = [
      { type: 'thinking', text: 'cut', seal: { of: 'messages', data: 'sig', text: 'the whole' } },
      { type: 'thinking', text: '', seal: { of: 'messages', data: 'enc', redacted: true } },
      { type: 'thinking', text: 'foreign', seal: { of: 'responses', data: 'x', id: 'rs' } },
      { type: 'thinking', text: 'bare', seal: null },
      { type: 'refusal', text: 'No.' },
      { type: 'thinking', text: 'last', seal: { of: 'messages', data: 'sig2' } },
    ] as const
    const { body, dropped } = write({
      messages: [said('go'), assistant(...parts), assistant(parts[0]), said('on'), assistant(parts[0]), said('on')],
    })
    expect(body['messages']).toEqual([
      { role: 'user', content: [text('go')] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'the whole', signature: 'sig' },
          { type: 'redacted_thinking', data: 'enc' },
          text('No.'),
        ],
      },
      { role: 'user', content: [text('on'), text('on')] },
    ])
    expect(dropped).toEqual(['thinking'])
  })

  it('ends without white space where the client began the answer', () => {
    expect(messagesOf(said('go'), assistant(text('It is  \n')))).toEqual([
      { role: 'user', content: [text('go')] },
      { role: 'assistant', content: [text('It is')] },
    ])
  })
})

describe('system messages in the middle', () => {
  const system = (words: string): Message => ({ role: 'system', parts: [text(words)] })
  const reminder = (words: string) => text(`<system-reminder>\n${words}\n</system-reminder>`)
  const messages = [
    said('a'),
    system('b'),
    assistant(text('c')),
    system('d'),
    said('e'),
    system('f'),
    said('g'),
    system('h'),
  ]
  it('stand where the model takes them', () => {
    expect(write({ messages }, 'claude-opus-4-8').body['messages']).toEqual([
      { role: 'user', content: [text('a')] },
      { role: 'system', content: [text('b')] },
      { role: 'assistant', content: [text('c')] },
      { role: 'user', content: [reminder('d'), text('e'), reminder('f'), text('g')] },
      { role: 'system', content: [text('h')] },
    ])
  })
  it.each(['claude-sonnet-4-5', 'other/claude-opus-4.8', 'glm-5'])("are told to the user's side of %s", (model) => {
    const { body, dropped } = write({ messages }, model)
    expect(body['messages']).toMatchObject([
      { content: [text('a'), reminder('b')] },
      {},
      { content: [reminder('d'), text('e'), reminder('f'), text('g'), reminder('h')] },
    ])
    expect(dropped).toEqual(['messages[].role'])
  })
  it('stand behind results', () => {
    expect(
      write({ messages: [said('a'), assistant(call('x')), user(result('x')), system('b')] }, 'claude-opus-5').body[
        'messages'
      ],
    ).toMatchObject([{}, {}, { role: 'user' }, { role: 'system' }])
    expect(
      write({ messages: [said('a'), assistant(call('x')), system('b'), user(result('x'))] }, 'claude-opus-5').body[
        'messages'
      ],
    ).toMatchObject([{}, {}, { role: 'user', content: [{ type: 'tool_result' }] }, { role: 'system' }])
  })
})

describe('content', () => {
  it.each<[string, ContentPart, object | null, string[]]>([
    [
      'a picture of a type with two names',
      { type: 'image', source: { kind: 'data', mediaType: 'image/jpg', base64: 'AA' }, detail: 'auto' },
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AA' } },
      [],
    ],
    [
      'a detailed picture',
      { type: 'image', source: { kind: 'url', url: 'https://e.com/a', mediaType: null }, detail: 'high' },
      { type: 'image', source: { type: 'url', url: 'https://e.com/a' } },
      ['image.detail'],
    ],
    [
      'a drawing',
      { type: 'image', source: { kind: 'data', mediaType: 'image/svg+xml', base64: 'AA' }, detail: null },
      null,
      ['image/svg+xml'],
    ],
    [
      'a file of another vendor',
      { type: 'file', source: { kind: 'id', of: 'chat', id: 'f' }, name: null },
      null,
      ['file_id'],
    ],
    [
      'a picture as a file',
      { type: 'file', source: { kind: 'data', mediaType: 'image/png', base64: 'AA' }, name: 'a.png' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
      [],
    ],
    [
      'a text file',
      {
        type: 'file',
        source: { kind: 'data', mediaType: 'text/csv', base64: Buffer.from('ä,b').toString('base64') },
        name: 'a.csv',
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'ä,b' }, title: 'a.csv' },
      [],
    ],
    [
      'an office file',
      { type: 'file', source: { kind: 'data', mediaType: 'application/msword', base64: 'AA' }, name: null },
      null,
      ['application/msword'],
    ],
    ['sound', { type: 'audio', mediaType: 'audio/wav', base64: 'AA' }, null, ['audio']],
  ])('is written: %s', (_name, part, block, dropped) => {
    const written = write({ messages: [user(text('see'), part)] })
    expect(written.body['messages']).toEqual([{ role: 'user', content: block ? [text('see'), block] : [text('see')] }])
    expect(written.dropped).toEqual(dropped)
  })
})

describe('tools', () => {
  const names = (body: object) => Reflect.get(body, 'tools')
  it('get an object for a schema', () => {
    const schemas = [null, { properties: { a: {} } }, { type: 'object', required: [] }].map((parameters, i) => ({
      ...tool,
      name: `t${i}`,
      parameters,
      strict: i === 0,
    }))
    expect(names(write({ tools: schemas }).body)).toEqual([
      { name: 't0', input_schema: { type: 'object', properties: {} }, strict: true },
      { name: 't1', input_schema: { properties: { a: {} }, type: 'object' } },
      { name: 't2', input_schema: { type: 'object', required: [] } },
    ])
  })
  it('of other vendors are left out by name', () => {
    const written = write({
      tools: [
        tool,
        { type: 'native', of: 'responses', kind: 'web_search', raw: {} },
        { type: 'native', of: 'messages', kind: 'bash_20250124', raw: { type: 'bash_20250124', name: 'bash' } },
      ],
    })
    expect(names(written.body)).toMatchObject([{ name: 'run' }, { type: 'bash_20250124', name: 'bash' }])
    expect(written.dropped).toEqual(['tools.web_search'])
  })
  it.each<[string, Partial<CanonicalRequest>, unknown]>([
    ['nothing', {}, undefined],
    ['one at a time', { parallelTools: false }, { type: 'auto', disable_parallel_tool_use: true }],
    [
      'one that must be called',
      { toolChoice: { type: 'tool', name: 'run' }, parallelTools: true },
      { type: 'tool', name: 'run' },
    ],
    [
      'any, one at a time',
      { toolChoice: { type: 'any' }, parallelTools: false },
      { type: 'any', disable_parallel_tool_use: true },
    ],
    ['none', { toolChoice: { type: 'none' }, parallelTools: false }, { type: 'none' }],
    ['some', { toolChoice: { type: 'allowed', mode: 'any', names: ['run'] } }, { type: 'any' }],
  ])('are chosen: %s', (_name, members, choice) => {
    const { body } = write({ tools: [tool, { ...tool, name: 'other' }], ...members })
    expect(body['tool_choice']).toEqual(choice)
    expect(names(body)).toHaveLength(members.toolChoice?.type === 'allowed' ? 1 : 2)
  })
  it("can't be chosen where there are none", () =>
    expect(write({ toolChoice: { type: 'any' } })).toMatchObject({
      body: { model: 'some-model' },
      dropped: ['tool_choice'],
    }))
})

describe('thinking', () => {
  const reasoning = (effort: 'none' | 'minimal' | 'low' | 'high' | null, budget: number | null = null) => ({
    effort,
    budget,
    summary: null,
  })
  it.each<[string, string, CanonicalRequest['reasoning'], unknown, unknown, string[]]>([
    ['nothing said', 'claude-opus-4-6', null, undefined, undefined, []],
    ['none', 'claude-opus-4-6', reasoning('none'), { type: 'disabled' }, undefined, []],
    ['no tokens', 'claude-opus-4-6', reasoning('low', 0), { type: 'disabled' }, { effort: 'low' }, []],
    ['an effort', 'claude-opus-4-6', reasoning('high'), { type: 'adaptive' }, { effort: 'high' }, []],
    ['a budget', 'claude-opus-4-6', reasoning(null, 5000), { type: 'enabled', budget_tokens: 5000 }, undefined, []],
    ['some', 'claude-opus-4-6', reasoning(null), { type: 'adaptive' }, undefined, []],
    [
      'an effort, by budget only',
      'claude-sonnet-4-5-20250929',
      reasoning('low'),
      { type: 'enabled', budget_tokens: 4096 },
      undefined,
      [],
    ],
    [
      'a budget, by effort only',
      'claude-opus-4-8',
      reasoning(null, 5000),
      { type: 'adaptive' },
      { effort: 'medium' },
      [],
    ],
    [
      'an effort at another vendor',
      'glm-5',
      reasoning('minimal'),
      { type: 'enabled', budget_tokens: 1024 },
      { effort: 'low' },
      [],
    ],
    [
      "an effort of a model that can't",
      'claude-3-5-haiku-20241022',
      reasoning('low'),
      undefined,
      undefined,
      ['effort', 'reasoning'],
    ],
    [
      'a shown summary',
      'claude-opus-4-6',
      { effort: 'high', budget: null, summary: 'detailed' },
      { type: 'adaptive', display: 'summarized' },
      { effort: 'high' },
      ['reasoning.summary'],
    ],
    [
      'a hidden one',
      'claude-opus-4-6',
      { effort: 'high', budget: null, summary: 'none' },
      { type: 'adaptive', display: 'omitted' },
      { effort: 'high' },
      [],
    ],
  ])('is asked for: %s (%s)', (_name, model, wanted, thinking, output, dropped) => {
    const written = write({ reasoning: wanted }, model)
    expect([written.body['thinking'], written.body['output_config'], written.dropped]).toEqual([
      thinking,
      output,
      dropped,
    ])
  })

  it('stays below the limit, or away', () => {
    expect(write({ reasoning: reasoning(null, 9000), maxTokens: 5000 })).toMatchObject({
      body: { thinking: { budget_tokens: 4000 } },
      dropped: ['budget_tokens'],
    })
    expect(write({ reasoning: reasoning(null, 9000), maxTokens: 1025 })).toMatchObject({
      body: { thinking: { budget_tokens: 1024 } },
    })
    expect(write({ reasoning: reasoning(null, 9000), maxTokens: 1024 })).toMatchObject({ dropped: ['reasoning'] })
  })
  it('gives way to a tool that must be called', () => {
    const written = write(
      { reasoning: reasoning('high'), tools: [tool], toolChoice: { type: 'any' } },
      'claude-opus-4-6',
    )
    expect(written).toMatchObject({
      body: { tool_choice: { type: 'any' }, output_config: { effort: 'high' } },
      dropped: ['reasoning'],
    })
    expect(written.body).not.toHaveProperty('thinking')
  })
  it('by budget waits for the next turn where the calls of this one came without it', () => {
    const thought = { type: 'thinking', text: 't', seal: { of: 'messages', data: 's' } } as const
    const turn = (...parts: Extract<Message, { role: 'assistant' }>['parts']) => ({
      messages: [said('go'), assistant(...parts), user(result('a'))],
      reasoning: reasoning('low'),
    })
    expect(write(turn(call('a')), 'claude-sonnet-4-5')).toMatchObject({ dropped: ['reasoning'] })
    expect(write(turn(thought, call('a')), 'claude-sonnet-4-5')).toMatchObject({
      body: { thinking: { type: 'enabled' } },
      dropped: [],
    })
    expect(write({ ...turn(call('a')), reasoning: reasoning(null, 2000) }, 'claude-opus-4-6')).toMatchObject({
      body: { thinking: { type: 'adaptive' } },
      dropped: ['budget_tokens'],
    })
    expect(write(turn(call('a')), 'claude-opus-4-8')).toMatchObject({
      body: { thinking: { type: 'adaptive' } },
      dropped: [],
    })
  })
  it.each<[string, Partial<CanonicalRequest>, object, string[]]>([
    [
      'claude-opus-4-6',
      { reasoning: reasoning('high'), temperature: 0.2, topK: 3, topP: 0.5 },
      {},
      ['temperature', 'top_p', 'top_k'],
    ],
    ['claude-opus-4-6', { reasoning: reasoning('high'), temperature: 1, topP: 0.97 }, { top_p: 0.97 }, []],
    ['claude-opus-4-6', { temperature: 0.2, topP: 0.5 }, { temperature: 0.2 }, ['top_p']],
    ['claude-opus-4-8', { temperature: 0.2, topP: 0.5 }, {}, ['temperature', 'top_p']],
    ['glm-5', { temperature: 1.6, topP: 0.5, topK: 4 }, { temperature: 1, top_p: 0.5, top_k: 4 }, ['temperature']],
  ])('and sampling, %s: %j', (model, members, sampling, dropped) => {
    const written = write(members, model)
    const { temperature, top_p, top_k } = written.body
    expect(JSON.parse(JSON.stringify({ temperature, top_p, top_k }))).toEqual(sampling)
    expect([...written.dropped].sort()).toEqual([...dropped].sort())
  })
})

describe("what Messages can't say", () => {
  it('is named, each once', () => {
    const written = write({
      frequencyPenalty: 0.5,
      presencePenalty: 0.1,
      seed: 7,
      logprobs: 3,
      verbosity: 'low',
      metadata: { a: 'b' },
      cacheKey: 'k',
      store: true,
      serviceTier: 'flex',
      format: { type: 'json' },
      stop: ['END', ' '],
    })
    expect([...written.dropped].sort()).toEqual([
      'format',
      'frequency_penalty',
      'logprobs',
      'metadata',
      'presence_penalty',
      'prompt_cache_key',
      'seed',
      'service_tier',
      'stop_sequences',
      'store',
      'verbosity',
    ])
    expect(written.body).toEqual({
      model: 'some-model',
      max_tokens: 32_000,
      messages: [{ role: 'user', content: [text('hi')] }],
      stop_sequences: ['END'],
    })
  })
  it('of a format is its name, description and looseness', () => {
    const written = write({
      format: { type: 'schema', name: 'n', description: 'd', schema: { type: 'object' }, strict: false },
    })
    expect(written).toMatchObject({
      body: { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      dropped: ['format.name', 'format.description', 'format.strict'],
    })
  })
  it('is nothing where nothing is asked', () =>
    expect(write({ store: false, frequencyPenalty: 0, serviceTier: 'auto', user: 'u', stream: true })).toMatchObject({
      body: { stream: true, service_tier: 'auto', metadata: { user_id: 'u' } },
      dropped: [],
    }))
})
