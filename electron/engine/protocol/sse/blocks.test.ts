import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sseBlocks, type SseBlock } from './blocks.ts'
import { runs } from '../../../../shared/testing/runs.ts'

function cut(text: string, at: readonly number[], limit?: number): { blocks: SseBlock[]; rest: string } {
  const blocks: SseBlock[] = []
  const splitter = sseBlocks((block) => blocks.push(block), limit)
  const bytes = Buffer.from(text)
  const marks = [0, ...at.map((n) => n % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  for (let i = 1; i < marks.length; i++) splitter.push(bytes.subarray(marks[i - 1], marks[i]))
  return { blocks, rest: splitter.rest().toString() }
}
const pieces = fc.constantFrom(
  'data: {"a":1}',
  'data:b',
  'event: e',
  ': comment',
  'id: 7',
  '\n',
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  '世',
  '',
)

describe('events with their bytes', () => {
  it('tells name, data and bytes of each', () => {
    const { blocks, rest } = cut('event: a\ndata: 1\ndata: 2\n\n: hi\n\ndata: 3\r\n\r\ndata: 4', [])
    expect(blocks.map((b) => [b.raw.toString(), b.name, b.data?.toString() ?? null])).toEqual([
      ['event: a\ndata: 1\ndata: 2\n\n', 'a', '1\n2'],
      [': hi\n\n', '', null],
      ['data: 3\r\n\r\n', '', '3'],
    ])
    expect(rest).toBe('data: 4')
  })

  it('loses and changes no byte, and finds the same events under any chunk boundary', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), fc.array(fc.nat(), { maxLength: 12 }), (parts, at) => {
        const text = parts.join('')
        const { blocks, rest } = cut(text, at)
        expect(blocks.map((b) => b.raw.toString()).join('') + rest).toBe(text)
        const said = (found: SseBlock[]) => found.filter((b) => b.data).map((b) => [b.name, b.data?.toString()])
        expect(said(blocks)).toEqual(said(cut(text, []).blocks))
      }),
      runs(500),
    )
  })

  it('lets what is too large go by in pieces', () => {
    const { blocks, rest } = cut(`data: ${'x'.repeat(50)}\n\ndata: y\n\n`, [20, 40], 16)
    expect(blocks.map((b) => b.data?.toString() ?? null)).toEqual([null, null, null, 'y'])
    expect(blocks.map((b) => b.raw.toString()).join('') + rest).toBe(`data: ${'x'.repeat(50)}\n\ndata: y\n\n`)
  })
})
