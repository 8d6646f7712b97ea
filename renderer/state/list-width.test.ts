import { describe, expect, it } from 'vitest'
import { widthWithin } from './list-width.ts'

describe('the width of the list', () => {
  it.each([
    [400.4, 1440, 400],
    [100, 1440, 280],
    [2_000, 1440, 640],
    [Infinity, 1100, 592],
    [-Infinity, 1100, 280],
    [400, 600, 280],
  ])('wanted %s in a window of %s is %s', (wanted, window, width) => expect(widthWithin(wanted, window)).toBe(width))
})
