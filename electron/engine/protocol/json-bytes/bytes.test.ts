import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { validInsides } from './bytes.ts'
import { decode, decodeStart, decodeString } from './index.ts'

const unit = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  fc.constantFrom('\n', '"', '\\', 'é', '中', '😀', '\ud800', '\udc00', '<', '\u0001'),
)
const texts = fc.array(unit, { maxLength: 120 }).map((units) => units.join(''))
/** Returns the ways a JSON writer may write a text. */
const written = (text: string): string[] => {
  const plain = JSON.stringify(text)
  return [
    plain,
    `"${[...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`,
  ]
}

describe('decoding', () => {
  it('gives the text of a token, lone surrogates kept', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const token of written(text)) {
          const body = Buffer.from(` ${token},`)
          expect(decodeString(body, { start: 1, end: body.length - 1 })).toBe(text)
        }
      }),
      runs(100),
    )
  })
  it('gives the start of a token without the rest', () => {
    fc.assert(
      fc.property(texts, fc.nat(130), (text, limit) => {
        for (const token of written(text)) {
          const body = Buffer.from(token)
          expect(decodeStart(body, { start: 0, end: body.length }, limit)).toBe(text.slice(0, limit))
        }
      }),
      runs(100),
    )
  })
  it('refuses a token that is no string', () => {
    expect(() => decodeString(Buffer.from('{"a":1} '.repeat(10)), { start: 0, end: 7 })).toThrow(/bad-json|string/)
    expect(decode(Buffer.from('[1,2]'), { start: 1, end: 2 })).toBe(1)
  })
})

/** Expects the same result as JSON.parse, wherever the string is in memory. */
function agrees(inside: Buffer): void {
  const token = Buffer.concat([Buffer.from('"'), inside, Buffer.from('"')])
  let expected = true
  try {
    JSON.parse(token.toString())
  } catch {
    expected = false
  }
  for (let shift = 0; shift < 4; shift++) {
    const bytes = Buffer.concat([Buffer.alloc(shift, 0x20), token, Buffer.from(' \u0001')])
    const view = Buffer.from(bytes.buffer, bytes.byteOffset + shift, bytes.length - shift)
    expect(validInsides(view)(1, 1 + inside.length)).toBe(expected)
    expect(validInsides(bytes)(shift + 1, shift + 1 + inside.length)).toBe(expected)
  }
}

describe('the inside of a string', () => {
  it.each([
    '',
    'plain words, longer than a few of four bytes',
    '\\n',
    'abc\\u001b[31m',
    'ab\\ud83d',
    '\\"\\\\\\/\\b\\f\\n\\r\\t',
    '保存 é 😀',
    '\\x41',
    'abcd\\u12g4',
    'abc\\u12',
    'line\nbreak',
    'abcdefg\u0000',
    'tab\there',
    '\u001f',
    '\u007f',
  ])('is judged as JSON.parse does: %j', (inside) => agrees(Buffer.from(inside)))

  it('is judged as JSON.parse does whatever it is made of', () => {
    const piece = fc.constantFrom(
      'a',
      ' ',
      'é',
      '保',
      '😀',
      '\\n',
      '\\"',
      '\\\\',
      '\\u0',
      '00ff',
      '\n',
      '\u0002',
      '\\q',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const inside = pieces.join('')
        // The closing quote is found before, so there is no half escape in front of it.
        fc.pre(!/(?:^|[^\\])(?:\\\\)*\\$/.test(inside))
        agrees(Buffer.from(inside))
      }),
    )
  })
})
