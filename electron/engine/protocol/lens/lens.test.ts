import { describe, expect, it } from 'vitest'
import { chatDialect } from '../chat/codec.ts'
import { messagesDialect } from '../messages/codec.ts'
import { responsesDialect } from '../responses/request-lens.ts'
import type { MessageEnd } from '../types.ts'
import { type LensDialect, readRequest } from './lens.ts'

const dialects: Record<string, LensDialect> = {
  chat: chatDialect,
  responses: responsesDialect,
  messages: messagesDialect,
}
const read = (protocol: string, body: unknown) => {
  const dialect = dialects[protocol]
  if (!dialect) throw new Error(`no dialect ${protocol}`)
  return readRequest(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), dialect)
}
const image = { type: 'image_url', image_url: { url: 'data:,' } }
const result = { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: '<**in a result**>' }] }

/** protocol, name, the conversation, texts of the user messages by index, and the last message */
const conversations: [string, string, unknown, [number, string][], MessageEnd | null][] = [
  ['chat', 'a string', [{ role: 'user', content: 'hi' }], [[0, 'hi']], { role: 'user', index: 0, texts: ['hi'] }],
  [
    'chat',
    'parts',
    [{ role: 'user', content: [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }] }],
    [
      [0, 'a'],
      [0, 'b'],
    ],
    { role: 'user', index: 0, texts: ['a', 'b'] },
  ],
  ['chat', 'only an image', [{ role: 'user', content: [image] }], [], { role: 'user', index: 0, texts: [] }],
  [
    'chat',
    'a tool round',
    [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'tool', content: 'r' },
    ],
    [[0, 'a']],
    { role: 'tool', index: 2, texts: [] },
  ],
  [
    'chat',
    'an old function result',
    [{ role: 'function', name: 'f', content: 'r' }],
    [],
    { role: 'tool', index: 0, texts: [] },
  ],
  [
    'chat',
    'trailing system items',
    [
      { role: 'user', content: 'a' },
      { role: 'system', content: 's' },
      { role: 'developer', content: 'd' },
    ],
    [[0, 'a']],
    { role: 'user', index: 0, texts: ['a'] },
  ],
  [
    'chat',
    'an assistant at the end',
    [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ],
    [[0, 'a']],
    { role: 'assistant', index: 1, texts: [] },
  ],
  ['chat', 'only system items', [{ role: 'system', content: 's' }], [], null],
  [
    'chat',
    'an unknown role and things that are no message',
    [{ role: 'user', content: 'a' }, { role: 'critic', content: 'x' }, 5, null, 'text', []],
    [[0, 'a']],
    { role: 'other', index: 5, texts: [] },
  ],
  ['chat', 'nothing', [], [], null],
  ['responses', 'a text', 'hi', [[0, 'hi']], { role: 'user', index: 0, texts: ['hi'] }],
  [
    'responses',
    'a message without type',
    [{ role: 'user', content: 'hi' }],
    [[0, 'hi']],
    { role: 'user', index: 0, texts: ['hi'] },
  ],
  [
    'responses',
    'parts',
    [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', image_url: 'x' },
          { type: 'input_text', text: 'b' },
        ],
      },
    ],
    [
      [0, 'a'],
      [0, 'b'],
    ],
    { role: 'user', index: 0, texts: ['a', 'b'] },
  ],
  [
    'responses',
    'an answer in between',
    [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'x' }] },
      { role: 'user', content: 'b' },
    ],
    [
      [0, 'a'],
      [2, 'b'],
    ],
    { role: 'user', index: 2, texts: ['b'] },
  ],
  [
    'responses',
    'a tool round',
    [
      { role: 'user', content: 'a' },
      { type: 'function_call', name: 'f', arguments: '{}' },
      { type: 'function_call_output', output: 'r' },
    ],
    [[0, 'a']],
    { role: 'tool', index: 2, texts: [] },
  ],
  [
    'responses',
    'a custom tool round',
    [
      { type: 'custom_tool_call', name: 'f', input: 'x' },
      { type: 'custom_tool_call_output', output: 'r' },
    ],
    [],
    { role: 'tool', index: 1, texts: [] },
  ],
  [
    'responses',
    'reasoning at the end',
    [
      { role: 'user', content: 'a' },
      { type: 'reasoning', summary: [] },
    ],
    [[0, 'a']],
    { role: 'assistant', index: 1, texts: [] },
  ],
  [
    'responses',
    'trailing developer items',
    [
      { role: 'user', content: 'a' },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'd' }] },
      { role: 'system', content: 's' },
    ],
    [[0, 'a']],
    { role: 'user', index: 0, texts: ['a'] },
  ],
  ['responses', 'an unknown item', [{ type: 'item_reference', id: 'x' }], [], { role: 'other', index: 0, texts: [] }],
  ['messages', 'a string', [{ role: 'user', content: 'hi' }], [[0, 'hi']], { role: 'user', index: 0, texts: ['hi'] }],
  [
    'messages',
    'blocks',
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', source: {} },
          { type: 'text', text: 'b', cache_control: {} },
        ],
      },
    ],
    [
      [0, 'a'],
      [0, 'b'],
    ],
    { role: 'user', index: 0, texts: ['a', 'b'] },
  ],
  [
    'messages',
    'a tool round',
    [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [] },
      { role: 'user', content: [result] },
    ],
    [[0, 'a']],
    { role: 'tool', index: 2, texts: [] },
  ],
  [
    'messages',
    'text beside a tool result',
    [{ role: 'user', content: [result, { type: 'text', text: 'and this' }] }],
    [[0, 'and this']],
    { role: 'user', index: 0, texts: ['and this'] },
  ],
  [
    'messages',
    'trailing system messages',
    [
      { role: 'user', content: 'a' },
      { role: 'system', content: [{ type: 'text', text: 's' }] },
    ],
    [[0, 'a']],
    { role: 'user', index: 0, texts: ['a'] },
  ],
  [
    'messages',
    'a prefilled answer',
    [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: '{' },
    ],
    [[0, 'a']],
    { role: 'assistant', index: 1, texts: [] },
  ],
]

