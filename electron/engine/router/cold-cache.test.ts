import { describe, expect, it } from 'vitest'
import type { ProviderConfig } from '../../../shared/config/schema.ts'
import type { EntryProtocol } from '../../../shared/words.ts'
import { codecOf } from '../protocol/index.ts'
import { coldBecause, coldCost, type ColdFact, type LastPrompt, type Prompt } from './cold-cache.ts'
import { cacheKeptMs, missedTokens } from './cost.ts'

const provider = (type: ProviderConfig['type'], more: Partial<ProviderConfig> = {}): ProviderConfig => ({
  type,
  keys: [],
  auth: 'key',
  headers: {},
  models: {},
  quirks: {},
  ...more,
})
const digestOf = (body: object, entry: EntryProtocol = 'messages') =>
  codecOf(entry)
    .read(Buffer.from(JSON.stringify(body)), '/v1beta/models/m:generateContent')
    .prefixDigest()

const marked = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } })
const user = (content: unknown) => ({ role: 'user', content })
const answer = (content: unknown) => ({ role: 'assistant', content })
const tools = [{ name: 'Bash', input_schema: {} }]
const system = [marked('You are Claude Code.')]
const first = { tools, system, messages: [user('a'), answer('b'), user([marked('c')])] }
const next = { tools, system, messages: [user('a'), answer('b'), user('c'), answer('d'), user([marked('e')])] }

const prompt = (body: object, more: Partial<LastPrompt> = {}): LastPrompt => ({
  digest: digestOf(body),
  provider: 'anthropic',
  model: 'claude-opus-5',
  key: 'main',
  usedAt: 0,
  begunAt: 0,
  cached: 50_000,
  keptMs: 300_000,
  ...more,
})

describe('why a cache was cold', () => {
  it.each<[string, Prompt, number, ColdFact]>([
    ['nothing that shows', prompt(next), 300_000, { why: 'not-known' }],
    [
      'a time without use that is longer than the vendor keeps anything',
      prompt(next),
      300_001,
      { why: 'idle', idle: { ms: 300_001, keptMs: 300_000 } },
    ],
    ['another model', prompt(next, { model: 'claude-opus-5-5' }), 9e9, { why: 'model-switched' }],
    ['another provider of that model', prompt(next, { provider: 'gate' }), 0, { why: 'model-switched' }],
    ['another key', prompt(next, { key: 'second' }), 0, { why: 'key-switched' }],
    ['one tool more', prompt({ ...next, tools: [...tools, { name: 'Edit' }] }), 0, { why: 'tools-changed' }],
    ['no tools', prompt({ system, messages: next.messages }), 0, { why: 'tools-changed' }],
    ['another system text', prompt({ ...next, system: [marked('You are Claude.')] }), 0, { why: 'system-changed' }],
    [
      'an edited message',
      prompt({ ...next, messages: next.messages.with(1, answer('B')) }),
      9e9,
      { why: 'message-edited', message: 2 },
    ],
    [
      'a history that was summed up',
      prompt({ ...next, messages: [user('What was done'), answer('d'), user('e')] }),
      0,
      { why: 'message-edited', message: 1 },
    ],
    // Where a mark was, the form of the message may have changed alone.
    [
      'perhaps a message that had the mark',
      prompt({ ...next, messages: next.messages.with(2, user('C')) }),
      0,
      { why: 'not-known' },
    ],
    ['a history cut back', prompt({ ...first, messages: first.messages.slice(0, 1) }), 0, { why: 'not-known' }],
  ])('%s', (_, now, at, expected) => expect(coldBecause(prompt(first), now, at)).toEqual(expected))

  it('is not known to be the time where the vendor does not say how long it keeps a cache', () =>
    expect(coldBecause(prompt(first, { keptMs: null }), prompt(next), 9e9)).toEqual({ why: 'not-known' }))

  it('counts the messages of the system’s before the others', () => {
    const chat = (text: string) => ({
      tools: [],
      messages: [{ role: 'system', content: 's' }, user('a'), answer(text), user('c')],
    })
    const of = (body: object) => ({ ...prompt(first), digest: digestOf(body, 'chat') })
    expect(coldBecause(of(chat('b')), of(chat('B')), 0)).toEqual({ why: 'message-edited', message: 3 })
    const other = { ...chat('b'), messages: [{ role: 'system', content: 'S' }, ...chat('b').messages.slice(1)] }
    expect(coldBecause(of(chat('b')), of(other), 0)).toEqual({ why: 'system-changed' })
  })

  it.each<[EntryProtocol, string, object, object]>([
    ['responses', 'instructions', { instructions: 'a', input: 'x' }, { instructions: 'b', input: 'x' }],
    [
      'gemini',
      'systemInstruction',
      { systemInstruction: { parts: [{ text: 'a' }] }, contents: [{ parts: [{ text: 'x' }] }] },
      { systemInstruction: { parts: [{ text: 'b' }] }, contents: [{ parts: [{ text: 'x' }] }] },
    ],
  ])('%s: sees another system text in “%s”', (entry, _, was, is) => {
    const of = (body: object) => ({ ...prompt(first), digest: digestOf(body, entry) })
    expect(coldBecause(of(was), of(is), 0)).toEqual({ why: 'system-changed' })
  })

  it('does not take Claude Code’s billing line for a part of the prompt', () => {
    const billed = (word: string) => ({
      ...next,
      system: [{ type: 'text', text: `x-anthropic-billing-header: ${word}` }, ...system],
    })
    expect(coldBecause(prompt(billed('cc_version=1.a;')), prompt(billed('cc_version=1.b;')), 0).why).toBe('not-known')
  })
})

