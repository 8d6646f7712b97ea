/**
 * List prices of well-known models as their vendors publish them, with the day they were read. What could not be read
 * anywhere is not here: a price that is missing is shown as missing, a wrong one is believed. Edit them here, or write
 * your own into the config (`providers.<id>.models.<model>.price`), which always counts more.
 */
import { anthropicPrices } from './anthropic.ts'
import { openaiPrices } from './openai.ts'
import type { PriceList } from './types.ts'

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

export const priceLists: readonly PriceList[] = [
  anthropicPrices,
  openaiPrices,
  google,
  deepseek,
  zai,
  moonshot,
  minimax,
  xai,
]
