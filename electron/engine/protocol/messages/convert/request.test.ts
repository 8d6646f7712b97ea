import { describe, expect, it } from 'vitest'
import { OnwardError } from '../../../base/errors.ts'
import type { JsonObject } from '../../values.ts'
import { sealForClient } from '../../canonical/thinking/seal.ts'
import { validateMessagesRequest } from '../../testing/validate-messages.ts'
import { messagesConversion } from './index.ts'
import { png, richRequest } from './testing/rich-request.ts'

const read = (body: JsonObject) => messagesConversion.readRequest(body, { path: '/v1/messages' })
const hello = [{ role: 'user', content: 'hi' }]
const asking = (members: object): JsonObject => ({ model: 'm', max_tokens: 100, messages: hello, ...members })
const blocks = (...content: object[]) => read(asking({ messages: [{ role: 'user', content }] })).messages[0]?.parts

describe('a Messages request, read', () => {
  it('and written again keeps every member', () => {
    const canonical = read(richRequest)
    expect(canonical.unread).toEqual([])
    const written = messagesConversion.writeRequest(canonical, { model: richRequest.model, maxOutput: null })
    expect(written).toMatchObject({ path: '/v1/messages', dropped: [] })
    expect(written.body).toEqual(richRequest)
    expect(validateMessagesRequest(written.body)).toEqual([])
  })

  it('has its simplest form', () => {
    expect(read(asking({ system: 'Be brief.' }))).toMatchObject({
      model: 'm',
      stream: false,
      maxTokens: 100,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
      tools: [],
      toolChoice: null,
      parallelTools: null,
      reasoning: null,
      format: null,
      includeUsage: true,
      unread: [],
    })
  })

  it.each<[string, object, object]>([
    ['sampling', { temperature: 0.3, top_p: 0.9, top_k: 5 }, { temperature: 0.3, topP: 0.9, topK: 5 }],
    [
      'a forced tool',
      { tool_choice: { type: 'tool', name: 'Read' } },
      { toolChoice: { type: 'tool', name: 'Read' }, parallelTools: null },
    ],
    [
      'any tool, one at a time',
      { tool_choice: { type: 'any', disable_parallel_tool_use: true } },
      { toolChoice: { type: 'any' }, parallelTools: false },
    ],
    [
      'parallel tools',
      { tool_choice: { type: 'auto', disable_parallel_tool_use: false } },
      { toolChoice: { type: 'auto' }, parallelTools: true },
    ],
    [
      'adaptive thinking',
      { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'xhigh' } },
      { reasoning: { effort: 'xhigh', budget: null, summary: 'none' } },
    ],
    [
      'an effort alone',
      { output_config: { effort: 'low' } },
      { reasoning: { effort: 'low', budget: null, summary: null } },
    ],
    ['no thinking', { thinking: { type: 'disabled' } }, { reasoning: { effort: 'none', budget: null, summary: null } }],
    [
      'no thinking, and an effort for the answer',
      { thinking: { type: 'disabled' }, output_config: { effort: 'low' } },
      { reasoning: { effort: 'low', budget: 0, summary: null } },
    ],
    [
      'the older place of a format',
      { output_format: { type: 'json_schema', schema: { type: 'object' } } },
      {
        format: {
          type: 'schema',
          name: null,
          description: null,
          schema: { type: 'object' },
          strict: null,
          strictIfPossible: true,
        },
      },
    ],
    ['the plain tier', { service_tier: 'standard_only' }, { serviceTier: 'default' }],
  ])('has %s', (_name, members, canonical) => expect(read(asking(members))).toMatchObject({ ...canonical, unread: [] }))

  it('names a result after its call', () => {
    const messages = [
      ...hello,
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Read', input: { a: 'ü' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'text' }] },
    ]
    expect(read(asking({ messages })).messages.slice(1)).toEqual([
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 't', name: 'Read', arguments: '{"a":"ü"}', custom: false, seal: null }],
      },
      {
        role: 'user',
        parts: [
          {
            type: 'tool-result',
            callId: 't',
            name: 'Read',
            parts: [{ type: 'text', text: 'text' }],
            isError: false,
            custom: false,
          },
        ],
      },
    ])
  })

  it('tells system messages before the conversation from those within', () => {
    const { system, messages } = read(
      asking({
        system: 'a',
        messages: [
          { role: 'system', content: 'b' },
          ...hello,
          { role: 'system', content: [{ type: 'text', text: 'c' }] },
        ],
      }),
    )
    expect(system.map((part) => part.text)).toEqual(['a', 'b'])
    expect(messages[1]).toEqual({ role: 'system', parts: [{ type: 'text', text: 'c' }] })
  })

  it('keeps the words and pictures of documents in parts', () => {
    const source = {
      type: 'content',
      content: [
        { type: 'text', text: 'one' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        { type: 'text', text: 'two' },
      ],
    }
    expect(blocks({ type: 'document', source, title: 'T' })).toEqual([
      { type: 'file', name: 'T', source: { kind: 'text', text: 'one\n\ntwo', mediaType: 'text/plain' } },
      { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: png }, detail: null },
    ])
    expect(blocks({ type: 'document', source: { type: 'content', content: 'whole' } })).toMatchObject([
      { source: { text: 'whole' } },
    ])
    expect(
      blocks({
        type: 'search_result',
        source: 'https://e.com',
        title: 'S',
        content: [{ type: 'text', text: 'found' }],
      }),
    ).toMatchObject([{ type: 'file', name: 'S', source: { text: 'found' } }])
  })

  it('gives a foreign seal back to whoever made it, and an empty one to nobody', () => {
    const foreign = { of: 'responses', data: 'enc', id: 'rs_1' } as const
    const thought = { of: 'gemini', data: 'sig' } as const
    const content = [
      { type: 'thinking', thinking: 'sum', signature: sealForClient(foreign, 'messages') },
      { type: 'thinking', thinking: 'plain', signature: sealForClient({ of: 'chat', data: '' }, 'messages') },
      { type: 'thinking', thinking: '', signature: sealForClient({ ...thought, id: 'c1' }, 'messages') },
      { type: 'tool_use', id: 'c1', name: 'f', input: {} },
    ]
    expect(read(asking({ messages: [...hello, { role: 'assistant', content }] })).messages[1]?.parts).toEqual([
      { type: 'thinking', text: 'sum', seal: foreign },
      { type: 'thinking', text: 'plain', seal: null },
      { type: 'tool-call', id: 'c1', name: 'f', arguments: '{}', custom: false, seal: thought },
    ])
  })

  it('says by name what has no place', () => {
    const body = asking({
      context_management: { edits: [{ type: 'clear_thinking_20251015' }] },
      container: 'c',
      mcp_servers: [{ type: 'url' }],
      inference_geo: null,
      safeguards: { a: 1 },
      metadata: { user_id: 'u', team: 't' },
      output_config: { task_budget: { tokens: 1 } },
      thinking: { type: 'adaptive', block_binding: {} },
      tools: [
        {
          name: 'a',
          input_schema: { type: 'object' },
          defer_loading: true,
          eager_input_streaming: false,
          input_examples: [{}],
        },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'url', url: 'u' }, citations: { enabled: true }, context: 'c' },
            { type: 'container_upload', file_id: 'f' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
            { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
            { type: 'text', text: 'x', citations: [{ type: 'web_search_result_location' }] },
            { type: 'tool_use', id: 'a', name: 'a', input: {}, caller: { type: 'direct' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'tool_reference', tool_name: 'grep' }] },
          ],
        },
        { role: 'system', content: 'y', output_config: { effort: 'low' } },
      ],
    })
    expect([...read(body).unread].sort()).toEqual([
      'container',
      'context_management',
      'mcp_servers',
      'messages[].content[].citations',
      'messages[].content[].container_upload',
      'messages[].content[].content[].tool_reference',
      'messages[].content[].context',
      'messages[].content[].server_tool_use',
      'messages[].content[].web_search_tool_result',
      'messages[].output_config',
      'metadata.team',
      'output_config.task_budget',
      'safeguards',
      'thinking.block_binding',
      'tools[].defer_loading',
      'tools[].input_examples',
    ])
  })

  it.each<[string, object, RegExp]>([
    ['no model', { model: '' }, /^model:/],
    ['messages that are no list', { messages: 'hi' }, /^messages:/],
    ['a message that is no object', { messages: [...hello, 'hi'] }, /^messages\[1\]:/],
    ['a role nobody knows', { messages: [{ role: 'tool', content: '' }] }, /^messages\[0\]\.role:/],
    ['a tool without a name', { tools: [{ description: 'x' }] }, /^tools\[0\]\.name:/],
    ['a choice nobody knows', { tool_choice: { type: 'tool' } }, /^tool_choice\.type:/],
  ])('is refused for %s', (_name, members, message) => {
    const refused = (): unknown => read(asking(members))
    expect(refused).toThrow(message)
    expect(refused).toThrow(OnwardError)
  })

  it('takes what clients send loosely', () => {
    const content = ['bare', null, 7, { type: 'tool_result', tool_use_id: 't' }]
    expect(
      read(
        asking({
          tools: null,
          tool_choice: null,
          system: null,
          metadata: null,
          stop_sequences: null,
          messages: [
            { role: 'user', content },
            { role: 'assistant', content: null },
          ],
        }),
      ).messages,
    ).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'bare' },
          { type: 'tool-result', callId: 't', name: null, parts: [], isError: false, custom: false },
        ],
      },
      { role: 'assistant', parts: [] },
    ])
  })
})
