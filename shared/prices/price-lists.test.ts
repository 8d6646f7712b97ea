import { describe, expect, it } from 'vitest'
import { priceLists } from './price-lists.ts'
import type { TokenPrice } from './types.ts'

const sane = ({ input, cachedInput = input, cacheWrite = input, cacheWriteHour = cacheWrite, output }: TokenPrice) =>
  input > 0 &&
  cachedInput > 0 &&
  cachedInput <= input &&
  cacheWrite >= input &&
  cacheWriteHour >= cacheWrite &&
  output >= input

describe('the list prices', () => {
  it.each(priceLists)('of $vendor say where and when they were read', ({ page, taken, models }) => {
    expect(URL.canParse(page)).toBe(true)
    for (const day of [taken, ...Object.values(models).flatMap((price) => price.taken ?? [])]) {
      expect(day).toMatch(/^2026-\d\d-\d\d$/)
      expect(Number.isNaN(Date.parse(day))).toBe(false)
    }
  })

  it.each(priceLists.flatMap(({ models }) => Object.entries(models)))('of %s are prices', (name, price) => {
    expect(name).toBe(name.toLowerCase())
    expect(sane({ ...price, ...(name.endsWith('highspeed') ? { cacheWrite: price.input } : {}) })).toBe(true)
    if (price.longer) {
      expect(sane(price.longer)).toBe(true)
      expect(price.longer.input).toBeGreaterThan(price.input)
    }
  })

  it('stand for one vendor at each address', () => {
    const all = priceLists.flatMap(({ addresses, plans }) => [...addresses, ...plans])
    expect(new Set(all).size).toBe(all.length)
  })
})
