import { describe, expect, it } from 'vitest'
import { codecOf } from '../index.ts'
import { limitHeaders } from './usage-limit.ts'

const now = 1_800_000_000_000
const error = { status: 429, code: 'all-resting', message: 'Every provider rests.', requestId: 'r' }

describe('a usage limit', () => {
  it('is told to Codex in the members it reads, and when it lifts where that is known', () => {
    const told = (lifts: number | null) =>
      JSON.parse(
        codecOf('responses')
          .error({ ...error, limit: { window: '5h', lifts, now } })
          .toString(),
      )
    expect(told(now + 5_000_400)).toMatchObject({
      error: {
        type: 'usage_limit_reached',
        code: 'all-resting',
        message: 'Every provider rests.',
        resets_at: now / 1000 + 5001,
        resets_in_seconds: 5001,
      },
    })
    expect(told(null).error).not.toHaveProperty('resets_at')
    expect(JSON.parse(codecOf('responses').error(error).toString()).error.type).toBe('rate_limit_error')
  })

  it('is told to Claude Code in the headers of a plan, with a claim where the window is one of Claude’s', () => {
    expect(limitHeaders('messages', { window: '7d_opus', lifts: now, now })).toEqual({
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(now / 1000),
      'anthropic-ratelimit-unified-representative-claim': 'seven_day_opus',
    })
    expect(limitHeaders('messages', { window: 'requests', lifts: null, now })).toEqual({
      'anthropic-ratelimit-unified-status': 'rejected',
    })
    expect(limitHeaders('responses', { window: '5h', lifts: now, now })).toEqual({})
  })
})