describe('reading a conversation', () => {
  it.each(conversations)('%s: %s', (protocol, _, list, texts, last) => {
    const lens = read(protocol, { model: 'm', [protocol === 'responses' ? 'input' : 'messages']: list })
    expect(lens.userTexts().map((t) => [t.messageIndex, t.text()])).toEqual(texts)
    expect(lens.lastMessage()).toEqual(last)
    expect(lens.messageCount()).toBe(typeof list === 'string' ? 1 : Array.isArray(list) ? list.length : 0)
    for (const t of lens.userTexts()) expect(JSON.parse(lens.body.toString('utf8', t.start, t.end))).toBe(t.text())
  })

  it('decodes texts: escapes, line ends, lone surrogates', () => {
    const lens = read('chat', String.raw`{"messages":[{"role":"user","content":"\u003c**a**\u003e\n\ud800 中"}]}`)
    expect(lens.lastMessage()?.texts).toEqual(['<**a**>\n\ud800 中'])
  })
  it('sets reminders aside that a client puts behind what was said, and nothing else', () => {
    const list = (...said: [string, string][]) =>
      read('chat', { messages: said.map(([role, content]) => ({ role, content })) }).lastMessage((text) =>
        text.startsWith('<r>'),
      )
    expect(list(['user', 'a'], ['user', '<r>date'], ['user', '<r>mode'])).toMatchObject({ index: 0, texts: ['a'] })
    expect(list(['tool', 't'], ['user', '<r>date'])).toMatchObject({ role: 'tool', index: 0 })
    expect(list(['user', '<r>date'], ['user', 'a'])).toMatchObject({ index: 1, texts: ['a'] })
    expect(list(['assistant', 'b'], ['user', '<r>date'])).toMatchObject({ index: 1, texts: ['<r>date'] })
    expect(list(['user', '<r>date'])).toMatchObject({ index: 0, texts: ['<r>date'] })
  })
  it('refuses equal members of the body, and of whatever is in it', () => {
    const message = '{"role":"assistant","content":"x"}'
    expect(() => read('chat', `{"model":"a","messages":[${message}],"model":"b"}`)).toThrow(/“model” twice/)
    expect(() => read('chat', `{"messages":[],"messages":[${message}]}`)).toThrow(/“messages” twice/)
    const unclear = '{"role":"assistant","content":"x","role":"user","content":"y"}'
    expect(() => read('chat', `{"messages":[${unclear}]}`)).toThrow(/“role” twice/)
  })
  it('gives the texts of the first user message', () => {
    expect(
      read('messages', {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          },
          { role: 'user', content: 'c' },
        ],
      }).firstUserTexts(),
    ).toEqual(['a', 'b'])
    expect(read('chat', { messages: [] }).firstUserTexts()).toEqual([])
  })
  it.each<[string, unknown, string[]]>([
    [
      'chat',
      {
        messages: [
          { role: 'system', content: 'abcdef' },
          { role: 'user', content: 'u' },
          { role: 'developer', content: [{ type: 'text', text: 'ghijkl' }] },
        ],
      },
      ['abcd', 'ghij'],
    ],
    [
      'responses',
      { instructions: 'abcdef', input: [{ role: 'developer', content: [{ type: 'input_text', text: 'gh' }] }] },
      ['abcd', 'gh'],
    ],
    ['messages', { system: 'abcdef', messages: [] }, ['abcd']],
    [
      'messages',
      {
        system: [
          { type: 'text', text: 'ab' },
          { type: 'text', text: 'cdefgh' },
        ],
        messages: [{ role: 'system', content: 'x' }],
      },
      ['ab', 'cdef', 'x'],
    ],
  ])('gives the start of each system text of %s', (protocol, body, expected) => {
    expect(read(protocol, body).systemTexts(4)).toEqual(expected)
  })
  it('counts tools, and tells none from not said', () => {
    expect(read('chat', { tools: [{}, {}] }).toolCount()).toBe(2)
    expect(read('chat', { tools: [] }).toolCount()).toBe(0)
    expect(read('chat', {}).toolCount()).toBeNull()
  })
  it('gives any member by its path', () => {
    const lens = read('messages', { metadata: { user_id: '{"session_id":"s"}', n: [1, { a: null }] }, messages: [] })
    expect(lens.value('metadata', 'user_id')).toBe('{"session_id":"s"}')
    expect(lens.value('metadata')).toEqual({ user_id: '{"session_id":"s"}', n: [1, { a: null }] })
    expect(lens.value('metadata', 'x', 'y')).toBeUndefined()
    expect(lens.value('nothing')).toBeUndefined()
    expect(lens.value('metadata', 'user_id', 'session_id')).toBeUndefined()
    const at = lens.place('metadata', 'n')
    expect(at && lens.body.toString('utf8', at.start, at.end)).toBe('[1,{"a":null}]')
  })
  it('reads model and stream', () => {
    expect(read('chat', { model: 'm', stream: true })).toMatchObject({ protocol: 'chat', model: 'm', stream: true })
    expect(read('responses', { model: null, stream: null })).toMatchObject({ model: null, stream: false })
    expect(read('messages', {})).toMatchObject({ model: null, stream: false })
    expect(read('messages', {}).lastMessage()).toBeNull()
  })
  it.each<[string, string, string]>([
    ['chat', '{', 'bad-json'],
    ['chat', '', 'bad-json'],
    ['chat', '[]', 'bad-request'],
    ['chat', '"x"', 'bad-request'],
    ['chat', '{"messages":"x"}', 'bad-request'],
    ['chat', '{"messages":{}}', 'bad-request'],
    ['responses', '{"input":5}', 'bad-request'],
    ['messages', '{"model":5}', 'bad-request'],
    ['messages', '{"stream":"yes"}', 'bad-request'],
  ])('refuses a %s request %s as %s', (protocol, body, code) => {
    expect(() => read(protocol, body)).toThrowError(expect.objectContaining({ code, status: 400 }))
  })
})

