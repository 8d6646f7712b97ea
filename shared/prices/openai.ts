import type { ListPrice, PriceList, TokenPrice } from './types.ts'

const LONG = 272_000

const price = (input: number, cachedInput: number, output: number): TokenPrice => ({ input, cachedInput, output })

/**
 * Models of a long context: a prompt above 272k pays twice the input and one and a half times the output, all of it.
 */
const long = (base: TokenPrice): ListPrice => ({
  ...base,
  longer: {
    above: LONG,
    input: base.input * 2,
    ...(base.cachedInput === undefined ? {} : { cachedInput: base.cachedInput * 2 }),
    ...(base.cacheWrite === undefined ? {} : { cacheWrite: base.cacheWrite * 2 }),
    output: base.output * 1.5,
  },
})

/** Since GPT-5.6 what is written to a cache costs a quarter more than other input. */
const longWithWrites = (input: number, cachedInput: number, output: number, taken: string): ListPrice => ({
  ...long({ ...price(input, cachedInput, output), cacheWrite: input * 1.25 }),
  taken,
})

const gpt56sol = longWithWrites(4, 0.4, 20, '2026-09-22')

export const openaiPrices: PriceList = {
  vendor: 'OpenAI',
  page: 'https://developers.openai.com/api/docs/pricing',
  taken: '2026-07-24',
  addresses: ['api.openai.com'],
  plans: ['chatgpt.com/backend-api'],
  models: {
    'gpt-6.1-sol': longWithWrites(2, 0.1, 10, '2026-10-01'),
    'gpt-6-astra': longWithWrites(10, 1, 50, '2026-09-05'),
    'gpt-6-sol': longWithWrites(2, 0.2, 10, '2026-09-22'),
    'gpt-6-luna': longWithWrites(0.1, 0.01, 0.5, '2026-09-22'),
    'gpt-5.6': gpt56sol,
    'gpt-5.6-sol': gpt56sol,
    'gpt-5.6-terra': longWithWrites(2, 0.2, 12, '2026-09-07'),
    'gpt-5.6-luna': longWithWrites(0.2, 0.02, 1.2, '2026-09-07'),
    'gpt-5.5': long(price(5, 0.5, 30)),
    'gpt-5.4': long(price(2.5, 0.25, 15)),
    'gpt-5.4-mini': price(0.75, 0.075, 4.5),
    'gpt-5.4-nano': price(0.2, 0.02, 1.25),
    'gpt-5.3-codex': price(1.75, 0.175, 14),
    'gpt-5.2': price(1.75, 0.175, 14),
    'gpt-5.2-codex': price(1.75, 0.175, 14),
    'gpt-5.1': price(1.25, 0.125, 10),
    'gpt-5.1-codex': price(1.25, 0.125, 10),
    'gpt-5.1-codex-max': price(1.25, 0.125, 10),
    'gpt-5.1-codex-mini': price(0.25, 0.025, 2),
    'gpt-5': price(1.25, 0.125, 10),
    'gpt-5-codex': price(1.25, 0.125, 10),
    'gpt-5-mini': price(0.25, 0.025, 2),
    'gpt-5-nano': price(0.05, 0.005, 0.4),
    'gpt-4.1': price(2, 0.5, 8),
    'gpt-4.1-mini': price(0.4, 0.1, 1.6),
    'gpt-4.1-nano': price(0.1, 0.025, 0.4),
    'gpt-4o': price(2.5, 1.25, 10),
    'gpt-4o-mini': price(0.15, 0.075, 0.6),
    o3: price(2, 0.5, 8),
    'o3-mini': price(1.1, 0.55, 4.4),
    'o4-mini': price(1.1, 0.275, 4.4),
  },
}
