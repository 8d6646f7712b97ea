import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../values.ts'
import { OnwardError } from '../../../base/errors.ts'
import { sealForClient } from '../../canonical/thinking/seal.ts'
import { responsesConversion } from './index.ts'

const read = (body: JsonObject) =>
  responsesConversion.readRequest({ model: 'gpt-x', ...body }, { path: '/v1/responses' })
const messagesOf = (input: unknown) => read({ input }).messages

describe('a request of Codex', () => {
  const request = read({
    stream: true,
    store: false,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'thread-1',
    reasoning: { effort: 'high', summary: 'auto' },
    client_metadata: { session_id: 's' },
    input: [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Fix it' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'high' },
        ],
      },
      {
        type: 'reasoning',
        summary: [
          { type: 'summary_text', text: 'Look' },
          { type: 'summary_text', text: 'first' },
        ],
        encrypted_content: 'gAAA',
        id: 'rs_1',
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking.' }], phase: 'commentary' },
      { type: 'function_call', name: 'read', namespace: 'mcp__files', arguments: '{"p":1}', call_id: 'c1' },
      { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin', call_id: 'c2', status: 'completed' },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'seen' },
          { type: 'input_image', image_url: 'https://a/b.png' },
        ],
      },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'Done!' },
      { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'q' } },
    ],
    tools: [
      { type: 'function', name: 'shell', description: 'Runs', strict: false, parameters: { type: 'object' } },
      {
        type: 'custom',
        name: 'apply_patch',
        description: 'Edits',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: /x/' },
      },
      {
        type: 'namespace',
        name: 'mcp__files',
        description: 'Files',
        tools: [{ type: 'function', name: 'read', parameters: null, defer_loading: true }],
      },
      { type: 'web_search', external_web_access: true },
    ],
  })

  it('puts the base prompt in front', () => expect(request.system).toEqual([{ type: 'text', text: 'Be brief.' }]))

  it('joins one model turn into one message, and its results into another', () => {
    expect(request.messages).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Fix it' },
          { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' }, detail: 'high' },
        ],
      },
      {
        role: 'assistant',
        parts: [
          {
            type: 'thinking',
            text: 'Look\n\nfirst',
            seal: { of: 'responses', data: 'gAAA', id: 'rs_1', text: 'Look\n\nfirst' },
          },
          { type: 'text', text: 'Looking.', phase: 'commentary' },
          {
            type: 'tool-call',
            id: 'c1',
            name: 'read',
            namespace: 'mcp__files',
            arguments: '{"p":1}',
            custom: false,
            seal: null,
          },
          { type: 'tool-call', id: 'c2', name: 'apply_patch', arguments: '*** Begin', custom: true, seal: null },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            type: 'tool-result',
            callId: 'c1',
            name: 'read',
            isError: false,
            custom: false,
            parts: [
              { type: 'text', text: 'seen' },
              { type: 'image', source: { kind: 'url', url: 'https://a/b.png', mediaType: null }, detail: null },
            ],
          },
          {
            type: 'tool-result',
            callId: 'c2',
            name: 'apply_patch',
            isError: false,
            custom: true,
            parts: [{ type: 'text', text: 'Done!' }],
          },
        ],
      },
    ])
  })

  it('reads tools of every kind, those of a namespace under its name', () => {
    expect(request.tools).toEqual([
      { type: 'function', name: 'shell', description: 'Runs', strict: false, parameters: { type: 'object' } },
      {
        type: 'custom',
        name: 'apply_patch',
        description: 'Edits',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: /x/' },
      },
      {
        type: 'function',
        name: 'read',
        namespace: 'mcp__files',
        namespaceDescription: 'Files',
        description: null,
        parameters: null,
        strict: null,
      },
      {
        type: 'native',
        of: 'responses',
        kind: 'web_search',
        raw: { type: 'web_search', external_web_access: true },
        search: { allowed: [], blocked: [], maxUses: null, location: null, contextSize: null },
      },
    ])
  })

  it('names what it has no place for', () => {
    expect([...request.unread].sort()).toEqual([
      'client_metadata',
      'input[].web_search_call',
      'tools[].tools[].defer_loading',
    ])
  })

  it('reads the settings', () => {
    expect(request).toMatchObject({
      store: false,
      stream: true,
      parallelTools: true,
      toolChoice: { type: 'auto' },
      cacheKey: 'thread-1',
      reasoning: { effort: 'high', budget: null, summary: 'auto' },
      logprobs: null,
    })
  })
})

