import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { splice, splicedPieces } from './index.ts'

describe('splicing', () => {
  const body = Buffer.from('0123456789')
  it('gives the same Buffer without edits', () => {
    expect(splice(body, [])).toBe(body)
  })
  it.each<[string, Parameters<typeof splice>[1], string]>([
    ['one', [{ start: 2, end: 4, replacement: 'ü' }], '01ü456789'],
    [
      'several in any order',
      [
        { start: 8, end: 10, replacement: Buffer.from('end') },
        { start: 0, end: 1, replacement: '' },
      ],
      '1234567end',
    ],
    ['an insertion', [{ start: 5, end: 5, replacement: '|' }], '01234|56789'],
    [
      'an insertion in front of a replacement',
      [
        { start: 3, end: 5, replacement: 'a' },
        { start: 3, end: 3, replacement: '(' },
        { start: 5, end: 5, replacement: ')' },
      ],
      '012(a)56789',
    ],
    [
      'insertions in the order they came in',
      [
        { start: 3, end: 4, replacement: 'x' },
        { start: 3, end: 3, replacement: 'a' },
        { start: 3, end: 3, replacement: 'b' },
      ],
      '012abx456789',
    ],
    [
      'neighbours',
      [
        { start: 3, end: 5, replacement: 'a' },
        { start: 5, end: 6, replacement: 'b' },
      ],
      '012ab6789',
    ],
  ])('makes %s', (_, edits, expected) => {
    expect(splice(body, edits).toString()).toBe(expected)
  })
  it.each([
    [
      [
        { start: 2, end: 5, replacement: '' },
        { start: 4, end: 6, replacement: '' },
      ],
    ],
    [
      [
        { start: 2, end: 5, replacement: '' },
        { start: 3, end: 3, replacement: 'a' },
      ],
    ],
    [
      [
        { start: 2, end: 3, replacement: '' },
        { start: 2, end: 5, replacement: '' },
      ],
    ],
    [[{ start: 9, end: 11, replacement: '' }]],
    [[{ start: 5, end: 4, replacement: '' }]],
  ])('refuses edits that overlap or lie outside', (edits) => {
    expect(() => splice(body, edits)).toThrow(RangeError)
  })
  it('keeps every byte outside the edits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), fc.nat(), fc.uint8Array(), (bytes, a, b, put) => {
        const source = Buffer.from(bytes)
        const start = Math.min(a, b) % source.length
        const end = Math.min(source.length, start + (Math.max(a, b) % source.length))
        const out = splice(source, [{ start, end, replacement: Buffer.from(put) }])
        expect(out).toEqual(Buffer.concat([source.subarray(0, start), Buffer.from(put), source.subarray(end)]))
      }),
      runs(100),
    )
  })

  it('gives the same bytes in pieces, long ones of them the body’s own', () => {
    const edit = fc.record({ at: fc.nat(100_000), take: fc.nat(30_000), put: fc.uint8Array({ maxLength: 40 }) })
    const long = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251))
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 5 }), (list) => {
        let free = 0
        const edits = list
          .toSorted((a, b) => a.at - b.at)
          .flatMap(({ at, take, put }) => {
            const start = Math.max(at, free)
            const end = Math.min(long.length, start + take)
            free = end
            return start > long.length ? [] : [{ start, end, replacement: Buffer.from(put) }]
          })
        const pieces = splicedPieces(long, edits)
        expect(Buffer.concat(pieces).equals(splice(long, edits))).toBe(true)
        for (const piece of pieces.filter(({ length }) => length > 60_000)) expect(piece.buffer).toBe(long.buffer)
        expect(pieces.length).toBeLessThanOrEqual(2 * edits.length + 1)
      }),
      runs(200),
    )
    expect(splicedPieces(long, [])).toEqual([long])
  })
})
