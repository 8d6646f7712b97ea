import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scaleOf } from './scale.ts'
import { runs } from '../../shared/testing/runs.ts'

describe('an axis', () => {
  it.each([
    [42, true, [45, 30, 15, 0]],
    [1, true, [1, 0]],
    [2, true, [2, 1, 0]],
    [4, true, [4, 2, 0]],
    [7, true, [9, 6, 3, 0]],
    [100, true, [100, 50, 0]],
    [1_600_000, false, [2_000_000, 1_000_000, 0]],
    [4.93, false, [6, 4, 2, 0]],
    [0.2, false, [0.2, 0.1, 0]],
    [0.3, false, [0.3, 0.2, 0.1, 0]],
    [0, true, [0]],
    [Number.NaN, false, [0]],
  ])('up to %d has round steps', (most, whole, ticks) => expect(scaleOf(most, whole).ticks).toEqual(ticks))

  it('always holds the highest value, with no more than four lines and little air', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (most) => {
        const { top, ticks } = scaleOf(most)
        expect(top).toBeGreaterThanOrEqual(most * (1 - 1e-9))
        expect(ticks.length).toBeLessThanOrEqual(4)
        expect(most / top).toBeGreaterThan(0.4)
        expect(ticks.at(-1)).toBe(0)
      }),
      runs(100),
    )
  })

  it('of counts has whole numbers only', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (most) => {
        const { top, ticks } = scaleOf(most, true)
        expect(ticks.every((tick) => Number.isInteger(tick))).toBe(true)
        expect(top).toBeGreaterThanOrEqual(most)
      }),
      runs(100),
    )
  })
})
