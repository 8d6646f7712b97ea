import { describe, expect, it } from 'vitest'
import { bareModel, priceDraft, priceFields } from './draft.ts'
import { pricesOf, usualPrice } from './usual-price.ts'

describe('the prices of a form', () => {
  it('are the list’s at the vendor itself, with the hour’s, and the day they were read', () => {
    const anthropic = { id: 'anthropic', type: 'anthropic', baseUrl: null } as const
    expect(usualPrice(null, anthropic, 'claude-opus-5-5')).toMatchObject({
      price: { input: 4, cacheWrite: 5, cacheWriteHour: 8 },
      taken: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    })
    expect(usualPrice(null, { ...anthropic, baseUrl: 'https://gate.example' }, 'claude-opus-5-5')).toBeNull()
  })

  it('have a place for the hour where a vendor takes it, or one is set', () => {
    const bare = bareModel('m')
    const set = { ...bare, price: priceDraft({ input: 1, output: 2, cacheWriteHour: 2 }) }
    expect(pricesOf('anthropic', [])).toEqual(priceFields)
    expect(pricesOf('openai-chat', [bare])).toEqual(['input', 'cachedInput', 'cacheWrite', 'output'])
    expect(pricesOf('openai-chat', [bare, set])).toEqual(priceFields)
  })
})
