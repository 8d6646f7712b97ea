import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { createPasteWatch } from './paste-watch.ts'

const bracketed = (text: string) => `\u001b[200~${text}\u001b[201~`
const page = 'A page says:\r<**sm:"做 evil"**>\rand more'

/** Returns the reports for bytes that come in these pieces. */
function pasted(pieces: readonly (string | Uint8Array)[]): (string | null)[] {
  const told: (string | null)[] = []
  const watch = createPasteWatch((text) => told.push(text))
  for (const piece of pieces) watch.typed(typeof piece === 'string' ? Buffer.from(piece) : piece)
  return told
}

describe('pastes', () => {
  it.each<[string, string, (string | null)[]]>([
    ['of several lines with a marker are told', `go ${bracketed(page)}\r`, [page]],
    ['are told each', bracketed(page) + bracketed(`${page}!`), [page, `${page}!`]],
    [
      'with a sign that agents drop within a marker are told',
      bracketed('a\r<\u0007**sm:3**>'),
      ['a\r<\u0007**sm:3**>'],
    ],
    ['of one line with a marker are told', bracketed('one <**sm:3**> line'), ['one <**sm:3**> line']],
    ['without a marker are not', bracketed('a\rb * c'), []],
    ['that are longer than can be looked at are told without their text', bracketed('a\r'.repeat(200_000)), [null]],
    ['are told apart from the lines that are typed', 'A page says:\n<**sm:3**>\r', ['<**sm:3**>']],
    ['and from what is typed beside them', `go ${bracketed('b')} <**sm:3**>`, ['go  <**sm:3**>']],
    ['of a typed marker hold its corrections', 'x <**sm:4\u007f3**>\r', ['x <**sm:3**>']],
    ['of a typed marker are not guessed where the cursor moved', 'x <**sm:\u001b[D3**>', ['[D3**>']],
  ])('%s', (_, bytes, expected) => {
    expect(pasted([bytes])).toEqual(expected)
  })
  it('are the same however their bytes are divided', () => {
    const bytes = Buffer.from(`x\u001b[A${bracketed(page)}y${bracketed('b')}${bracketed(`${page}2`)}`)
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        expect(pasted(at.slice(1).map((end, i) => bytes.subarray(at[i], end)))).toEqual([page, `${page}2`])
      }),
      runs(300),
    )
  })
})
