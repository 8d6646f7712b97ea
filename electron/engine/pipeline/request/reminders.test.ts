import { describe, expect, it } from 'vitest'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { bearsTimeTag } from '../../protocol/lens/lens.ts'
import { codecOf } from '../../protocol/index.ts'
import { timeTagLine, wantsTimeTag } from './reminders.ts'
import { draftOf } from '../turn.ts'

type Asked = Parameters<typeof wantsTimeTag>[0]

describe('the line', () => {
  it.each([
    [
      '2026-11-21T14:00:00.123Z',
      'Asia/Shanghai',
      0,
      '[Time/Date]: utc=`2026-11-21T14:00:00.123Z` local=`2026-11-21T22:00:00+08:00` ' +
        'tz=`Asia/Shanghai` nowMs=`1795269600123` ntpOffsetMs=`0`',
    ],
    [
      '2026-07-01T00:00:00Z',
      'America/Los_Angeles',
      -1250,
      '[Time/Date]: utc=`2026-07-01T00:00:00.000Z` local=`2026-06-30T17:00:00-07:00` ' +
        'tz=`America/Los_Angeles` nowMs=`1782864000000` ntpOffsetMs=`-1250`',
    ],
  ])('of %s in %s', (utc, zone, offset, line) => expect(timeTagLine(Date.parse(utc), zone, offset)).toBe(line))
})

const asked = (
  entry: EntryProtocol,
  body: unknown,
  given: {
    path?: string
    turn?: Partial<Asked>
    call?: Partial<Asked['call']>
    identity?: Partial<Asked['identity']>
  } = {},
): Asked => {
  const codec = codecOf(entry)
  const path = given.path ?? (entry === 'gemini' ? '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse' : '/')
  const bytes = Buffer.from(JSON.stringify(body))
  const identity = { kind: 'turn', ...given.identity } as Asked['identity']
  const call = { entry, endpoint: 'generate', path, body: bytes, ...given.call } as Asked['call']
  return { call, codec, draft: draftOf(codec, bytes, path), identity, ownAnswer: null, reentered: false, ...given.turn }
}

const thinks = { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } }
const result = {
  type: 'tool_result',
  tool_use_id: 'toolu_1',
  content: [{ type: 'text', text: 'ok' }],
  cache_control: { type: 'ephemeral' },
}
const claude = (last: readonly object[], more: object = {}) => ({
  model: 'claude-opus-5',
  max_tokens: 128_000,
  stream: true,
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=2; cc_entrypoint=cli;' },
    { type: 'text', text: 'You are Claude Code.', cache_control: { type: 'ephemeral' } },
  ],
  tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>\nToday.\n</system-reminder>' },
        { type: 'text', text: 'List the files' },
      ],
    },
    ...last,
  ],
  ...more,
})
const used = {
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'ls', signature: 's' },
    { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } },
  ],
}
const codex = (last: readonly object[], more: object = {}) => ({
  model: 'gpt-5-codex',
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  tools: [{ type: 'function', name: 'shell', parameters: {}, strict: false }],
  parallel_tool_calls: true,
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'You are Codex.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List the files' }] },
    ...last,
  ],
  ...more,
})
const ran = [
  { type: 'reasoning', summary: [], encrypted_content: 'e' },
  { type: 'function_call', call_id: 'call_1', name: 'shell', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
]
const opencode = (last: readonly object[], more: object = {}) => ({
  model: 'deepseek-chat',
  stream: true,
  tools: [{ type: 'function', function: { name: 'bash', parameters: {} } }],
  tool_choice: 'auto',
  messages: [{ role: 'system', content: 'You are opencode.' }, { role: 'user', content: 'List the files' }, ...last],
  ...more,
})
const called = [
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
]
const geminiCli = (last: readonly object[], thinkingConfig: object | null) => ({
  contents: [
    { role: 'user', parts: [{ text: 'This is the Gemini CLI.' }] },
    { role: 'model', parts: [{ text: 'Got it.' }] },
    { role: 'user', parts: [{ text: 'List the files' }] },
    ...last,
  ],
  systemInstruction: { role: 'user', parts: [{ text: 'You are an interactive CLI agent.' }] },
  tools: [{ functionDeclarations: [{ name: 'list_directory', parametersJsonSchema: {} }] }],
  generationConfig: { temperature: 1, topP: 0.95, ...(thinkingConfig ? { thinkingConfig } : {}) },
})
const listed = [
  { role: 'model', parts: [{ functionCall: { id: 'c', name: 'list_directory', args: {} }, thoughtSignature: 'c2ln' }] },
  { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'list_directory', response: { output: 'ok' } } }] },
]