describe('the digest of the history', () => {
  const user = (content: unknown) => ({ role: 'user', content })
  const digest = (...messages: unknown[]) => read('messages', { model: 'm', messages }).historyDigest()
  const task = user('go on')

  it('is the same for a retry, whatever else of the request differs', () => {
    const messages = [user('a'), { role: 'assistant', content: 'b' }, task]
    expect(read('messages', { stream: false, messages, max_tokens: 5 }).historyDigest()).toBe(
      read('messages', { messages, stream: true }).historyDigest(),
    )
  })
  it('is the same through the tool rounds of a turn', () => {
    expect(digest(user('a'), task, { role: 'assistant', content: 'b' }, user([result]))).toBe(digest(user('a'), task))
  })
  it('changes when an answer came in between', () => {
    expect(digest(task, { role: 'assistant', content: 'b' }, task)).not.toBe(digest(task))
  })
  it('changes when the messages before it change', () => {
    expect(digest(user('a'), task)).not.toBe(digest(user('b'), task))
    expect(digest(task)).not.toBe(digest())
  })
  it('of a long history tells its beginning, its end and its length', () => {
    const long = 'x'.repeat(100_000)
    const of = (first: string, middle: string, last: string) => digest(user(first), user(middle), user(last), task)
    const known = of('a', long, 'b')
    expect(of('a', long, 'b')).toBe(known)
    for (const other of [of('c', long, 'b'), of('a', `${long}x`, 'b'), of('a', long, 'c')])
      expect(other).not.toBe(known)
  })
})

describe('a request that nobody has time to read', () => {
  const code = (protocol: string, body: object): string | null => {
    try {
      read(protocol, body)
      return null
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const said = (count: number) => ({ messages: Array.from({ length: count }, () => ({ role: 'user', content: 'a' })) })
  const tool = { name: 't', description: 'x'.repeat(1024) }

  it('is refused for its many values, and an ordinary long one is not', () => {
    expect([code('chat', said(49_000)), code('chat', said(51_000))]).toEqual([null, 'too-complex'])
  })
  it('is refused for its tools', () => {
    const tools = (count: number) => ({ ...said(1), tools: Array.from({ length: count }, () => tool) })
    expect([code('messages', tools(1_900)), code('messages', tools(2_000))]).toEqual([null, 'tools-too-large'])
  })
})
