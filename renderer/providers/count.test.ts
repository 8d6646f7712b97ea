import { describe, expect, it } from 'vitest'
import { countOf, parseCount } from './count.ts'

describe('a number of tokens', () => {
  it.each([
    ['', 0],
    ['82000', 82_000],
    ['82 000', 82_000],
    ['82,000', 82_000],
    ['82k', 82_000],
    ['1M', 1_000_000],
    ['many', null],
    ['-5', null],
    ['999999999', null],
  ] as const)('%j is %j', (text, count) => expect(parseCount(text)).toBe(count))
  it('is written as it is read', () => expect(parseCount(countOf(1_234_567))).toBe(1_234_567))
})
