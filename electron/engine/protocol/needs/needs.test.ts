import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { codecOf } from '../index.ts'
import type { RequestNeeds } from '../types.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const protocols: readonly EntryProtocol[] = ['chat', 'responses', 'messages', 'gemini']
const needsOf = (protocol: EntryProtocol, body: unknown): RequestNeeds => {
  const codec = codecOf(protocol)
  return codec.needs(codec.read(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))))
}
const list = { chat: 'messages', responses: 'input', messages: 'messages', gemini: 'contents' } as const

const picture = {
  chat: { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
  responses: { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
  messages: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
  gemini: { inlineData: { mimeType: 'image/png', data: 'AA==' } },
}
const toolResult = (content: unknown) => ({ type: 'tool_result', tool_use_id: 't', content })
const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const parts = (...list: unknown[]) => ({ role: 'user', parts: list })

/** protocol, name, the conversation, whether an image is to be looked at */
const images: [EntryProtocol, string, unknown, boolean][] = [
  ['chat', 'an image', [user([{ type: 'text', text: 'see' }, picture.chat])], true],
  [
    'chat',
    'an image before trailing system messages',
    [user([picture.chat]), { role: 'system', content: 'x' }, { role: 'developer', content: [] }],
    true,
  ],
  ['chat', 'an image before a begun answer', [user([picture.chat]), assistant('I see')], true],
  ['chat', 'an image of an earlier message', [user([picture.chat]), assistant('yes'), user('now?')], false],
  [
    'chat',
    'an image of an earlier turn, now a tool round',
    [user([picture.chat]), assistant(null), { role: 'tool', content: 'r' }],
    false,
  ],
  [
    'chat',
    'an image in a tool result before another',
    [user('a'), { role: 'tool', content: [picture.chat] }, { role: 'tool', content: 'r' }],
    true,
  ],
  [
    'chat',
    'words about one',
    [user('{"type":"image_url"}'), user([{ type: 'text', text: 'a "type": "image_url" here' }])],
    false,
  ],
  ['chat', 'a member that is no type', [user([{ type: 'text', text: '', image_url: { type: 'image_url' } }])], false],
  ['responses', 'an image', [{ type: 'message', role: 'user', content: [picture.responses] }], true],
  [
    'responses',
    'an image in the first of the trailing outputs',
    [
      user('a'),
      { type: 'function_call', name: 'f' },
      { type: 'function_call_output', output: [picture.responses] },
      { type: 'custom_tool_call_output', output: 'b' },
    ],
    true,
  ],
  [
    'responses',
    'an image before a call',
    [user([picture.responses]), { type: 'function_call', name: 'f' }, { type: 'function_call_output', output: 'b' }],
    false,
  ],
  [
    'responses',
    'an image in an output before a new message',
    [{ type: 'function_call_output', output: [picture.responses] }, user('b')],
    false,
  ],
  [
    'responses',
    'a screenshot',
    [{ type: 'computer_call_output', output: { type: 'computer_screenshot', image_url: 'x' } }],
    true,
  ],
  ['responses', 'a text alone', 'input_image', false],
  ['messages', 'an image', [user([picture.messages, { type: 'text', text: 'see' }])], true],
  [
    'messages',
    'an image of a tool',
    [user('a'), assistant([]), user([toolResult([{ type: 'text', text: 'shot' }, picture.messages])])],
    true,
  ],
  [
    'messages',
    'an image of a tool, and words',
    [user('a'), assistant([]), user([toolResult([picture.messages]), { type: 'text', text: 'b' }])],
    true,
  ],
  ['messages', 'trailing system messages', [user([picture.messages]), { role: 'system', content: 'x' }], true],
  ['messages', 'an earlier image', [user([picture.messages]), assistant('a'), user('b')], false],
  ['messages', 'a result that is a text', [user([toolResult('"type":"image"')])], false],
  [
    'messages',
    'a document',
    [user([{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' } }])],
    false,
  ],
  ['gemini', 'an image', [parts({ text: 'see' }, picture.gemini)], true],
  ['gemini', 'an image in snake case', [parts({ inline_data: { mime_type: 'image/jpeg', data: '' } })], true],
  ['gemini', 'a file', [parts({ fileData: { mimeType: 'image/webp', fileUri: 'https://x' } })], true],
  [
    'gemini',
    'an image of a tool',
    [
      parts({ text: 'a' }),
      { role: 'model', parts: [] },
      parts({ functionResponse: { name: 'f', response: {}, parts: [picture.gemini] } }),
    ],
    true,
  ],
  ['gemini', 'one content without a list', parts(picture.gemini), true],
  ['gemini', 'a PDF', [parts({ inlineData: { mimeType: 'application/pdf', data: '' } })], false],
  [
    'gemini',
    'an earlier image',
    [parts(picture.gemini), { role: 'model', parts: [{ text: 'a' }] }, parts({ text: 'b' })],
    false,
  ],
]

const named = (name: string) => ({ type: 'function', function: { name } })
const searches: [EntryProtocol, unknown, boolean][] = [
  ['chat', { web_search_options: {} }, true],
  ['chat', { web_search_options: null }, false],
  ['chat', { tools: [named('f'), { type: 'web_search', web_search: { enable: true } }] }, true],
  ['chat', { tools: [{ type: 'openrouter:web_search' }] }, true],
  ['chat', { tools: [named('web_search')] }, false],
  ['chat', { plugins: [{ id: 'file-parser' }, { id: 'web' }] }, true],
  ['chat', { plugins: [{ id: 'file-parser' }] }, false],
  ['responses', { tools: [{ type: 'web_search' }] }, true],
  ['responses', { tools: [{ type: 'web_search_preview_2025_03_11' }] }, true],
  [
    'responses',
    {
      tools: [
        { type: 'function', name: 'web_search', description: 'web_search' },
        { type: 'custom', name: 'web_search' },
      ],
    },
    false,
  ],
  [
    'messages',
    {
      tools: [
        { name: 'Bash', input_schema: {} },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
      ],
    },
    true,
  ],
  [
    'messages',
    {
      tools: [
        { type: 'custom', name: 'web_search' },
        { name: 'web_search', input_schema: {} },
      ],
    },
    false,
  ],
  ['messages', { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }, false],
  ['gemini', { tools: [{ functionDeclarations: [] }, { googleSearch: {} }] }, true],
  ['gemini', { tools: { google_search: {} } }, true],
  ['gemini', { tools: [{ googleSearchRetrieval: {} }] }, true],
  ['gemini', { generateContentRequest: { contents: [], tools: [{ googleSearch: {} }] } }, true],
  ['gemini', { tools: [{ functionDeclarations: [{ name: 'googleSearch' }] }] }, false],
]

const thinking = (thinkingConfig: unknown) => ({ generationConfig: { thinkingConfig } })
const thoughts: [EntryProtocol, unknown, boolean][] = [
  ['chat', { reasoning_effort: 'low' }, true],
  ['chat', { reasoning_effort: 'xhigh' }, true],
  ['chat', { reasoning_effort: 'minimal' }, false],
  ['chat', { reasoning_effort: 'none' }, false],
  ['chat', { reasoning_effort: null, reasoning: { effort: 'high' } }, true],
  ['chat', { reasoning: { enabled: true } }, true],
  ['chat', { reasoning: { enabled: false, effort: 'high' } }, false],
  ['chat', { reasoning: { max_tokens: 2000 } }, true],
  ['chat', { reasoning: { exclude: true } }, false],
  ['chat', { thinking: { type: 'enabled' } }, true],
  ['chat', { thinking: { type: 'disabled' } }, false],
  ['chat', { enable_thinking: true }, true],
  ['chat', { enable_thinking: false }, false],
  ['responses', { reasoning: { effort: 'medium', summary: 'auto' } }, true],
  ['responses', { reasoning: { summary: 'auto' } }, false],
  ['responses', { reasoning: { effort: null } }, false],
  ['responses', { reasoning: { effort: 'minimal' } }, false],
  ['messages', { thinking: { type: 'enabled', budget_tokens: 1024 } }, true],
  ['messages', { thinking: { type: 'adaptive' } }, true],
  ['messages', { thinking: { type: 'disabled' } }, false],
  ['messages', { output_config: { effort: 'high' } }, false],
  ['gemini', thinking({ thinkingBudget: -1 }), true],
  ['gemini', thinking({ thinkingBudget: 0, includeThoughts: true }), false],
  ['gemini', thinking({ thinkingLevel: 'HIGH' }), true],
  ['gemini', thinking({ thinkingLevel: 'minimal', includeThoughts: true }), false],
  ['gemini', thinking({ includeThoughts: true }), true],
  ['gemini', thinking({ includeThoughts: false }), false],
  ['gemini', { generation_config: { thinking_config: { thinking_budget: 512 } } }, true],
  ['gemini', { generateContentRequest: { contents: [], ...thinking({ thinkingLevel: 'low' }) } }, true],
]

describe('what a request needs', () => {
  it.each(images)('%s: %s', (protocol, _, conversation, expected) => {
    expect(needsOf(protocol, { model: 'm', [list[protocol]]: conversation }).image()).toBe(expected)
  })
  it.each(searches)('%s: a search of the vendor in %j: %s', (protocol, body, expected) =>
    expect(needsOf(protocol, body).webSearch()).toBe(expected),
  )
  it.each(thoughts)('%s: thinking in %j: %s', (protocol, body, expected) =>
    expect(needsOf(protocol, body).thinking()).toBe(expected),
  )
  it.each(protocols)('%s: nothing of an empty request', (protocol) => {
    const needs = needsOf(protocol, {})
    expect([needs.tokens(), needs.image(), needs.webSearch(), needs.thinking()]).toEqual([1, false, false, false])
  })
  it('takes a bad escape in a long string for no need', () => {
    const broken = String.raw`"this is long enough not to be looked at\x"`
    expect(needsOf('responses', `{"reasoning":{"effort":${broken}}}`).thinking()).toBe(false)
    expect(needsOf('chat', `{"tools":[{"web_search":1,${broken}:{"type":"web_search"}}]}`).webSearch()).toBe(false)
  })

  // The names of all protocols, at any place and with any value, as odd and broken clients would send them.
  const names = [
    'role',
    'type',
    'content',
    'parts',
    'output',
    'source',
    'data',
    'inlineData',
    'mime_type',
    'functionResponse',
    'tools',
    'plugins',
    'id',
    'reasoning',
    'effort',
    'thinking',
    'generationConfig',
    'generateContentRequest',
    'thinkingConfig',
    'thinkingBudget',
    'web_search_options',
    'messages',
    'input',
    'contents',
    'model',
    'stream',
  ]
  const words = fc.constantFrom(
    'user',
    'tool',
    'system',
    'function_call_output',
    'tool_result',
    'image',
    'image_url',
    'input_image',
    'web_search',
    'web_search_20250305',
    'high',
    'none',
    'image/png',
    'web',
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      words,
      fc.jsonValue({ maxDepth: 1 }),
      tie('object'),
      fc.array(tie('value'), { maxLength: 4 }),
    ),
    object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 }),
  }))
  it.each(protocols)('%s: never throws, whatever its members hold', (protocol) => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(
            ...names.filter((name) => !['messages', 'input', 'contents', 'model', 'stream'].includes(name)),
          ),
          value,
          { maxKeys: 6 },
        ),
        fc.array(value, { maxLength: 5 }),
        (body, conversation) => {
          const needs = needsOf(protocol, { ...body, [list[protocol]]: conversation })
          for (const ask of [needs.image, needs.webSearch, needs.thinking]) expect([true, false]).toContain(ask())
          expect(needs.tokens()).toBeGreaterThan(0)
        },
      ),
      runs(300),
    )
  })
})

