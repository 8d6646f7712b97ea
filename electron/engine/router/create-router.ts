import type { Config } from '../../../shared/config/schema.ts'
import { OnwardError } from '../base/errors.ts'
import type { Clock } from '../base/clock.ts'
import { candidatesFor, providersOf, type Candidate } from './candidates.ts'
import { createCoolDowns } from './cool-downs.ts'
import { splitTarget } from './target.ts'
import type { RouteAsk, RouteChoice } from './types.ts'

export interface Router {
  /** `exclude`: choices that failed in this turn. @throws OnwardError `no-route` */
  choose(ask: RouteAsk, exclude?: readonly RouteChoice[]): RouteChoice
  /** how a choice did, for keys that must rest */
  report(choice: RouteChoice, outcome: { ok: boolean; status: number | null; headers: Record<string, string | string[]> | null }): void
  /** what clients may ask for */
  models(): readonly { id: string; owner: string }[]
  isProvider(providerId: string): boolean
  isModel(providerId: string, model: string): boolean
  /** by alias, or by place in the key list counted from 1 */
  isKey(providerId: string, key: string | number): boolean
}

export interface RouterDeps {
  config(): Config
  clock: Clock
  /** the secret of a configured key, or why it can't be had */
  secretOf(providerId: string, alias: string): { ok: true; value: string } | { ok: false; why: string }
}

type KeyChoice = { alias: string; value: string } | null

/** Decides where each turn goes. Reads the config at every choice, so a live change counts from the next turn on. */
export function createRouter({ config, clock, secretOf }: RouterDeps): Router {
  const coolDowns = createCoolDowns(clock)

  const providerOf = (providerId: string) => {
    const providers = providersOf(config())
    return Object.hasOwn(providers, providerId) ? providers[providerId] : undefined
  }
  const keysOf = (candidate: Candidate, ask: RouteAsk, skip: (why: string) => void): readonly KeyChoice[] => {
    const { provider, providerId } = candidate
    if (provider.auth !== 'key' || provider.type === 'simulator' || provider.keys.length === 0) return [null]
    const { disabled } = ask.overrides
    const usable: { alias: string; value: string }[] = []
    for (const [i, key] of provider.keys.entries()) {
      const secret = secretOf(providerId, key.alias)
      if (disabled.includes(`${providerId}[${key.alias}]`) || disabled.includes(`${providerId}.${i + 1}`)) skip(`key ${key.alias} is disabled in this session`)
      else if (!secret.ok) skip(`key ${key.alias} has no value: ${secret.why}`)
      else usable.push({ alias: key.alias, value: secret.value })
    }
    return usable
  }
  const isExcluded = (candidate: Candidate, key: KeyChoice, exclude: readonly RouteChoice[]) =>
    exclude.some((c) => c.providerId === candidate.providerId && c.upstreamModel === candidate.model && (c.key?.alias ?? null) === (key?.alias ?? null))

  return {
    choose(ask, exclude = []) {
      const { list, why, skipped } = candidatesFor(ask, config())
      const passed = [...skipped]
      let resting: { candidate: Candidate; key: KeyChoice; left: number } | null = null
      const choice = (candidate: Candidate, key: KeyChoice): RouteChoice => ({
        providerId: candidate.providerId, provider: candidate.provider, type: candidate.provider.type, upstreamModel: candidate.model, key,
        credential: null,
        fact: { provider: candidate.providerId, model: candidate.model, keyAlias: key?.alias ?? null, category: null, why: why.map((text) => ({ code: 'said', text })), skipped: passed.map((p) => ({ candidate: p.candidate, why: { code: 'said', text: p.why } })) },
      })
      for (const candidate of list) {
        const name = `${candidate.providerId}.${candidate.model}`
        for (const key of keysOf(candidate, ask, (reason) => passed.push({ candidate: name, why: reason }))) {
          if (isExcluded(candidate, key, exclude)) {
            passed.push({ candidate: name, why: `failed in this turn${key ? ` with key ${key.alias}` : ''}` })
            continue
          }
          const left = coolDowns.left(candidate.providerId, restingName(key))
          if (left === 0) return choice(candidate, key)
          passed.push({ candidate: name, why: `${key ? `key ${key.alias} rests` : 'rests'} for ${Math.ceil(left / 1_000)} s more` })
          if (!resting || left < resting.left) resting = { candidate, key, left }
        }
      }
      // Everything rests: the one that is back first is still better than no answer.
      if (resting) return choice(resting.candidate, resting.key)
      throw noRoute(ask, passed)
    },
    report(choice, outcome) { coolDowns.note(choice.providerId, restingName(choice.key), outcome) },
    models() {
      const { aliases } = config()
      const listed = Object.entries(providersOf(config())).flatMap(([owner, provider]) => Object.keys(provider.models).map((id) => ({ id, owner })))
      return [...Object.keys(aliases).map((id) => ({ id, owner: 'alias' })), ...listed]
    },
    isProvider: (providerId) => Object.hasOwn(providersOf(config()), providerId),
    isModel(providerId, model) {
      const models = providerOf(providerId)?.models
      if (models === undefined) return false
      return Object.keys(models).length === 0 || Object.hasOwn(models, model) || namedInConfig(config(), providerId, model)
    },
    isKey(providerId, key) {
      const keys = providerOf(providerId)?.keys ?? []
      return typeof key === 'number' ? key >= 1 && key <= keys.length : keys.some((k) => k.alias === key)
    },
  }
}

/** A key that got a new value is a new key: it does not rest for what the old one did. */
const restingName = (key: KeyChoice): string | null => (key === null ? null : `${key.alias}\0${key.value}`)

/** Models that no provider lists but a route or an alias names. */
function namedInConfig({ routes, aliases }: Config, providerId: string, model: string): boolean {
  const targets = [...Object.values(routes).flatMap((pool) => pool ?? []).map((entry) => (typeof entry === 'string' ? entry : entry.target)), ...Object.values(aliases)]
  return targets.some((text) => {
    const target = splitTarget(text, { [providerId]: true })
    return target?.model === model
  })
}

function noRoute(ask: RouteAsk, skipped: readonly { candidate: string; why: string }[]): OnwardError {
  const tried = skipped.length === 0 ? 'No provider is configured for it.' : skipped.map((s) => `${s.candidate}: ${s.why}`).join('; ')
  return new OnwardError('no-route', `No provider can take this ${ask.entry} request${ask.model === null ? '' : ` for ${ask.model}`}. ${tried}`, { status: 503, details: { skipped } })
}
