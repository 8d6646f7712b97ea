import { describe, expect, it } from 'vitest'
import type { ProviderView } from '../../../shared/routing.ts'
import { standIns, type StandInFacts } from './stand-ins.ts'

const provider = (id: string, models: readonly string[], change: Partial<ProviderView> = {}): ProviderView => ({
  id,
  type: 'openai-chat',
  baseUrl: null,
  auth: 'key',
  keys: [],
  models: models.map((model) => ({ id: model, contextWindow: null, vision: null, thinking: null, priced: false })),
  health: { kind: 'healthy' },
  quotas: [],
  calls: [],
  ttfbMs: null,
  sessions: 0,
  routes: [],
  local: false,
  ...change,
})
const failing: Partial<ProviderView> = { health: { kind: 'failing', count: 2, since: 1, failure: '529' } }
const found = (providers: readonly ProviderView[], facts: Partial<StandInFacts> = {}) =>
  standIns({ providers, routing: null, session: {}, failed: ['a.sonnet'], ...facts })

describe('what may stand in', () => {
  it('is the same model elsewhere first, then what a route names, then the others', () => {
    const providers = [provider('a', ['sonnet']), provider('b', ['other', 'glm']), provider('c', ['sonnet'])]
    const routes = { default: [{ target: 'a.sonnet', weight: null }], background: [{ target: 'b/glm', weight: null }] }
    expect(found(providers, { routing: { routes } })).toEqual(['c.sonnet', 'b.glm', 'b.other'])
  })

  it('is a model that a route alone names', () => {
    const routes = { default: [{ target: 'b.glm', weight: null }] }
    expect(found([provider('b', [])], { routing: { routes } })).toEqual(['b.glm'])
  })

  it('is nothing that fails, rests, has no key, takes the client’s login or only plays', () => {
    const rest = { why: 'failures', count: 3, until: 9 } as const
    expect(
      found([
        provider('a', ['haiku']),
        provider('b', ['m'], failing),
        provider('c', ['m'], { auth: 'client' }),
        provider('d', ['m'], { type: 'simulator' }),
        provider('e', ['m'], { health: { kind: 'no-key' } }),
        provider('f', ['m'], { health: { kind: 'resting', rest, models: [] } }),
        provider('g', ['tired', 'awake'], { health: { kind: 'resting', rest, models: ['tired'] } }),
      ]),
    ).toEqual(['g.awake'])
  })

  it('is nothing that the session’s markers rule out', () => {
    const providers = [provider('b', ['m', 'n']), provider('c', ['m']), provider('d', ['m'])]
    const routing = { allow: ['b', 'c'], prefer: null, disabled: ['b.m'] }
    expect(found(providers, { session: { routing } })).toEqual(['b.n', 'c.m'])
  })
})
