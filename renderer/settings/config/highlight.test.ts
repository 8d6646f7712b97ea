import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { coloured } from './highlight.ts'

describe('the colours of a config text', () => {
  it('tell names, texts, values and comments', () =>
    expect(coloured('{ // why\n  "a" : [1, "b"]}')).toEqual([
      [
        { kind: 'plain', text: '{' },
        { kind: 'plain', text: ' ' },
        { kind: 'comment', text: '// why' },
      ],
      [
        { kind: 'plain', text: '  ' },
        { kind: 'key', text: '"a"' },
        { kind: 'plain', text: ' ' },
        { kind: 'plain', text: ':' },
        { kind: 'plain', text: ' ' },
        { kind: 'plain', text: '[' },
        { kind: 'value', text: '1' },
        { kind: 'plain', text: ',' },
        { kind: 'plain', text: ' ' },
        { kind: 'text', text: '"b"' },
        { kind: 'plain', text: ']' },
        { kind: 'plain', text: '}' },
      ],
    ]))

  it('change no letter of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '{', '\n', '/', '*', 'a', '\\', ':', '1', ' ') }), (text) => {
        expect(
          coloured(text)
            .map((line) => line.map((piece) => piece.text).join(''))
            .join('\n'),
        ).toBe(text)
      }),
      runs(300),
    )
  })
})
