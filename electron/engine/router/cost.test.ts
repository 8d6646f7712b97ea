import { describe, expect, it } from 'vitest'
import type { ProviderConfig } from '../../../shared/config/schema.ts'
import { costOf, type CostAsk } from './cost.ts'

const provider = (more: Partial<ProviderConfig> = {}): ProviderConfig => ({
  type: 'anthropic',
  keys: [],
  auth: 'key',
  headers: {},
  models: {},
  quirks: {},
  ...more,
})
const usage = { input: 1_000_000, cachedInput: 600_000, cacheWrite: 100_000, output: 100_000, reasoning: 0 }
/** a Monday afternoon in UTC */
const at = Date.UTC(2026, 10, 23, 15)
const ask = (providerId: string, config: ProviderConfig, upstreamModel: string, more: Partial<CostAsk> = {}) =>
  costOf({ usage, choice: { providerId, provider: config, upstreamModel }, signedIn: () => false, at, ...more })

describe('the price of a request', () => {
  it('is the list’s where the vendor itself is asked, with what was read from a cache and written to it', () => {
    expect(ask('anthropic', provider(), 'claude-opus-5-5')).toEqual({
      costUsd: expect.closeTo(0.3 * 4 + 0.6 * 0.2 + 0.1 * 5 + 0.1 * 20, 9),
      price: { from: 'list', taken: '2026-10-24' },
    })
  })

  it('is that of an hour for what is kept for an hour, by the list and by the config', () => {
    const hour = { ...usage, cacheWriteHour: 60_000 }
    expect(ask('anthropic', provider(), 'claude-opus-5-5', { usage: hour }).costUsd).toBeCloseTo(
      0.3 * 4 + 0.6 * 0.2 + 0.04 * 5 + 0.06 * 8 + 0.1 * 20,
      9,
    )
    const long = { ...hour, input: 100_001, cachedInput: 0, cacheWrite: 100_001, cacheWriteHour: 100_001, output: 0 }
    expect(ask('anthropic', provider(), 'claude-haiku-5-5', { usage: long }).costUsd).toBeCloseTo(0.100001, 9)
    const own = (price: NonNullable<ProviderConfig['models'][string]['price']>) =>
      ask('mine', provider({ models: { m: { price } } }), 'm', { usage: hour }).costUsd
    expect(own({ input: 1, output: 0, cacheWrite: 3, cacheWriteHour: 7 })).toBeCloseTo(0.9 + 0.04 * 3 + 0.06 * 7, 9)
    expect(own({ input: 1, output: 0, cacheWrite: 3 })).toBeCloseTo(0.9 + 0.1 * 3, 9)
    expect(own({ input: 1, output: 0 })).toBeCloseTo(1, 9)
  })

  it('is the config’s before any other', () => {
    const own = provider({ models: { 'claude-opus-5-5': { price: { input: 1, output: 2 } } } })
    expect(ask('anthropic', own, 'claude-opus-5-5')).toEqual({
      costUsd: expect.closeTo(1.2, 9),
      price: { from: 'config' },
    })
    expect(
      ask('mine', { ...own, auth: 'client', baseUrl: 'http://127.0.0.1:1' }, 'claude-opus-5-5').costUsd,
    ).toBeCloseTo(1.2)
  })

  it.each([
    ['claude-opus-5-5-20260922', true],
    ['claude-opus-5-5[1m]', true],
    ['Claude-Opus-5-5', true],
    ['claude-opus-latest', false],
    ['anthropic/claude-opus-5-5', false],
    ['claude-opus-5-5-fast', false],
    ['toString', false],
  ])('knows %s: %s', (model, known) => {
    expect(ask('anthropic', provider(), model).costUsd !== null).toBe(known)
  })

  it.each<[string, string, Partial<ProviderConfig>]>([
    ['a gateway', 'openrouter', { type: 'openai-chat' }],
    ['an address of one’s own', 'anthropic', { baseUrl: 'https://proxy.example/anthropic' }],
    ['a gateway on this machine', 'gateway', { baseUrl: 'http://127.0.0.1:3456' }],
    ['an address that only begins like the vendor’s', 'x', { baseUrl: 'https://api.anthropic.com.example' }],
    ['the vendor’s host without encryption', 'x', { baseUrl: 'http://api.anthropic.com' }],
  ])('is not known of %s', (_, id, more) => {
    expect(ask(id, provider(more), 'claude-opus-5-5')).toEqual({ costUsd: null })
  })

  it('of a login is nothing, and what it is worth is said; of a client’s key it is the list’s', () => {
    const passed = provider({ auth: 'client' })
    expect(ask('anthropic', passed, 'claude-sonnet-5', { signedIn: () => true })).toEqual({
      costUsd: null,
      price: {
        from: 'plan',
        worth: { usd: expect.closeTo(0.3 * 2 + 0.6 * 0.2 + 0.1 * 2.5 + 1, 9), taken: '2026-10-24' },
      },
    })
    expect(ask('anthropic', passed, 'claude-sonnet-5').price?.from).toBe('list')
    expect(ask('anthropic', passed, 'unheard-of', { signedIn: () => true })).toEqual({
      costUsd: null,
      price: { from: 'plan', worth: null },
    })
    const codex = provider({ type: 'openai-responses', baseUrl: 'https://chatgpt.com/backend-api/codex' })
    expect(ask('chatgpt', codex, 'gpt-5.5').price?.from).toBe('plan')
    expect(ask('zai-coding', provider({ type: 'openai-chat' }), 'glm-5').price?.from).toBe('plan')
  })

  it('of a program that runs models on this machine is nothing', () => {
    const local = { costUsd: null, price: { from: 'local' } }
    expect(ask('ollama', provider({ type: 'openai-chat' }), 'qwen3:8b')).toEqual(local)
    expect(ask('mine', provider({ type: 'openai-chat', baseUrl: 'http://localhost:11434/v1' }), 'qwen3:8b')).toEqual(
      local,
    )
    expect(ask('simulator', provider({ type: 'simulator' }), 'simulator')).toEqual(local)
    expect(ask('ollama', provider({ type: 'openai-chat', baseUrl: 'https://ollama.com/v1' }), 'x')).toEqual({
      costUsd: null,
    })
  })

  it('goes up with a prompt that is long, and is not known where the list ends', () => {
    const small = { input: 272_000, cachedInput: 0, output: 0, reasoning: 0 }
    const openai = provider({ type: 'openai-responses' })
    expect(ask('openai', openai, 'gpt-6.1-sol', { usage: small }).costUsd).toBeCloseTo(0.544)
    expect(ask('openai', openai, 'gpt-6.1-sol', { usage: { ...small, input: 272_001 } }).costUsd).toBeCloseTo(1.088, 3)
    expect(ask('anthropic', provider(), 'claude-sonnet-4-5').costUsd).toBeNull()
  })

  it('follows the hour where the vendor’s does', () => {
    const deepseek = provider({ type: 'openai-chat' })
    const dollars = (when: number) => ask('deepseek', deepseek, 'deepseek-flash', { at: when }).costUsd ?? 0
    const cheap = dollars(at)
    expect(dollars(Date.UTC(2026, 10, 23, 6))).toBeCloseTo(2 * cheap)
    expect(dollars(Date.UTC(2026, 10, 23, 10))).toBeCloseTo(cheap)
    expect(dollars(Date.UTC(2026, 10, 22, 7))).toBeCloseTo(cheap)
  })

  it('is null where no provider was asked or none said what it used', () => {
    expect(costOf({ usage, choice: null, signedIn: () => false, at })).toEqual({ costUsd: null })
    expect(ask('anthropic', provider(), 'claude-opus-5-5', { usage: null })).toEqual({ costUsd: null })
  })
})
