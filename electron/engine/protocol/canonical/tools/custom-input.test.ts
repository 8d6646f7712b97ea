import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputReader, unwrapInput, wrapInput } from './custom-input.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

function read(pieces: readonly string[]): string {
  const reader = inputReader()
  return pieces.map((piece) => reader.push(piece)).join('') + reader.end()
}
const cut = (text: string, places: readonly number[]): string[] => {
  const at = [...new Set(places.map((p) => p % (text.length + 1)))].sort((a, b) => a - b)
  return [...at, text.length].map((end, i) => text.slice(i === 0 ? 0 : at[i - 1], end))
}

describe('free text of a tool that had to be a function', () => {
  it('comes out as it went in, under any cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.array(fc.nat(), { maxLength: 10 }),
        fc.boolean(),
        (text, places, ascii) => {
          const json = wrapInput(text)
          const sent = ascii
            ? json.replaceAll(/[^\x20-\x7e]/g, (c) =>
                Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join(
                  '',
                ),
              )
            : json
          expect(read(cut(sent, places))).toBe(text)
          expect(unwrapInput(sent)).toBe(text)
        },
      ),
      runs(1000),
    )
  })

  it('goes on its way before it is whole', () => {
    const reader = inputReader()
    expect(['{ "in', 'put" : "*** Beg', 'in\\', 'nPatch', '"}'].map((piece) => reader.push(piece))).toEqual([
      '',
      '*** Beg',
      'in',
      '\nPatch',
      '',
    ])
    expect(reader.end()).toBe('')
  })

  it('never hands out half a surrogate pair', () => {
    const reader = inputReader()
    expect(['{"input":"a\\ud83d', '\\ude00b"}'].map((piece) => reader.push(piece))).toEqual(['a', '😀b'])
  })

  it.each([
    ['another member', '{"patch":"x"}', '{"patch":"x"}'],
    ['another order', '{"why":"because","input":"x"}', 'x'],
    ['a bare string', '"x"', 'x'],
    ['no JSON at all', '*** Begin Patch', '*** Begin Patch'],
    ['nothing', '', ''],
    ['an end in the middle', '{"input":"half', 'half'],
    ['a bad escape', '{"input":"C:\\dir"}', 'C:\\dir'],
  ])('takes %s as well as it can', (_, args, expected) => {
    for (const pieces of [[args], args.split('')]) expect(read(pieces)).toBe(expected)
  })
})
