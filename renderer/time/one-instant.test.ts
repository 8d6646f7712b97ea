import { describe, expect, it } from 'vitest'
import { alarmTimesOf } from '../alarms/alarm-times.ts'
import { wordsOf } from '../testing/words.ts'
import { sayOf } from '../providers/health.ts'
import { figuresOf } from '../../shared/sentences/figures.ts'
import type { ProviderView, Rest } from '../../shared/routing.ts'
import type { Language } from '../../shared/words.ts'

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const now = Date.UTC(2026, 10, 21, 13, 12, 32)
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Every place that counts down to an instant, and what it says. */
function everywhere(until: number, language: Language): Record<string, string> {
  const words = wordsOf(language)
  const { w, s, f } = words
  const since = now - HOUR
  const limit: Rest = { why: 'limit', window: null, since, lifts: until, until }
  const health = (rest: Rest) => ({ kind: 'resting', rest, models: [] }) as const
  const limited = { code: 'limited', provider: 'zai', since, lifts: until } as const
  const provider: ProviderView = {
    id: 'zai',
    type: 'anthropic',
    baseUrl: null,
    auth: 'key',
    models: [],
    keys: [],
    health: health(limit),
    quotas: [],
    calls: [],
    ttfbMs: null,
    sessions: 0,
    routes: [],
    local: false,
  }
  return {
    alarm: alarmTimesOf(words, zone).countdown(until, now),
    'session at its limit': s.say({ ...limited, resumeAt: null }, now),
    'session that goes on': s.say({ ...limited, resumeAt: until }, now),
    'provider at its limit': s.health(health(limit), now),
    'provider in its row': sayOf(provider, words, now),
    'provider that cools down': s.health(health({ why: 'failures', count: 3, until }), now),
    'provider asked too fast': s.health(health({ why: 'rate', until, told: true }), now),
    'refused key': s.health(health({ why: 'refused', status: 403, until }), now),
    'candidate passed over': s.passedOver({ code: 'resting', key: null, rest: limit }, now),
    'time a goal has left': w.goal.leftTime(f.left(until, now)),
    'engine that is asked again': w.banner.retryIn(f.left(until, now)),
  }
}

describe('one instant', () => {
  it.each([
    20 * SECOND - 1,
    MINUTE - 1,
    MINUTE + 1,
    18 * MINUTE - 32 * SECOND,
    108 * MINUTE - 32 * SECOND,
    11 * HOUR + 59 * MINUTE + 30 * SECOND,
    30 * HOUR,
    9 * 24 * HOUR,
  ])('%i ms away is as far everywhere', (ms) => {
    for (const language of ['en', 'zh-CN'] as const) {
      const left = figuresOf(language).left(now + ms, now)
      const others = Object.entries(everywhere(now + ms, language)).filter(([, said]) => !said.includes(left))
      expect(others, left).toEqual([])
    }
  })
})
