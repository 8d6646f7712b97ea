import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { OnwardError } from '../../base/errors.ts'
import { decode, elements, maxDepth, members, outline } from './index.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const accepts = (body: Buffer): boolean => {
  try {
    outline(body)
    return true
  } catch (error) {
    // Requests must have different keys; JSON need not.
    if (OnwardError.isInstance(error)) return error.code === 'duplicate-key'
    throw error
  }
}
const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return false
  }
}
const problem = (text: string | Buffer): OnwardError => {
  try {
    outline(Buffer.from(text))
  } catch (error) {
    if (OnwardError.isInstance(error)) return error
  }
  throw new Error('it was accepted')
}
/** JSON as people and programs write it: any white space, escapes, long strings. */
const jsonText = fc
  .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, 2, '\t', '\r\n'))
  .map(([value, space]) => JSON.stringify(value, null, typeof space === 'string' ? ' ' : space))

describe('the outline of a document', () => {
  it.each([
    '{}',
    '[]',
    '0',
    '-0',
    '1.5e-7',
    '10',
    '1E+2',
    'true',
    'false',
    'null',
    '""',
    ' \t\r\n{ } ',
    '[[],{}]',
    '{"a":[1,{"b":[]}],"c":""}',
    String.raw`"\u00e9\"\\\/\b\f\n\r\t"`,
    '"ü€😀"',
  ])('accepts %s', (text) => {
    expect(parses(text)).toBe(true)
    expect(accepts(Buffer.from(text))).toBe(true)
  })
  it.each([
    '',
    ' ',
    '{',
    '}',
    '[',
    ']',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '{"a" 1}',
    '{"a":1 "b":2}',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1}',
    '{"a":1]',
    '01',
    '-',
    '+1',
    '1.',
    '.5',
    '1e',
    '1e+',
    '0x1',
    'NaN',
    'Infinity',
    'tru',
    'nulL',
    'truefalse',
    '1 2',
    '{}{}',
    '"',
    '"a',
    '"\\',
    '"\\"',
    '"\\x"',
    '"\\u12g4"',
    '"\\u12',
    '"\n"',
    '"\u0000"',
    '\uFEFF{}',
    '{"a":1}x',
    '/* */{}',
    '{"a":undefined}',
    '{"":1,:2}',
  ])('refuses %j', (text) => {
    expect(parses(text)).toBe(false)
    expect(accepts(Buffer.from(text))).toBe(false)
  })

  it('accepts what JSON.parse accepts', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        outline(Buffer.from(text))
      }),
      runs(1000),
    )
  })
  it('decides like JSON.parse when a sign is taken out, put in or exchanged', () => {
    const sign = fc.constantFrom(
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      ' ',
      '\n',
      '0',
      '1',
      '-',
      '.',
      'e',
      'n',
      'u',
      't',
      '\u0001',
      'ü',
    )
    const short = fc
      .jsonValue({ maxDepth: 4, stringUnit: 'grapheme-ascii' })
      .map((v) => JSON.stringify(v))
      .filter((t) => (t.match(/"[^"]*"/g) ?? []).every((s) => s.length < 12))
    fc.assert(
      fc.property(short, fc.nat(), fc.nat(2), sign, (text, at, kind, put) => {
        const i = at % (text.length + 1)
        const changed = text.slice(0, i) + (kind === 0 ? '' : put) + text.slice(kind === 1 ? i : i + 1)
        fc.pre((changed.match(/"[^"]*/g) ?? []).every((s) => s.length < 20))
        expect(accepts(Buffer.from(changed))).toBe(parses(changed))
      }),
      runs(5000),
    )
  })
  it('accepts no random bytes that JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const body = Buffer.from(bytes)
        const text = body.toString('utf8')
        if (Buffer.from(text).equals(body)) expect(accepts(body)).toBe(parses(text))
        else expect(accepts(body)).toBe(false)
      }),
      runs(2000),
    )
  })

  it('gives every member and element as bytes that decode to its value', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 4 })),
        fc.constantFrom(0, 3),
        (object, space) => {
          const text = JSON.stringify(object, null, space)
          const body = Buffer.from(text)
          const parsed: Record<string, unknown> = JSON.parse(text)
          const found = outline(body)
          expect([...(found.members?.keys() ?? [])].sort()).toEqual(Object.keys(parsed).sort())
          for (const [key, span] of found.members ?? []) {
            expect(decode(body, span)).toEqual(parsed[key])
            const list = parsed[key]
            expect(found.elements.get(key)?.map((e) => decode(body, e))).toEqual(Array.isArray(list) ? list : undefined)
          }
        },
      ),
      runs(500),
    )
  })
  it('walks objects and arrays below to the same values', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, space) => {
        const body = Buffer.from(JSON.stringify(value, null, space))
        const { root } = outline(body)
        const parsed: unknown = decode(body, root)
        expect(elements(body, root).map((e) => decode(body, e))).toEqual(Array.isArray(parsed) ? parsed : [])
        if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
          const ascii = Object.entries(parsed).filter(([key]) => /^[\x20-\x7e]*$/.test(key))
          expect(
            members(
              body,
              root,
              ascii.map(([key]) => key),
            ).map((span) => span && decode(body, span)),
          ).toEqual(ascii.map(([, v]) => v))
        }
      }),
      runs(500),
    )
  })

  it.each([
    ['{"model":"a","model":"b"}', 'model', 13],
    [String.raw`{ "model":"a", "messages":[], "mod\u0065l":"a"}`, 'model', 30],
    ['{"a":[1],"b":1,"a":2,"b":[3]}', 'a', 15],
    ['{"__proto__":1,"__proto__":2}', '__proto__', 15],
    ['{"m":{"a":[1],"b":1,"a":2}}', 'a', 20],
    ['[[{"a":1,"b":{"a":1},"a":2}]]', 'a', 21],
    [String.raw`{"m":[{"role":1,"c":{},"r\u006fle":2}]}`, 'role', 23],
    [String.raw`{"m":{"q\"\u0007":1,"q\u0022\u0007":2}}`, 'q"\u0007', 20],
  ])('refuses a key that stands there twice: %s', (text, key, offset) => {
    expect(problem(text)).toMatchObject({
      code: 'duplicate-key',
      status: 400,
      details: { offset },
      message: expect.stringContaining(`“${key}” twice`),
    })
  })
  it('refuses it in an object of many', () => {
    const text = `{"m":{${Array.from({ length: 100 }, (_, i) => `"k${i}":{"k${i}":1}`).join()},"k7":0}}`
    expect(problem(text)).toMatchObject({ code: 'duplicate-key', details: { offset: text.lastIndexOf('"k7"') } })
  })
  it('refuses exactly what names one twice, wherever it stands', () => {
    const name = fc.constantFrom(
      'a',
      'b',
      'aa',
      '\u{1f511}',
      'k'.repeat(40),
      ...Array.from({ length: 60 }, (_, i) => `n${i}`),
    )
    const escaped = (key: string) =>
      [...key].map((c) => (c < '\x7f' ? `\\u00${c.charCodeAt(0).toString(16)}` : c)).join('')
    const key = fc
      .tuple(name, fc.boolean())
      .map(([name, hidden]) => ({ name, json: `"${hidden ? escaped(name) : name}"` }))
    const { tree } = fc.letrec<{ tree: { text: string; twice: boolean } }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constant({ text: '1', twice: false }),
        fc.array(fc.tuple(key, tie('tree')), { maxLength: 60 }).map((all) => ({
          text: `{${all.map(([{ json }, { text }]) => `${json}:${text}`).join()}}`,
          twice: new Set(all.map(([{ name }]) => name)).size < all.length || all.some(([, { twice }]) => twice),
        })),
        fc.array(tie('tree')).map((all) => ({
          text: `[${all.map(({ text }) => text).join()}]`,
          twice: all.some(({ twice }) => twice),
        })),
      ),
    }))
    fc.assert(
      fc.property(tree, ({ text, twice }) => {
        const run = () => outline(Buffer.from(text))
        if (twice) expect(run).toThrow(expect.objectContaining({ code: 'duplicate-key' }))
        else run()
      }),
      runs(1_000),
    )
  })
  it('takes the last of equal keys of what was not outlined', () => {
    const body = Buffer.from('{"a":[1],"b":1,"a":2}')
    expect(
      members(body, { start: 0, end: body.length }, ['b', 'a', 'c']).map((span) => span && decode(body, span)),
    ).toEqual([1, 2, null])
  })
  it('finds keys that are written with escapes', () => {
    const body = Buffer.from(String.raw`{"\u006dodel":"x","r\u006fle":1}`)
    expect(outline(body).members?.get('model')).toEqual({ start: 14, end: 17 })
    expect(members(body, outline(body).root, ['role']).map((span) => span && decode(body, span))).toEqual([1])
  })
  it('knows where long strings stand that are values', () => {
    const long = JSON.stringify(`"${'x'.repeat(300)}\\`)
    const json = Buffer.from(`{"a":${long},${long}:[{"b":[${long},"short"]}]}`)
    const found = outline(json).longStrings
    expect(found.length).toBe(4)
    for (let i = 0; i < found.length; i += 2) expect(json.toString('utf8', found[i], found[i + 1])).toBe(long)
  })
  it('knows no members of anything but an object', () => {
    expect(outline(Buffer.from('[{"a":[1]}]'))).toEqual({
      root: { start: 0, end: 11 },
      members: null,
      elements: new Map(),
      longStrings: [],
    })
    expect(members(Buffer.from('[1]'), { start: 0, end: 3 }, ['a'])).toEqual([null])
  })
  it('is not confused by brackets, quotes and backslashes in long strings', () => {
    const tricky = '"}]{[,:\\"\\\\'.repeat(20) + '\\'
    const body = Buffer.from(JSON.stringify({ a: tricky, b: [tricky, { c: tricky }], d: 1 }))
    const found = outline(body)
    expect(found.members?.size).toBe(3)
    expect(found.elements.get('b')).toHaveLength(2)
  })

  it('says where and why, as a 400', () => {
    expect(problem('{"a":1,\n"b"x}')).toMatchObject({ code: 'bad-json', status: 400, details: { offset: 11 } })
    expect(problem('{"a":1')).toMatchObject({ message: 'The body is not valid JSON: it ends too early at byte 6.' })
    expect(problem(Buffer.from([0x22, 0xc3, 0xbc, 0x61, 0xff, 0x22]))).toMatchObject({
      code: 'bad-utf8',
      status: 400,
      details: { offset: 4 },
    })
    expect(
      problem(Buffer.concat([Buffer.from(`"${'ü€😀'.repeat(500)}`), Buffer.from([0xe2, 0x82, 0x22])])),
    ).toMatchObject({ code: 'bad-utf8', details: { offset: 4501 } })
  })
  it('refuses documents nested too deep, and says so', () => {
    expect(accepts(Buffer.from('['.repeat(maxDepth) + ']'.repeat(maxDepth)))).toBe(true)
    expect(problem('['.repeat(maxDepth + 1) + ']'.repeat(maxDepth + 1)).message).toContain(`${maxDepth} levels`)
    expect(problem('{"a":'.repeat(200_000)).code).toBe('bad-json')
  })
  it('leaves bad escapes deep in a long string to whoever decodes it', () => {
    const body = Buffer.from(`{"a":"${'x'.repeat(50)}\\q"}`)
    const span = outline(body).members?.get('a')
    expect(() => decode(body, span ?? { start: 0, end: 0 })).toThrowError(
      expect.objectContaining({ code: 'bad-json', status: 400 }),
    )
  })
})