describe('input', () => {
  it('may be a text', () => expect(messagesOf('hi')).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }]))

  it('may leave out the type of a message', () => {
    expect(
      messagesOf([
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ]),
    ).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'b' }] },
    ])
  })

  it('keeps instructions in front of developer messages, and later ones in their place', () => {
    const request = read({
      instructions: 'one',
      input: [
        { role: 'system', content: 'two' },
        { role: 'user', content: 'u' },
        { role: 'developer', content: 'three' },
      ],
    })
    expect(request.system.map((part) => part.text)).toEqual(['one', 'two'])
    expect(request.messages[1]).toEqual({ role: 'system', parts: [{ type: 'text', text: 'three' }] })
  })

  it.each([
    [
      'a file as data URL',
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,QQ==' },
      { type: 'file', name: 'a.pdf', source: { kind: 'data', mediaType: 'application/pdf', base64: 'QQ==' } },
    ],
    [
      'a file as base64',
      { type: 'input_file', filename: 'a.csv', file_data: 'QQ==' },
      { type: 'file', name: 'a.csv', source: { kind: 'data', mediaType: 'text/csv', base64: 'QQ==' } },
    ],
    [
      'a file by address',
      { type: 'input_file', file_url: 'https://a/b.pdf' },
      { type: 'file', name: null, source: { kind: 'url', url: 'https://a/b.pdf', mediaType: null } },
    ],
    [
      'an uploaded file',
      { type: 'input_file', file_id: 'file-1' },
      { type: 'file', name: null, source: { kind: 'id', of: 'responses', id: 'file-1' } },
    ],
    [
      'an uploaded image',
      { type: 'input_image', file_id: 'file-2', detail: 'auto' },
      { type: 'image', detail: null, source: { kind: 'id', of: 'responses', id: 'file-2' } },
    ],
    [
      'audio',
      { type: 'input_audio', input_audio: { data: 'QQ==', format: 'mp3' } },
      { type: 'audio', mediaType: 'audio/mpeg', base64: 'QQ==' },
    ],
    [
      'a cache mark',
      { type: 'input_text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } },
      { type: 'text', text: 'x', cache: { type: 'ephemeral' } },
    ],
  ])('reads %s', (_name, part, expected) => {
    const { messages, unread } = read({ input: [{ role: 'user', content: [part] }] })
    expect(messages).toEqual([{ role: 'user', parts: [expected] }])
    expect(unread).toEqual([])
  })

  it('reads a refusal', () => {
    expect(messagesOf([{ type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }])).toEqual(
      [{ role: 'assistant', parts: [{ type: 'refusal', text: 'no' }] }],
    )
  })

  it('says what a local shell did as a call', () => {
    const messages = messagesOf([
      { type: 'local_shell_call', call_id: 'c', status: 'completed', action: { type: 'exec', command: ['ls'] } },
      { type: 'local_shell_call_output', call_id: 'c', output: 'a' },
    ])
    expect(messages).toEqual([
      {
        role: 'assistant',
        parts: [
          {
            type: 'tool-call',
            id: 'c',
            name: 'local_shell',
            arguments: '{"type":"exec","command":["ls"]}',
            custom: false,
            seal: null,
          },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            type: 'tool-result',
            callId: 'c',
            name: 'local_shell',
            parts: [{ type: 'text', text: 'a' }],
            isError: false,
            custom: false,
          },
        ],
      },
    ])
  })

  it('takes what a call says in several outputs for one result', () => {
    const output = (text: string) => ({ type: 'custom_tool_call_output', call_id: 'c', output: text })
    const messages = messagesOf([
      { type: 'custom_tool_call', call_id: 'c', name: 'exec', input: 'notify(1)' },
      output('done'),
      { ...output('other'), call_id: 'd' },
      output('half way'),
    ])
    expect(messages[1]?.parts).toMatchObject([
      { callId: 'c', parts: [{ text: 'done' }, { text: 'half way' }] },
      { callId: 'd', parts: [{ text: 'other' }] },
    ])
  })

  it('lays the seal of a call back on it', () => {
    const field = sealForClient({ of: 'gemini', data: 'sig', id: 'c1' }, 'responses')
    const messages = messagesOf([
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'reasoning', id: 'rs_9', summary: [], encrypted_content: field },
    ])
    expect(messages).toEqual([
      {
        role: 'assistant',
        parts: [
          {
            type: 'tool-call',
            id: 'c1',
            name: 'f',
            arguments: '{}',
            custom: false,
            seal: { of: 'gemini', data: 'sig' },
          },
        ],
      },
    ])
  })

  it('takes tools that are declared in the middle', () => {
    expect(
      read({ input: [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'late' }] }] })
        .tools,
    ).toMatchObject([{ type: 'function', name: 'late' }])
  })

  it('never breaks on items nobody knows', () => {
    const request = read({
      input: [
        { type: 'agent_mail', x: 1 },
        { id: 'msg_1' },
        { type: 'compaction', encrypted_content: 'x' },
        { role: 'user', content: [{ type: 'input_video' }, 'plain'] },
      ],
    })
    expect(request.messages).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'plain' }] }])
    expect([...request.unread].sort()).toEqual([
      'input[].agent_mail',
      'input[].compaction',
      'input[].content[].input_video',
      'input[].item_reference',
    ])
  })

  it.each([
    ['input', { input: 7 }],
    ['input[1]', { input: [{ role: 'user', content: 'x' }, 7] }],
    ['input[0].name', { input: [{ type: 'function_call', call_id: 'c' }] }],
    ['input[0].call_id', { input: [{ type: 'function_call', name: 'f' }] }],
    ['model', { model: null }],
  ])('refuses an impossible %s by its path', (path, body) => {
    let thrown: unknown
    try {
      read(body)
    } catch (error) {
      thrown = error
    }
    expect(
      OnwardError.isInstance(thrown) && { code: thrown.code, status: thrown.status, path: thrown.details['path'] },
    ).toEqual({ code: 'bad-request', status: 400, path })
  })
})

