import type { PriceList, TokenPrice } from './types.ts'

/** Writing to a cache for five minutes costs a quarter more than other input, for an hour twice as much. */
const price = (input: number, cachedInput: number, output: number): TokenPrice => ({
  input,
  cachedInput,
  cacheWrite: input * 1.25,
  cacheWriteHour: input * 2,
  output,
})

export const anthropicPrices: PriceList = {
  vendor: 'Anthropic',
  page: 'https://platform.claude.com/docs/en/about-claude/pricing',
  taken: '2026-10-24',
  addresses: ['api.anthropic.com'],
  plans: [],
  models: {
    'claude-fable-5-1': price(10, 0.25, 50),
    'claude-fable-5': price(10, 1, 50),
    'claude-mythos-5-1': price(10, 0.25, 50),
    'claude-mythos-5': price(10, 1, 50),
    'claude-opus-5-5': price(4, 0.2, 20),
    'claude-opus-5': price(5, 0.5, 25),
    'claude-opus-4-8': price(5, 0.5, 25),
    'claude-opus-4-7': price(5, 0.5, 25),
    'claude-opus-4-6': price(5, 0.5, 25),
    'claude-opus-4-5': price(5, 0.5, 25),
    'claude-sonnet-5-5': price(2, 0.1, 10),
    'claude-sonnet-5': price(2, 0.2, 10),
    'claude-sonnet-4-6': price(3, 0.3, 15),
    'claude-sonnet-4-5': { ...price(3, 0.3, 15), upTo: 200_000 },
    'claude-haiku-5-5': { ...price(0.1, 0.01, 0.5), longer: { above: 100_000, ...price(0.5, 0.05, 2.5) } },
    'claude-haiku-4-5': price(1, 0.1, 5),
  },
}
