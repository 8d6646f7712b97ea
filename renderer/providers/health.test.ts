import { describe, expect, it } from 'vitest'
import { wordsOf } from '../testing/words.ts'
import type { ProviderView } from '../../shared/routing.ts'
import { hostOf, keysOf, rests, sayOf, shapeOf } from './health.ts'

const en = wordsOf('en')
const ready = (alias: string): ProviderView['keys'][number] => ({ alias, from: 'env', state: { kind: 'ready' } })
const refused: ProviderView['keys'][number] = {
  alias: 'main',
  from: 'env',
  state: { kind: 'resting', rest: { why: 'refused', status: 401, until: 60_000 } },
}
const provider = (over: Partial<ProviderView> = {}): ProviderView => ({
  id: 'zai',
  type: 'openai-chat',
  baseUrl: 'https://api.z.ai/v1',
  auth: 'key',
  models: [],
  keys: [ready('main')],
  health: { kind: 'healthy' },
  quotas: [],
  calls: [],
  ttfbMs: null,
  sessions: 0,
  routes: ['default'],
  local: false,
  ...over,
})
const failures = { why: 'failures', count: 3, until: 42_000 } as const

describe('a provider', () => {
  it.each([
    [{}, 'working', 'Healthy.'],
    [{ sessions: 5 }, 'working', 'Healthy. Serves 5 sessions.'],
    [
      { sessions: 5, quotas: [{ window: 'tokens', usedPercent: 16, resetsAt: null }] },
      'working',
      'Healthy. 84% of the tokens are left.',
    ],
    [{ local: true }, 'working', 'Healthy. Local, costs nothing.'],
    [{ routes: [] }, 'working', 'Healthy. Not in any route.'],
    [{ health: { kind: 'unused' } }, 'idle', 'Not called yet.'],
    [
      { health: { kind: 'unused' }, type: 'simulator', routes: [] },
      'idle',
      'Not in any route. Answers demos and tests without an account.',
    ],
    [
      { health: { kind: 'resting', models: [], rest: failures } },
      'held',
      'Cooling down for 42 s after 3 failures, then one trial call.',
    ],
    [
      { health: { kind: 'resting', models: [], rest: { why: 'refused', status: 403, until: 60_000 } } },
      'failed',
      'The key was refused (403). It is tried again in 1 min.',
    ],
    [
      { health: { kind: 'some-keys', keys: ['main'] }, keys: [refused, ready('spare')] },
      'failed',
      'Key “main” was refused (401). Turns use “spare” meanwhile.',
    ],
    [
      {
        health: { kind: 'some-keys', keys: ['main'] },
        keys: [{ alias: 'main', from: 'env', state: { kind: 'resting', rest: failures } }, ready('spare')],
      },
      'held',
      'Key “main” rests. Turns use the others meanwhile.',
    ],
    [{ health: { kind: 'no-key' }, keys: [] }, 'failed', 'No key has a value.'],
    [{ health: { kind: 'forbidden', by: 'Example' } }, 'idle', 'Not allowed by your organisation (Example).'],
    [{ health: { kind: 'on-trial' } }, 'held', 'Its cool-down is over: the next call tries whether it is back.'],
  ] satisfies [Partial<ProviderView>, string, string][])('%j is %s', (over, shape, say) => {
    expect(shapeOf(provider(over))).toBe(shape)
    expect(sayOf(provider(over), en, 0)).toBe(say)
  })

  it('says how many keys can be used', () => {
    const t = en.w.providers
    expect(keysOf(provider({ auth: 'client', keys: [] }), t)).toBe('your login')
    expect(keysOf(provider({ auth: 'none', keys: [] }), t)).toBe('no key')
    expect(keysOf(provider({ keys: [refused, ready('spare')] }), t)).toBe('1 of 2 keys')
    expect(keysOf(provider({ keys: [ready('a'), ready('b')] }), t)).toBe('2 keys')
  })

  it('rests as a whole or with some of its models', () => {
    expect(rests(provider(), 'a')).toBe(false)
    expect(rests(provider({ health: { kind: 'resting', models: [], rest: failures } }), 'a')).toBe(true)
    expect(rests(provider({ health: { kind: 'resting', models: ['b'], rest: failures } }), 'a')).toBe(false)
    expect(rests(provider({ health: { kind: 'resting', models: ['b'], rest: failures } }), 'b')).toBe(true)
  })

  it.each([
    ['https://api.z.ai/api/paas/v4', 'api.z.ai'],
    ['http://127.0.0.1:11434/v1', '127.0.0.1:11434'],
    ['odd', 'odd'],
  ])('at %s is told by %s', (url, host) => expect(hostOf(url)).toBe(host))
})
