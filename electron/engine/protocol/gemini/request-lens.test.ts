import { describe, expect, it } from 'vitest'
import type { MessageEnd } from '../types.ts'
import { modelEdits, userTextEdits } from '../index.ts'
import { splice } from '../json-bytes/index.ts'
import { geminiCodec } from './codec.ts'

const path = '/v1beta/models/gemini-3:generateContent'
const read = (body: unknown, at = path) =>
  geminiCodec.read(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), at)
const user = (...parts: unknown[]) => ({ role: 'user', parts })
const model = (...parts: unknown[]) => ({ role: 'model', parts })
const result = { functionResponse: { name: 'look', response: { output: '<**in a result**>' } } }

/** name, the contents, texts of the user's contents by index, and the last content */
const conversations: [string, unknown, [number, string][], MessageEnd | null][] = [
  ['a text', [user({ text: 'hi' })], [[0, 'hi']], { role: 'user', index: 0, texts: ['hi'] }],
  ['a content without a role', [{ parts: [{ text: 'hi' }] }], [[0, 'hi']], { role: 'user', index: 0, texts: ['hi'] }],
  [
    'parts',
    [user({ text: 'a' }, { inlineData: { mimeType: 'image/png', data: '' } }, { text: 'b' })],
    [
      [0, 'a'],
      [0, 'b'],
    ],
    { role: 'user', index: 0, texts: ['a', 'b'] },
  ],
  [
    'only an image',
    [user({ inlineData: { mimeType: 'image/png', data: '' } })],
    [],
    { role: 'user', index: 0, texts: [] },
  ],
  [
    'an answer in between',
    [user({ text: 'a' }), model({ text: 'x' }), user({ text: 'b' })],
    [
      [0, 'a'],
      [2, 'b'],
    ],
    { role: 'user', index: 2, texts: ['b'] },
  ],
  [
    'a tool round',
    [user({ text: 'a' }), model({ functionCall: { name: 'look' } }), user(result)],
    [[0, 'a']],
    { role: 'tool', index: 2, texts: [] },
  ],
  [
    'results in the role of older requests',
    [user({ text: 'a' }), model(), { role: 'function', parts: [result] }],
    [[0, 'a']],
    { role: 'tool', index: 2, texts: [] },
  ],
  [
    'text beside a result',
    [user(result, { text: 'and this' })],
    [[0, 'and this']],
    { role: 'user', index: 0, texts: ['and this'] },
  ],
  [
    'an answer at the end',
    [user({ text: 'a' }), model({ text: '{' })],
    [[0, 'a']],
    { role: 'assistant', index: 1, texts: [] },
  ],
  [
    'a thought under the user’s role',
    [user({ text: 'hm', thought: true }, { text: 'a', thought: false })],
    [[0, 'a']],
    { role: 'user', index: 0, texts: ['a'] },
  ],
  [
    'lists of one without brackets, roles in capitals',
    { role: 'USER', parts: { text: 'a' } },
    [[0, 'a']],
    { role: 'user', index: 0, texts: ['a'] },
  ],
  [
    'snake case',
    [user({ text: 'a' }), model(), user({ function_response: {} })],
    [[0, 'a']],
    { role: 'tool', index: 2, texts: [] },
  ],
  [
    'things that are no content',
    [user({ text: 'a' }), 5, null, 'text', []],
    [[0, 'a']],
    { role: 'user', index: 4, texts: [] },
  ],
  ['nothing', [], [], null],
]

describe('reading contents', () => {
  it.each(conversations)('%s', (_, contents, texts, last) => {
    for (const body of [{ contents }, { generateContentRequest: { contents } }]) {
      const lens = read(body)
      expect(lens.userTexts().map((t) => [t.messageIndex, t.text()])).toEqual(texts)
      expect(lens.lastMessage()).toEqual(last)
      for (const t of lens.userTexts()) expect(JSON.parse(lens.body.toString('utf8', t.start, t.end))).toBe(t.text())
    }
  })

  it.each<[unknown, string[]]>([
    [{ parts: [{ text: 'abcdef' }, { text: 'gh' }] }, ['abcd', 'gh']],
    [{ parts: { text: 'abcdef' } }, ['abcd']],
    ['abcdef', ['abcd']],
    [null, []],
  ])('gives the start of system texts: %j', (systemInstruction, expected) => {
    expect(read({ systemInstruction, contents: [] }).systemTexts(4)).toEqual(expected)
    expect(read({ system_instruction: systemInstruction }).systemTexts(4)).toEqual(expected)
  })

  it('counts declared functions, and Google’s own tools', () => {
    expect(read({ tools: [{ functionDeclarations: [{}, {}] }, { googleSearch: {} }] }).toolCount()).toBe(3)
    expect(read({ tools: [] }).toolCount()).toBe(0)
    expect(read({}).toolCount()).toBeNull()
  })

  it('takes model and streaming from the path, never from the body', () => {
    const body = { model: 5, stream: 'yes', contents: [] }
    expect(read(body)).toMatchObject({ protocol: 'gemini', model: 'gemini-3', stream: false })
    expect(read(body).streamForm).toBeUndefined()
    expect(read(body, '/v1beta/models/up%2Fm:streamGenerateContent?alt=sse')).toMatchObject({
      model: 'up/m',
      stream: true,
      streamForm: 'sse',
    })
    expect(read(body, '/v1beta/models/m:streamGenerateContent')).toMatchObject({
      stream: true,
      streamForm: 'json-array',
    })
  })

  it('refuses what is no object', () => {
    expect(() => read('[]')).toThrowError(expect.objectContaining({ code: 'bad-request', status: 400 }))
    expect(() => read('{')).toThrowError(expect.objectContaining({ code: 'bad-json', status: 400 }))
  })

  it('knows a retry by its history', () => {
    const history = [user({ text: 'a' }), model({ text: 'x' })]
    const digest = (...contents: unknown[]) => read({ contents }).historyDigest()
    expect(digest(...history, user({ text: 'b' }))).toBe(digest(...history, user({ text: 'b' }), model(), user(result)))
    expect(digest(...history, user({ text: 'b' }))).not.toBe(digest(user({ text: 'b' })))
  })
})

describe('changing a request', () => {
  const edited = (body: string, model: string) => splice(Buffer.from(body), modelEdits(read(body), model)).toString()

  it('touches a text and no other byte', () => {
    const body =
      ' { "contents" : [ {"parts":[ {"text" : "Hi \\u003c**x**>" , "z":1.0} ], "role":"user"} ], "zz":[ -0 ] }\n'
    expect(
      splice(
        Buffer.from(body),
        userTextEdits(read(body), (text) => text.replace('<**x**>', '')),
      ).toString(),
    ).toBe(body.replace('"Hi \\u003c**x**>"', '"Hi "'))
  })

  it('names another model in the path, and in a count that holds a whole request', () => {
    const plain = ' {"contents":[], "model" : "kept"}'
    expect(edited(plain, 'other')).toBe(plain)
    expect(geminiCodec.pathFor?.(path, 'other')).toBe('/v1beta/models/other:generateContent')
    const count = '{ "generateContentRequest" : { "model":"models/gemini-3", "contents":[] } }'
    expect(edited(count, 'gemini-3')).toBe(count)
    expect(edited(count, 'other')).toBe(count.replace('models/gemini-3', 'models/other'))
  })
})
