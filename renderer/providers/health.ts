/** The health in a provider's row. Pure. */
import type { Words } from '../i18n/index.ts'
import type { SessionShape } from '../../shared/words.ts'
import type { ProviderView } from '../../shared/routing.ts'
import { quotaName, tightest } from './quotas.ts'

/** A refused key needs a person; a rest ends by itself. */
export function shapeOf({ health, keys }: Pick<ProviderView, 'health' | 'keys'>): SessionShape {
  switch (health.kind) {
    case 'unused':
    case 'forbidden':
      return 'idle'
    case 'healthy':
    case 'answers-again':
      return 'working'
    case 'failing':
      return 'failed'
    case 'on-trial':
      return 'held'
    case 'no-key':
      return 'failed'
    case 'resting':
      return health.rest.why === 'refused' ? 'failed' : 'held'
    case 'some-keys':
      return keys.some(({ state }) => state.kind === 'resting' && state.rest.why === 'refused') ? 'failed' : 'held'
  }
}

/** Does a target of this provider rest right now? */
export const rests = ({ health }: Pick<ProviderView, 'health'>, model: string): boolean =>
  health.kind === 'on-trial' ||
  health.kind === 'no-key' ||
  health.kind === 'forbidden' ||
  (health.kind === 'resting' && (health.models.length === 0 || health.models.includes(model)))

/** True if its sentence counts down. */
export const ticks = ({ health }: Pick<ProviderView, 'health'>): boolean => health.kind === 'resting'

/** The sentence of a row: how it is, and the one fact beside that which says most. */
export function sayOf(provider: ProviderView, { w, s }: Words, now: number): string {
  const t = w.providers
  const simulator = provider.type === 'simulator'
  if (simulator && provider.health.kind === 'unused')
    return t.sentences(provider.routes.length === 0 ? t.inNoRoute : s.health(provider.health, now), t.simulatorSay)
  return t.sentences(
    refusedKey(provider, t) ?? s.health(provider.health, now),
    provider.health.kind === 'healthy' ? beside(provider, t) : null,
  )
}

/** Some keys go on: which one was refused, and what serves meanwhile, is worth more than that one rests. */
function refusedKey({ health, keys }: ProviderView, t: Words['w']['providers']): string | null {
  if (health.kind !== 'some-keys') return null
  const [refused, ...more] = keys.filter(({ state }) => state.kind === 'resting' && state.rest.why === 'refused')
  if (!refused || more.length > 0 || refused.state.kind !== 'resting' || refused.state.rest.why !== 'refused')
    return null
  const ready = keys.filter(({ state }) => state.kind === 'ready').map(({ alias }) => alias)
  return ready.length === 1 && ready[0] !== undefined
    ? t.keyRefused(refused.alias, refused.state.rest.status, ready[0])
    : null
}

function beside(provider: ProviderView, t: Words['w']['providers']): string | null {
  const quota = tightest(provider.quotas)
  if (quota) return t.quotaLeft(Math.max(0, 100 - Math.round(quota.usedPercent)), quotaName(quota.window, t))
  if (provider.type === 'simulator') return t.simulatorSay
  if (provider.sessions > 0) return t.serves(provider.sessions)
  if (provider.local) return t.onThisMachine
  return provider.routes.length === 0 ? t.inNoRoute : null
}

export function keysOf(
  { auth, keys, via }: Pick<ProviderView, 'auth' | 'keys' | 'via'>,
  t: Words['w']['providers'],
): string {
  if (via !== undefined) return t.keysThere
  if (auth === 'client') return t.yourLogin
  const ready = keys.filter(({ state }) => state.kind === 'ready').length
  return ready === keys.length ? t.keys(keys.length) : t.keysReady(ready, keys.length)
}

/** `api.z.ai`, `127.0.0.1:11434`: the part that distinguishes providers. */
export function hostOf(baseUrl: string): string {
  return /^https?:\/\/([^/?#]+)/.exec(baseUrl)?.[1] ?? baseUrl
}
