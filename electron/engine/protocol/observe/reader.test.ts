import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { tailUnits, textTail } from './reader.ts'

describe('the tail of a text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '\n',
      '中',
      '😀',
      '"',
      '\\',
      'x'.repeat(3999),
      '中'.repeat(9000),
      '\u0001'.repeat(4000),
      '\u0001'.repeat(5000),
    ),
  )
  it('is the end of all pieces together', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 40 }), (pieces) => {
        const tail = textTail()
        for (const [text, asToken] of pieces) {
          const json = Buffer.from(JSON.stringify(text))
          if (asToken) tail.addToken(json, { start: 0, end: json.length })
          else tail.addText(text)
        }
        const text = pieces.map(([t]) => t).join('')
        const end = tail.text()
        expect(text.endsWith(end)).toBe(true)
        expect(end.length).toBeLessThanOrEqual(tailUnits)
        // A text that fits is kept whole while pieces are small; a piece of escapes alone may cost the one before it.
        if (text.length <= tailUnits) expect(end.length).toBeGreaterThanOrEqual(text.length - 1)
      }),
      runs(300),
    )
  })
  it('keeps a piece that fills it', () => {
    for (const char of ['x', '中', '\u0001']) {
      const tail = textTail()
      for (let i = 0; i < 20; i++) tail.addText(char.repeat(4000))
      expect(tail.text()).toBe(char.repeat(4000))
    }
  })
  it('joins a character that was cut in two', () => {
    const tail = textTail()
    for (const token of [String.raw`"a\ud83d"`, String.raw`"\ude00b"`])
      tail.addToken(Buffer.from(token), { start: 0, end: token.length })
    expect(tail.text()).toBe('a😀b')
  })
  it('keeps texts apart where something else came between', () => {
    const tail = textTail()
    tail.separate()
    tail.addText('a')
    tail.separate()
    tail.separate()
    tail.addText('')
    tail.addText('b')
    expect(tail.text()).toBe('a\n\nb')
  })
})
