import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { budgetText, parseBudget } from './parse-budget.ts'
import { runs } from '../../shared/testing/runs.ts'

describe('a limit as a person writes it', () => {
  it.each([
    ['100', 100],
    [' 2 000 000 ', 2_000_000],
    ['', null],
    ['   ', null],
    ['0', 'bad'],
    ['-1', 'bad'],
    ['1.5', 'bad'],
    ['1e3', 'bad'],
    ['never', 'bad'],
    ['1'.repeat(13), 'bad'],
  ] as const)('whole: “%s” is %s', (text, value) => expect(parseBudget(text, true)).toBe(value))
  it.each([
    ['0.5', 0.5],
    ['0,5', 0.5],
    ['8', 8],
    ['', null],
    ['0', 'bad'],
    ['0.0', 'bad'],
    ['.5', 'bad'],
    ['1.5.2', 'bad'],
    ['$5', 'bad'],
  ] as const)('“%s” is %s', (text, value) => expect(parseBudget(text, false)).toBe(value))

  it('is read back as it is written in its field', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (value) => {
        expect(parseBudget(budgetText(value), true)).toBe(value)
      }),
      runs(100),
    )
    expect(budgetText(2_500_000)).toBe('2 500 000')
    expect(budgetText(0.25)).toBe('0.25')
    expect(budgetText(null)).toBe('')
  })
})
