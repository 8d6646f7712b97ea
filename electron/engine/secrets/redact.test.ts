import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { createRedactor, hidden } from './redact.ts'

const key = 'sk-live/abc+DEF="123'

describe('a redactor', () => {
  const { text, bytes, value } = createRedactor([key, 'sk-2', 'ab'])

  it.each([
    ['as it is', `Incorrect API key provided: ${key}.`, `Incorrect API key provided: ${hidden}.`],
    ['in JSON', JSON.stringify({ message: `no: ${key}` }), `{"message":"no: ${hidden}"}`],
    ['in JSON with escaped slashes', JSON.stringify(key).replaceAll('/', '\\/'), `"${hidden}"`],
    ['in an address', `https://x.test/?key=${encodeURIComponent(key)}&a=1`, `https://x.test/?key=${hidden}&a=1`],
    [
      'in JSON with escapes',
      String.raw`{"message":"no: sk\u002dlive\/abc\u002BDEF=\u0022123"}`,
      `{"message":"no: ${hidden}"}`,
    ],
    [
      'in JSON within JSON',
      String.raw`"{\"m\":\"sk\\u002dlive\\/abc\\u002bDEF=\\\"123\"}"`,
      String.raw`"{\"m\":\"${'[hidden]'}\"}"`,
    ],
    ['with every character escaped', [...key].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join(''), hidden],
    ['with hex escapes', [...key].map((c) => `\\x${c.charCodeAt(0).toString(16)}`).join(''), hidden],
    ['in an address, in small letters', encodeURIComponent(key).replace(/%../g, (c) => c.toLowerCase()), hidden],
    ['in an address within an address', encodeURIComponent(encodeURIComponent(key)), hidden],
    ['in HTML', key.replace(/[^a-z]/gi, (c) => `&#${c.charCodeAt(0)};`), hidden],
    ['short, escaped', String.raw`"sk\u002d2"`, `"${hidden}"`],
    ['twice', `${key}${key}`, `${hidden}${hidden}`],
    ['short, alone', 'the key "sk-2" is bad', `the key "${hidden}" is bad`],
    ['short, as a part of another word', 'task-25 of sk-2x', 'task-25 of sk-2x'],
    ['too short to be one', 'ab cd', 'ab cd'],
    ['not at all', 'Rate limit reached.', 'Rate limit reached.'],
  ])('takes a secret out %s', (_, said, shown) => {
    expect(text(said)).toBe(shown)
    expect(bytes(Buffer.from(said)).toString()).toBe(shown)
  })

  it('leaves every other byte alone, and the Buffer itself where there is none', () => {
    const odd = Buffer.concat([Buffer.from([0xff, 0x00, 0xc3]), Buffer.from(`“${key}” 键`), Buffer.from([0x80])])
    expect(bytes(odd)).toEqual(
      Buffer.concat([Buffer.from([0xff, 0x00, 0xc3]), Buffer.from(`“${hidden}” 键`), Buffer.from([0x80])]),
    )
    const none = Buffer.from([0xff, 1, 2])
    expect(bytes(none)).toBe(none)
  })

  it('finds it in data and in errors, and changes neither', () => {
    const cause = Object.assign(new Error(`bad ${key}`), { code: 'E1' })
    const data = { a: [1, { b: `x ${key}` }], c: null, error: new Error('outer', { cause }) }
    const shown = value(data)
    expect(shown.a).toEqual([1, { b: `x ${hidden}` }])
    expect(shown.error.cause).toMatchObject({ message: `bad ${hidden}`, code: 'E1' })
    expect(String((shown.error.cause as Error).stack)).not.toContain(key)
    expect(cause.message).toBe(`bad ${key}`)
    const clean = { a: ['b'] }
    expect(value(clean)).toBe(clean)
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(() => value(circle)).not.toThrow()
  })

  it('finds it across the pieces of a stream, however they are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(key), fc.string()), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 40 })),
        (parts, cuts) => {
          const whole = Buffer.from(parts.join(' '))
          const { push, end } = createRedactor([key]).stream()
          const out: Buffer[] = []
          let from = 0
          for (const cut of cuts) {
            out.push(push(whole.subarray(from, from + cut)))
            from = Math.min(whole.length, from + cut)
          }
          out.push(push(whole.subarray(from)), end())
          expect(Buffer.concat(out)).toEqual(createRedactor([key]).bytes(whole))
        },
      ),
      runs(500),
    )
  })

  it('tells of every text in JSON that it would change, by the JSON alone', () => {
    const pattern = 'owk_[A-Za-z0-9_-]{20,}'
    const secret = fc.oneof(
      fc.constantFrom(
        key,
        'sk-2',
        'pass',
        'line\nbreak "quoted" \\ and more',
        'schlüssel-\u{1f511}-lang',
        '\ud83d-half',
      ),
      fc.string({ unit: 'grapheme', minLength: 4 }),
      fc.string({ minLength: 4 }),
    )
    const around = fc.oneof(fc.constantFrom('\n', '"', '\\', '/', 'a', '\u{1f511}', ''), fc.string())
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(around, around)),
        (known, texts) => {
          const { mayBeIn, value } = createRedactor(known, [pattern])
          const forms = known.flatMap((one) => [
            one,
            JSON.stringify(one),
            encodeURIComponent(one.replace(/\p{Surrogate}/gu, '')),
            [...one].map((c, i) => (i % 2 ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)).join(''),
          ])
          const said = [...forms, `owk_${'x'.repeat(20)}`].map((form, i) => (texts[i] ?? ['\n', '']).join(form))
          for (const text of said) {
            const data = { type: 'x', list: [{ text }] }
            if (value(data) !== data) expect(mayBeIn(JSON.stringify(data))).toBe(true)
          }
        },
      ),
      runs(1000),
    )
    expect(createRedactor([key], [pattern]).mayBeIn(JSON.stringify({ text: 'Rate limit reached.' }))).toBe(false)
  })

  it('without secrets changes nothing', () => {
    const none = createRedactor([''])
    expect(none.text('a')).toBe('a')
  })
})
