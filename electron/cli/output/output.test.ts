import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oneLine } from './clean.ts'
import { rows } from './columns.ts'
import { cut, pad, widthOf } from './width.ts'
import { tilde } from './print.ts'
import { runs } from '../../../shared/testing/runs.ts'

describe('how wide text is', () => {
  it.each([
    ['abc', 3],
    ['继续', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['●◆◐○✓▲⏸', 7],
    ['', 0],
    ['a\u200bb', 2],
    ['ｆｕｌｌ', 8],
    ['한국', 4],
  ])('%j is %i', (text, width) => expect(widthOf(text)).toBe(width))

  it('cut never exceeds the width and says when something is gone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, columns) => {
        const short = cut(text, columns)
        expect(widthOf(short)).toBeLessThanOrEqual(columns)
        if (short !== text) expect(short.endsWith('…')).toBe(true)
      }),
      runs(100),
    )
  })
  it('pad fills up to it', () => expect(pad('继续', 6)).toBe('继续  '))
})

describe('rows', () => {
  it('align, and keep inside the terminal as far as columns may give way', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 40 })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 20, max: 80 }),
        (items, columns) => {
          const printed = rows(
            items,
            [
              { text: ([a]) => a, gives: 8 },
              { text: ([, b]) => b, gives: 8 },
            ],
            columns,
          )
          for (const line of printed.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns)
          expect(printed.split('\n')).toHaveLength(items.length + 1)
        },
      ),
      runs(100),
    )
  })
  it('leave empty columns out', () =>
    expect(rows(['a', 'b'], [{ text: (x) => x }, { text: () => '' }, { text: () => '!' }], 80)).toBe('a  !\nb  !\n'))
})

describe('clean', () => {
  it('leaves nothing a terminal would act on', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // eslint-disable-next-line no-control-regex -- that is the point
        expect(oneLine(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      }),
      runs(100),
    )
  })
})

it.each([
  ['/home/ada/x', '/home/ada', '~/x'],
  ['/home/ada', '/home/ada', '~'],
  ['/home/adam', '/home/ada', '/home/adam'],
  ['/x', undefined, '/x'],
  ['/x', '/', '/x'],
])('%s of %s is %s', (path, home, short) => expect(tilde(path, home)).toBe(short))
