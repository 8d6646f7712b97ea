import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { decode, decodeStart, decodeString } from './index.ts'
import { runs } from '../../../../shared/testing/runs.ts'

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
