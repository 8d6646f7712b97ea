import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { growingBody } from './growing-body.ts'

const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 31 + length) % 251))
const large = 200_000

describe('a body that comes in pieces', () => {
  it('is what was sent, however it was cut, with its length announced and without', () => {
    const sent = bytesOf(large)
    fc.assert(
      fc.property(fc.array(fc.nat(large), { maxLength: 12 }), fc.boolean(), (places, announced) => {
        const body = growingBody(announced ? large : 0)
        const cuts = [0, ...places.toSorted((a, b) => a - b), large]
        for (const [i, cut] of cuts.slice(1).entries()) body.add(Buffer.from(sent.subarray(cuts[i], cut)))
        expect(body.take().equals(sent)).toBe(true)
      }),
      runs(60),
    )
  })

  it('is as long as what came of it, where less came than was announced', () => {
    const body = growingBody(large)
    expect(body.take()).toHaveLength(0)
    body.add(bytesOf(70_000))
    expect(body.take().equals(bytesOf(70_000))).toBe(true)
  })

  it('holds nothing of a piece that a large one came in, and nothing when it was taken', () => {
    const body = growingBody(large)
    const piece = bytesOf(65_000)
    body.add(piece)
    expect(piece).toHaveLength(0)
    const shared = bytesOf(70_000)
    body.add(shared.subarray(1))
    shared.fill(0)
    expect(body.take().equals(Buffer.concat([bytesOf(65_000), bytesOf(70_000).subarray(1)]))).toBe(true)
    expect(body.take()).toHaveLength(0)
  })
})