describe('a turn that may have the tag', () => {
  it.each<[string, EntryProtocol, object, boolean]>([
    ['Claude Code, asked by a person, thinking', 'messages', claude([], thinks), true],
    [
      'Claude Code, a tool round, thinking',
      'messages',
      claude([used, { role: 'user', content: [result] }], thinks),
      false,
    ],
    [
      'Claude Code, a tool round with a system message behind it',
      'messages',
      claude([used, { role: 'user', content: [result] }, { role: 'system', content: 'S' }], thinks),
      false,
    ],
    [
      'Claude Code, a tool round with words of its own behind the result',
      'messages',
      claude(
        [used, { role: 'user', content: [result, { type: 'text', text: '<system-reminder>…</system-reminder>' }] }],
        thinks,
      ),
      true,
    ],
    [
      'Claude Code, a tool round without thinking',
      'messages',
      claude([used, { role: 'user', content: [result] }]),
      true,
    ],
    ['Claude Code, an answer to go on with', 'messages', claude([{ role: 'assistant', content: '{' }]), false],
    [
      'a picture alone',
      'messages',
      claude(
        [
          { role: 'assistant', content: 'Which?' },
          { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://x.example/a' } }] },
        ],
        thinks,
      ),
      true,
    ],
    ['Codex, asked by a person', 'responses', codex([], { reasoning: { effort: 'high', summary: 'auto' } }), true],
    ['Codex, a tool round', 'responses', codex(ran, { reasoning: { effort: 'high', summary: 'auto' } }), false],
    ['Codex, a tool round of a model that does not think', 'responses', codex(ran, { reasoning: null }), true],
    ['a call nobody has answered', 'responses', codex(ran.slice(0, 2)), false],
    ['a bare text', 'responses', { model: 'm', input: 'Hi' }, true],
    ['an item nobody knows', 'responses', codex([{ type: 'agent_mail' }]), false],
    ['no input', 'responses', { model: 'm', prompt: { id: 'p' } }, false],
    ['opencode, asked by a person', 'chat', opencode([], { reasoning_effort: 'high' }), true],
    ['opencode, a tool round', 'chat', opencode(called), true],
    ['opencode, a tool round, thinking', 'chat', opencode(called, { reasoning_effort: 'high' }), false],
    ['a begun answer', 'chat', opencode([{ role: 'assistant', content: 'I', prefix: true }]), false],
    ['no messages', 'chat', { model: 'm', messages: [] }, false],
    ['Gemini CLI, asked by a person', 'gemini', geminiCli([], { includeThoughts: true, thinkingBudget: -1 }), true],
    ['Gemini CLI, a tool round', 'gemini', geminiCli(listed, { includeThoughts: true, thinkingBudget: -1 }), false],
    ['Gemini CLI, a tool round without thinking', 'gemini', geminiCli(listed, { thinkingBudget: 0 }), true],
    ['Gemini CLI, a begun answer', 'gemini', geminiCli([{ role: 'model', parts: [{ text: 'I' }] }], null), false],
  ])('%s', (_, entry, body, wants) => expect(wantsTimeTag(asked(entry, body))).toBe(wants))

  it.each<[string, Parameters<typeof asked>[2]]>([
    ['a request to count', { call: { endpoint: 'count' } }],
    ['a compaction by its endpoint', { call: { endpoint: 'compact' } }],
    ['what the engine asks by itself', { call: { internal: { kind: 'turn', withinMs: 1_000 } } }],
    ['a test of a provider', { call: { test: { key: null } } }],
    ["a line of Onward's own", { turn: { ownAnswer: 'Cleared.' } }],
    ['a reentered followup', { turn: { reentered: true } }],
    ...(['subagent', 'title', 'compaction', 'count', 'probe'] as const).map(
      (kind): [string, Parameters<typeof asked>[2]] => [`a request of kind ${kind}`, { identity: { kind } }],
    ),
  ])('is not %s', (_, given) => {
    expect(wantsTimeTag(asked('messages', claude([])))).toBe(true)
    expect(wantsTimeTag(asked('messages', claude([]), given))).toBe(false)
  })
})

describe('a model that bears the tag', () => {
  it.each<[string, EntryProtocol, object, string, boolean]>([
    ["one of Anthropic's", 'messages', claude([]), 'claude-opus-5', true],
    [
      'one that marks the latest message, for a client that leaves it to it',
      'responses',
      codex([]),
      'gpt-5.6-sol',
      false,
    ],
    ["the same by OpenRouter's name", 'chat', opencode([]), 'openai/gpt-6', false],
    ["the same, for a client of Gemini's", 'gemini', geminiCli([], null), 'gpt-5.6', false],
    [
      'the same, for a client that says where',
      'chat',
      opencode([], { prompt_cache_options: { mode: 'explicit' } }),
      'gpt-5.6',
      true,
    ],
    ["the same, for a client with marks of Anthropic's", 'messages', claude([]), 'gpt-5.6', true],
    [
      'the same, for one without',
      'messages',
      { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
      'gpt-5.6',
      false,
    ],
    ['one before it', 'responses', codex([]), 'gpt-5.5', true],
    ["one of Mistral's behind results", 'chat', opencode(called), 'mistralai/mistral-medium-3', false],
    [
      "one of Mistral's behind results of Claude Code's",
      'messages',
      claude([used, { role: 'user', content: [result] }]),
      'devstral-2',
      false,
    ],
    ["one of Mistral's behind words", 'chat', opencode([]), 'open-mixtral-8x22b', true],
    [
      'automatic caching, whoever answers',
      'messages',
      claude([], { cache_control: { type: 'ephemeral' } }),
      'any',
      false,
    ],
  ])('%s', (_, entry, body, model, bears) => expect(bearsTimeTag(asked(entry, body).draft.lens, model)).toBe(bears))
})
