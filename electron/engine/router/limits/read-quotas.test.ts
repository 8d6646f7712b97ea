import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Quota } from '../../../../shared/routing.ts'
import type { ResponseHeaders } from '../types.ts'
import { readQuotas } from './read-quotas.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const now = Date.UTC(2026, 10, 22, 5, 0, 0)
const H = 3_600_000
const epoch = (ms: number) => String((now + ms) / 1000)

const told: [string, ResponseHeaders, Quota[]][] = [
  ['nothing', { 'content-type': 'text/event-stream', 'retry-after': '3' }, []],
  [
    'OpenAI',
    {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '45',
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-limit-tokens': '150000',
      'x-ratelimit-remaining-tokens': '149984',
      'x-ratelimit-reset-tokens': '6m0s',
    },
    [
      { window: 'requests', usedPercent: 25, resetsAt: now + 1000 },
      { window: 'tokens', usedPercent: 0, resetsAt: now + 360_000 },
    ],
  ],
  [
    'OpenRouter',
    { 'X-RateLimit-Limit': ['20'], 'X-RateLimit-Remaining': ['0'], 'X-RateLimit-Reset': [String(now + H)] },
    [{ window: 'requests', usedPercent: 100, resetsAt: now + H }],
  ],
  ['what is left of nobody knows how much', { 'x-ratelimit-remaining-requests': '7' }, []],
  [
    'nothing left of nobody knows how much',
    { 'x-ratelimit-remaining-requests': '0' },
    [{ window: 'requests', usedPercent: 100, resetsAt: null }],
  ],
  [
    'Anthropic’s API',
    {
      'anthropic-ratelimit-input-tokens-limit': '40000',
      'anthropic-ratelimit-input-tokens-remaining': '10000',
      'anthropic-ratelimit-input-tokens-reset': '2026-11-22T05:00:40Z',
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'anthropic-ratelimit-requests-reset': '2026-11-22T04:59:59Z',
    },
    [
      { window: 'requests', usedPercent: 2, resetsAt: null },
      { window: 'input-tokens', usedPercent: 75, resetsAt: now + 40_000 },
    ],
  ],
  [
    'a subscription of Anthropic',
    {
      'anthropic-ratelimit-unified-status': 'allowed',
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      'anthropic-ratelimit-unified-reset': epoch(2 * H),
      'anthropic-ratelimit-unified-fallback-percentage': '0.5',
      'anthropic-ratelimit-unified-5h-status': 'allowed',
      'anthropic-ratelimit-unified-5h-utilization': '0.42',
      'anthropic-ratelimit-unified-5h-reset': epoch(2 * H),
      'anthropic-ratelimit-unified-7d-utilization': '1.02',
      'anthropic-ratelimit-unified-7d-reset': epoch(80 * H),
      'anthropic-ratelimit-unified-overage-status': 'rejected',
    },
    [
      { window: '5h', usedPercent: 42, resetsAt: now + 2 * H },
      { window: '7d', usedPercent: 100, resetsAt: now + 80 * H },
    ],
  ],
  [
    'a plan of ChatGPT',
    {
      'x-codex-primary-used-percent': '12.7',
      'x-codex-primary-window-minutes': '300',
      'x-codex-primary-reset-after-seconds': '600',
      'x-codex-secondary-used-percent': '31',
      'x-codex-secondary-window-minutes': '10080',
      'x-codex-secondary-reset-at': epoch(50 * H),
      'x-codex-plan-type': 'plus',
    },
    [
      { window: '5h', usedPercent: 12.7, resetsAt: now + 600_000 },
      { window: '7d', usedPercent: 31, resetsAt: now + 50 * H },
    ],
  ],
  [
    'a subscription of Anthropic: weeks of single models',
    {
      'anthropic-ratelimit-unified-7d_opus-utilization': '0.9',
      'anthropic-ratelimit-unified-7d_oi-utilization': '0.1',
      'anthropic-ratelimit-unified-7d_new-utilization': '0.2',
    },
    [
      { window: '7d_opus', usedPercent: 90, resetsAt: null, subject: { kind: 'family', name: 'opus' } },
      { window: '7d_oi', usedPercent: 10, resetsAt: null, subject: { kind: 'family', name: 'fable' } },
      { window: '7d_new', usedPercent: 20, resetsAt: null },
    ],
  ],
  [
    'GitHub Copilot',
    {
      'x-quota-snapshot-chat': 'ent=-1&ov=0.0&ovPerm=false&rem=100.0&rst=2026-12-01T00%3A00%3A00Z',
      'x-quota-snapshot-completions': 'ent=2000&ov=0.0&ovPerm=false&rem=1.0&rst=2026-12-01T00%3A00%3A00Z',
      'x-quota-snapshot-premium_interactions': 'ent=300&ov=0.0&ovPerm=false&rem=7.5&rst=2026-12-01T00%3A00%3A00Z',
      'x-quota-snapshot-premium_models': 'nonsense',
      'x-usage-ratelimit-session': 'ent=0&ov=0.0&ovPerm=false&rem=74.9&rst=2026-11-22T08%3A30%3A00Z',
      'x-usage-ratelimit-weekly': 'ent=0&ov=0.0&ovPerm=false&rem=-3&rst=2026-11-23T00%3A00%3A00Z',
    },
    [
      { window: 'premium_interactions', usedPercent: 92.5, resetsAt: Date.UTC(2026, 11, 1) },
      { window: '5h', usedPercent: 25.1, resetsAt: now + 3.5 * H },
      { window: '7d', usedPercent: 100, resetsAt: now + 19 * H },
    ],
  ],
  [
    'a plan of ChatGPT with one window',
    {
      'x-codex-primary-used-percent': '4',
      'x-codex-primary-window-minutes': '10080',
      'x-codex-secondary-used-percent': '0',
      'x-codex-secondary-window-minutes': '0',
    },
    [{ window: '7d', usedPercent: 4, resetsAt: null }],
  ],
]

describe('quotas', () => {
  it.each(told)('%s', (_, headers, quotas) => expect(readQuotas(headers, now)).toEqual(quotas))

  it('are in bounds, whatever the headers say', () => {
    const name = fc.constantFrom(
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'x-ratelimit-remaining-a',
      'x-ratelimit-limit-a',
      'x-codex-primary-used-percent',
      'x-codex-primary-window-minutes',
      'x-codex-primary-reset-at',
      'anthropic-ratelimit-tokens-limit',
      'anthropic-ratelimit-tokens-remaining',
      'anthropic-ratelimit-tokens-reset',
      'anthropic-ratelimit-unified-5h-utilization',
      'anthropic-ratelimit-unified-5h-reset',
      'x-quota-snapshot-chat',
      'x-usage-ratelimit-weekly',
    )
    const value = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.double().map(String),
      fc.nat(200).map(String),
      fc.constantFrom('1e9', '9'.repeat(18), '-0', '0.1.2', 'rem=1e9', 'rem=&rst=', 'rem=-1&rst=2099-01-01T00:00:00Z'),
    )
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(value, fc.array(value, { maxLength: 2 }))), (headers) => {
        for (const { usedPercent, resetsAt } of readQuotas(headers, now)) {
          if (usedPercent !== null) expect(usedPercent >= 0 && usedPercent <= 100).toBe(true)
          if (resetsAt !== null) expect(resetsAt > now && resetsAt <= now + 31 * 24 * H).toBe(true)
        }
      }),
      runs(1000),
    )
  })
})