describe('settings', () => {
  it.each([
    [{ tool_choice: 'required' }, { toolChoice: { type: 'any' } }],
    [{ tool_choice: { type: 'custom', name: 'p' } }, { toolChoice: { type: 'tool', name: 'p' } }],
    [
      { tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'a' }] } },
      { toolChoice: { type: 'allowed', mode: 'any', names: ['a'] } },
    ],
    [{ tool_choice: { type: 'web_search_preview' } }, { toolChoice: { type: 'search' }, unread: [] }],
    [{ tool_choice: { type: 'file_search' } }, { toolChoice: null, unread: ['tool_choice'] }],
    [{ max_tool_calls: 2 }, { unread: ['max_tool_calls'] }],
    [
      { tools: [{ type: 'web_search', external_web_access: false }] },
      { unread: ['tools[].web_search.external_web_access'] },
    ],
    [
      { text: { format: { type: 'json_schema', name: 'n', schema: { a: 1 }, strict: true }, verbosity: 'low' } },
      { format: { type: 'schema', name: 'n', description: null, schema: { a: 1 }, strict: true }, verbosity: 'low' },
    ],
    [{ text: { format: { type: 'json_object' } } }, { format: { type: 'json' } }],
    [
      { reasoning: { effort: 'odd', context: 'all_turns' } },
      { reasoning: { effort: null, budget: null, summary: null }, unread: ['reasoning.context', 'reasoning.effort'] },
    ],
    [
      { top_logprobs: 3, include: ['message.output_text.logprobs', 'file_search_call.results'] },
      { logprobs: 3, unread: ['include[].file_search_call.results'] },
    ],
    [{ include: ['message.output_text.logprobs'] }, { logprobs: 0 }],
    [
      { safety_identifier: 'u', metadata: { a: 'b', c: 1 }, service_tier: 'flex' },
      { user: 'u', metadata: { a: 'b' }, serviceTier: 'flex', unread: ['metadata.c'] },
    ],
    [
      { previous_response_id: 'resp_1', background: true, truncation: 'auto', prompt: { id: 'p' } },
      { unread: ['previous_response_id', 'prompt', 'background', 'truncation'] },
    ],
    [
      { truncation: 'disabled', background: false, conversation: null, max_output_tokens: 5 },
      { unread: [], maxTokens: 5 },
    ],
  ])('%j', (body, expected) => expect(read({ input: 'x', ...body })).toMatchObject(expected))
})