describe('how long a vendor keeps a cache', () => {
  const choice = (id: 'anthropic' | 'openai', more: Partial<ProviderConfig> = {}) => ({
    providerId: id,
    provider: provider(id === 'openai' ? 'openai-responses' : id, more),
  })
  const hour = { type: 'ephemeral', ttl: '1h' }
  it.each<[string, ReturnType<typeof choice>, object, EntryProtocol, number | null]>([
    ['five minutes by a plain mark', choice('anthropic'), first, 'messages', 300_000],
    [
      'an hour where all marks ask for it',
      choice('anthropic'),
      { messages: [user([{ type: 'text', text: 'a "ttl":"5m"', cache_control: hour }])] },
      'messages',
      3_600_000,
    ],
    [
      'the shortest of several',
      choice('anthropic'),
      { system: [{ type: 'text', text: 's', cache_control: hour }], messages: [user([marked('a')])] },
      'messages',
      300_000,
    ],
    ['nothing without a mark', choice('anthropic'), { messages: [user('"cache_control":')] }, 'messages', null],
    ['nothing at another address', choice('anthropic', { baseUrl: 'http://127.0.0.1:9/v1' }), first, 'messages', null],
    [
      'an hour at most at OpenAI, in memory',
      choice('openai'),
      { prompt_cache_retention: 'in_memory', messages: [] },
      'chat',
      3_600_000,
    ],
    ['a day at OpenAI', choice('openai'), { prompt_cache_retention: '24h', messages: [] }, 'chat', 86_400_000],
    ['what OpenAI does unasked', choice('openai'), { messages: [] }, 'chat', null],
  ])('%s', (_, at, body, entry, expected) => expect(cacheKeptMs(at, digestOf(body, entry).keep)).toBe(expected))
})

describe('what a cold cache costs', () => {
  const usage = { input: 60_000, cachedInput: 0, cacheWrite: 58_000, output: 500, reasoning: 0 }
  const at = Date.UTC(2026, 10, 29)
  const ask = (id: 'anthropic' | 'openai', model: string, more: Partial<ProviderConfig> = {}) => ({
    usage,
    choice: {
      providerId: id,
      provider: provider(id === 'openai' ? 'openai-responses' : id, more),
      upstreamModel: model,
    },
    signedIn: () => true,
    at,
  })
  it('misses at most as many tokens as the request has', () => {
    expect(missedTokens({ cached: 50_000 }, usage)).toBe(50_000)
    expect(missedTokens({ cached: 90_000 }, usage)).toBe(60_000)
    expect(missedTokens({ cached: 50_000 }, { ...usage, cachedInput: 55_000 })).toBeLessThan(0)
  })
  it('is the price of writing less that of reading', () =>
    // 50k tokens at $6.25 a million instead of $0.50
    expect(coldCost(ask('anthropic', 'claude-opus-5'), 50_000).costUsd).toBeCloseTo(0.2875, 10))
  it('of an hour’s cache', () =>
    expect(
      coldCost({ ...ask('anthropic', 'claude-opus-5'), usage: { ...usage, cacheWriteHour: 58_000 } }, 50_000).costUsd,
    ).toBeCloseTo(0.475, 10))
  it('is the price of input where nothing is paid for writing', () =>
    expect(
      coldCost(
        { ...ask('openai', 'm', { models: { m: { price: { input: 2, cachedInput: 0.5, output: 8 } } } }) },
        40_000,
      ).costUsd,
    ).toBeCloseTo(0.06, 10))
  it('is told apart where a subscription pays', () => {
    const { costUsd, worthUsd } = coldCost(ask('anthropic', 'claude-opus-5', { auth: 'client' }), 50_000)
    expect(costUsd).toBe(null)
    expect(worthUsd).toBeCloseTo(0.2875, 10)
  })
  it('is not known without a price', () =>
    expect(coldCost(ask('anthropic', 'm'), 50_000)).toEqual({ costUsd: null, unpricedTokens: 50_000 }))
})