describe('what only the client’s own vendor has', () => {
  const bound = (entry: 'messages' | 'responses', body: object) => {
    const codec = codecOf(entry)
    return codec.needs(codec.read(Buffer.from(JSON.stringify(body)))).bound?.()
  }
  it.each([
    [{ thread: { type: 'continue', previous_message_id: 'msg_1' } }, 'thread'],
    [{ thread: { type: 'create' } }, null],
    [{ metadata: { thread: { type: 'continue' } } }, null],
  ])('of Messages: %j', (more, found) => {
    expect(bound('messages', { model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...more })).toBe(found)
  })
  it.each([
    [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
    [{ prompt: { id: 'pmpt_1', variables: { a: 'b' } }, input: [] }, 'prompt'],
    [{ prompt: { id: 'pmpt_1' }, input: '' }, 'prompt'],
    [{ prompt: { id: 'pmpt_1' }, input: 'Hi' }, null],
    [{ prompt: { id: 'pmpt_1' }, input: [{ role: 'user', content: 'Hi' }] }, null],
    [{ prompt: null, input: [] }, null],
  ])('of Responses, a stored prompt: %j', (more, found) => {
    expect(bound('responses', { model: 'm', ...more })).toBe(found)
  })
  it.each([
    [[{ type: 'compaction_trigger' }], 'compaction'],
    [[{ type: 'compaction', encrypted_content: 'x' }], 'compaction'],
    [[{ type: 'message', role: 'user', content: 'Say "compaction_trigger".' }], null],
  ])('of Responses: %j', (input, found) => {
    expect(bound('responses', { model: 'm', input: [{ role: 'user', content: 'Hi' }, ...input] })).toBe(found)
  })
})
