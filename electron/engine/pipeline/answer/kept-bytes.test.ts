import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keptBytes } from './kept-bytes.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const kept = (chunks: readonly Uint8Array[], most = 1_000_000) => {
  const bytes = keptBytes(most)
  const added = chunks.map((chunk) => bytes.add(chunk))
  return { bytes, added }
}

describe('bytes that are kept', () => {
  it('come out as they went in, whatever their pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9_000 }), { maxLength: 40 }), (chunks) => {
        expect(kept(chunks).bytes.all()).toEqual(Buffer.concat(chunks))
      }),
      runs(100),
    )
  })

  it('are its own: what the piece becomes later changes nothing', () => {
    const chunk = Buffer.from('abc')
    const { bytes } = kept([chunk])
    chunk.fill('x')
    expect(bytes.all()?.toString()).toBe('abc')
  })

  it('are all given up when they become too many, and stay so', () => {
    const { bytes, added } = kept([Buffer.alloc(6), Buffer.alloc(4), Buffer.alloc(1), Buffer.alloc(1)], 10)
    expect(added).toEqual([true, true, false, false])
    expect(bytes.all()).toBeNull()
    bytes.clear()
    expect(bytes.add(Buffer.from('new'))).toBe(true)
    expect(bytes.all()?.toString()).toBe('new')
  })

  it('are none at first, and none after a clearing', () => {
    const { bytes } = kept([Buffer.from('abc')])
    bytes.clear()
    expect(bytes.all()).toEqual(Buffer.alloc(0))
    expect(keptBytes(1).all()).toEqual(Buffer.alloc(0))
  })
})
