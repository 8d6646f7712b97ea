import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validInsides } from './valid-string.ts'

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
