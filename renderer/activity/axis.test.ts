import { describe, expect, it } from 'vitest'
import { axisOf } from './axis.ts'

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i)

describe('the axis names', () => {
  it.each([
    [24, [0, 6, 12, 18, 23]],
    [28, [0, 7, 14, 21, 27]],
    [30, [0, 8, 15, 23, 29]],
    [5, [0, 1, 2, 3, 4]],
    [1, [0]],
    [0, []],
  ])('of %d buckets these', (count, named) => expect(axisOf(upTo(count))).toEqual(named))
})
