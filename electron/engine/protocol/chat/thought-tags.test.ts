import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { thoughtTags } from './thought-tags.ts'

const marked = { extra_content: { google: { thought: true } } }

function split(pieces: readonly string[], markedPieces: number): { thinking: string; text: string } {
  const tags = thoughtTags()
  const out = { thinking: '', text: '' }
  for (const [i, piece] of pieces.entries()) {
    const { thinking, text } = tags.split(piece, i < markedPieces ? marked : {})
    out.thinking += thinking
    out.text += text
  }
  out.thinking += tags.rest()
  return out
}

describe('thoughts between tags', () => {
  it.each<[string, string[], number, string, string]>([
    ['close before the first word', ['<thought>Hm', ' so.', '</thought>Yes', '!'], 2, 'Hm so.', 'Yes!'],
    ['close in a marked piece', ['<thought>Hm</thought>', 'Yes'], 1, 'Hm', 'Yes'],
    ['close in a body', ['<thought>Hm</thought>Yes'], 1, 'Hm', 'Yes'],
    ['close with a tag in two pieces', ['<thought>Hm', ' a < b </thou', 'ght>Yes'], 1, 'Hm a < b ', 'Yes'],
    ['never close', ['<thought>Hm </tho'], 1, 'Hm </tho', ''],
    ['are text where nothing marks them', ['<thought>Hm</thought>Yes'], 0, '', '<thought>Hm</thought>Yes'],
    ['need a tag, whatever is marked', ['Noon.'], 1, '', 'Noon.'],
  ])('%s', (_, pieces, markedPieces, thinking, text) => {
    expect(split(pieces, markedPieces)).toEqual({ thinking, text })
  })

  it('are the same however the answer is cut', () => {
    const rest = 'Hm </thought x </thought>Yes </thought> no'
    fc.assert(
      fc.property(fc.array(fc.nat(rest.length), { maxLength: 8 }), (places) => {
        const ends = [...places.toSorted((a, b) => a - b), rest.length]
        const pieces = ends.map((end, i) => rest.slice(ends[i - 1] ?? 0, end))
        expect(split(['<thought>', ...pieces], 1)).toEqual({ thinking: 'Hm </thought x ', text: 'Yes </thought> no' })
      }),
      runs(200),
    )
  })
})
