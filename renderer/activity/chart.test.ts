import { describe, expect, it } from 'vitest'
import { linePath } from './chart.tsx'

describe('a line', () => {
  it.each([
    [[2, 4], 'M25 50L75 0'],
    [[4, null, 2, 1], 'M12.5 0h1M62.5 50L87.5 75'],
    [[null, null], ''],
    [[], ''],
    [[null, 0], 'M75 100h1'],
  ])('through %j is %j', (values, path) => expect(linePath(values, 4)).toBe(path))
})
