/**
 * List prices of well-known models as their vendors publish them, with the day they were read. What could not be read
 * anywhere is not here: a price that is missing is shown as missing, a wrong one is believed. Edit them here, or write
 * your own into the config (`providers.<id>.models.<model>.price`), which always counts more.
 */
import type { PriceList, ListPrice, TokenPrice } from './types.ts'

/** Writing to a cache for five minutes costs a quarter more than other input, for an hour twice as much. */
const anthropicPrice = (input: number, cachedInput: number, output: number): TokenPrice => ({
  input,
  cachedInput,
  cacheWrite: input * 1.25,
  cacheWriteHour: input * 2,
  output,
})

const anthropic: PriceList = {
  vendor: 'Anthropic',
  page: 'https://platform.claude.com/docs/en/about-claude/pricing',
  taken: '2026-10-24',
  addresses: ['api.anthropic.com'],
  plans: [],
  models: {
    'claude-fable-5-1': anthropicPrice(10, 0.25, 50),
    'claude-fable-5': anthropicPrice(10, 1, 50),
    'claude-mythos-5-1': anthropicPrice(10, 0.25, 50),
    'claude-mythos-5': anthropicPrice(10, 1, 50),
    'claude-opus-5-5': anthropicPrice(4, 0.2, 20),
    'claude-opus-5': anthropicPrice(5, 0.5, 25),
    'claude-opus-4-8': anthropicPrice(5, 0.5, 25),
    'claude-opus-4-7': anthropicPrice(5, 0.5, 25),
    'claude-opus-4-6': anthropicPrice(5, 0.5, 25),
    'claude-opus-4-5': anthropicPrice(5, 0.5, 25),
    'claude-sonnet-5-5': anthropicPrice(2, 0.1, 10),
    'claude-sonnet-5': anthropicPrice(2, 0.2, 10),
    'claude-sonnet-4-6': anthropicPrice(3, 0.3, 15),
    'claude-sonnet-4-5': { ...anthropicPrice(3, 0.3, 15), upTo: 200_000 },
    'claude-haiku-5-5': {
      ...anthropicPrice(0.1, 0.01, 0.5),
      longer: { above: 100_000, ...anthropicPrice(0.5, 0.05, 2.5) },
    },
    'claude-haiku-4-5': anthropicPrice(1, 0.1, 5),
  },
}

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

const openai: PriceList = {
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

const google: PriceList = {
  vendor: 'Google',
  page: 'https://ai.google.dev/gemini-api/docs/pricing',
  taken: '2026-10-07',
  addresses: ['generativelanguage.googleapis.com'],
  plans: ['cloudcode-pa.googleapis.com'],
  models: {
    'gemini-3.5-flash': { input: 1.5, cachedInput: 0.15, output: 9 },
    'gemini-3.5-flash-lite': { input: 0.3, cachedInput: 0.03, output: 2.5 },
    'gemini-3.1-pro-preview': {
      input: 2,
      cachedInput: 0.2,
      output: 12,
      upTo: 200_000,
    },
    'gemini-2.5-pro': {
      input: 1.25,
      cachedInput: 0.125,
      output: 10,
      longer: { above: 200_000, input: 2.5, cachedInput: 0.25, output: 15 },
      taken: '2026-07-24',
    },
    'gemini-2.5-flash': { input: 0.3, cachedInput: 0.03, output: 2.5, taken: '2026-07-24' },
    'gemini-2.5-flash-lite': { input: 0.1, cachedInput: 0.01, output: 0.4, taken: '2026-07-24' },
  },
}

const deepseek: PriceList = {
  vendor: 'DeepSeek',
  page: 'https://api-docs.deepseek.com/quick_start/pricing',
  taken: '2026-10-27',
  addresses: ['api.deepseek.com'],
  plans: [],
  // Chinese public holidays are not counted as working days by the vendor; here they are.
  peak: {
    times: 2,
    hours: [
      [1, 4],
      [6, 10],
    ],
  },
  models: {
    'deepseek-flash': { input: 0.15, cachedInput: 0.003, output: 0.6 },
    'deepseek-v4-flash': { input: 0.15, cachedInput: 0.003, output: 0.6 },
    'deepseek-v4-pro': { input: 0.66, cachedInput: 0.022, output: 1.98 },
  },
}

/** The Messages address of Z.ai takes keys of its plan and of its metered API alike, so its price can't be known. */
const zai: PriceList = {
  vendor: 'Z.ai',
  page: 'https://docs.z.ai/guides/overview/pricing',
  taken: '2026-08-20',
  addresses: ['api.z.ai/api/paas'],
  plans: ['api.z.ai/api/coding'],
  models: {
    'glm-5.3': { input: 1.4, cachedInput: 0.26, output: 4.4 },
    'glm-5.2': { input: 1.4, cachedInput: 0.26, output: 4.4 },
    'glm-5.1': { input: 1.4, cachedInput: 0.26, output: 4.4 },
    'glm-5-turbo': { input: 1.2, cachedInput: 0.24, output: 4 },
    'glm-5': { input: 1, cachedInput: 0.2, output: 3.2 },
    'glm-4.7': { input: 0.6, cachedInput: 0.11, output: 2.2 },
    'glm-4.6': { input: 0.6, cachedInput: 0.11, output: 2.2 },
  },
}

const moonshot: PriceList = {
  vendor: 'Moonshot',
  page: 'https://platform.moonshot.ai/docs/pricing/chat',
  taken: '2026-07-18',
  addresses: ['api.moonshot.ai'],
  plans: ['api.kimi.com/coding'],
  models: {
    'kimi-k3': { input: 3, cachedInput: 0.3, output: 15 },
    'kimi-k2.7-code': { input: 0.95, cachedInput: 0.19, output: 4, taken: '2026-06-24' },
    'kimi-k2.5': { input: 0.6, cachedInput: 0.1, output: 3, taken: '2026-03-26' },
  },
}

const minimax: PriceList = {
  vendor: 'MiniMax',
  page: 'https://platform.minimax.io/docs/guides/pricing-paygo',
  taken: '2026-09-11',
  addresses: ['api.minimax.io'],
  plans: [],
  models: {
    'minimax-m3': {
      input: 0.3,
      cachedInput: 0.06,
      output: 1.2,
      longer: { above: 512_000, input: 0.6, cachedInput: 0.12, output: 2.4 },
    },
    'minimax-m2.7': { input: 0.3, cachedInput: 0.06, cacheWrite: 0.375, output: 1.2, taken: '2026-04-21' },
    'minimax-m2.7-highspeed': { input: 0.6, cachedInput: 0.06, cacheWrite: 0.375, output: 2.4, taken: '2026-04-21' },
  },
}

const xai: PriceList = {
  vendor: 'xAI',
  page: 'https://docs.x.ai/developers/models',
  taken: '2026-07-24',
  addresses: ['api.x.ai'],
  plans: [],
  models: {
    // Longer requests cost more, and how much their cached part costs is not published with the rest.
    'grok-4.5': { input: 2, cachedInput: 0.5, output: 6, upTo: 200_000 },
    'grok-4.3': { input: 1.25, cachedInput: 0.2, output: 2.5, upTo: 200_000 },
    'grok-build-0.1': { input: 1, cachedInput: 0.2, output: 2, upTo: 200_000 },
  },
}

export const priceLists: readonly PriceList[] = [anthropic, openai, google, deepseek, zai, moonshot, minimax, xai]
