import { baseUrlOf } from '../../../shared/config/presets.ts'
import { refusalOf } from '../../../shared/policy/apply.ts'
import type { Config, ProviderConfig, RouteCategory } from '../../../shared/config/schema.ts'
import type { ModelSilence, ProviderHealth, ProviderView, Quota, Rest } from '../../../shared/routing.ts'
import { timeLimits } from '../providers/time-limits.ts'
import {
  type Calls,
  type CallsOf,
  keyName,
  keyNames,
  keyPrefix,
  modelName,
  modelPrefix,
  providerName,
  subjectPrefix,
  type Named,
} from './health/calls.ts'
import type { Health } from './health/health.ts'
import type { Silences } from './health/silences.ts'
import type { ReadQuotas } from './limits/types.ts'
import { priceSource } from './cost.ts'
import { prepared } from './prepared.ts'
import type { Sticky } from './select.ts'

export interface ProviderViewsDeps {
  config: Config
  health: Pick<Health, 'rests'>
  calls: Calls
  silences: Silences
  sticky: Sticky
  secretOf(providerId: string, alias: string): { ok: true; value: string } | { ok: false; why: string }
  readQuotas: ReadQuotas
  now: number
}

const HOUR = 60 * 60_000

/** Returns every provider in force as viewers see it. */
export function providerViews(deps: ProviderViewsDeps): readonly ProviderView[] {
  const { providers } = prepared(deps.config)
  return Object.entries(providers).map(([id, provider]) => view(id, provider, deps))
}

function view(id: string, provider: ProviderConfig, deps: ProviderViewsDeps): ProviderView {
  const named: Named = { providerId: id, provider }
  const { calls, failing, ttfbMs, headers } = deps.calls.of(named)
  const silence = silenceOf(named, deps)
  const { via } = provider
  const baseUrl = provider.type === 'simulator' || via !== undefined ? null : baseUrlOf(id, provider)
  const keys = provider.keys.map((key) => ({
    alias: key.alias,
    from: 'value' in key ? ('value' as const) : 'env' in key ? ('env' as const) : ('secret' as const),
    ...keyState(named, key.alias, deps),
  }))
  return {
    id,
    type: provider.type,
    baseUrl,
    ...(via !== undefined && { via }),
    auth: provider.auth,
    models: Object.entries(provider.models).map(([name, m]) => ({
      ...priceOf(id, provider, name),
      id: name,
      contextWindow: m.contextWindow ?? null,
      vision: m.vision ?? null,
      thinking: m.thinking ?? null,
    })),
    keys,
    health: healthOf(named, keys, { calls, failing }, deps),
    ...(failing ? { failingSince: failing.since } : {}),
    quotas: quotas(headers.flatMap((h) => deps.readQuotas(h, deps.now))),
    calls,
    ttfbMs,
    ...(silence.length > 0 ? { silence } : {}),
    sessions: deps.sticky.sessionsOf(id, HOUR),
    routes: (Object.entries(deps.config.routes) as [RouteCategory, Config['routes'][RouteCategory]][])
      .filter(([, pool]) =>
        (pool ?? []).some(
          (entry) =>
            (typeof entry === 'string' ? entry : entry.target).startsWith(`${id}.`) ||
            (typeof entry === 'string' ? entry : entry.target).startsWith(`${id}/`),
        ),
      )
      .map(([category]) => category),
    local:
      (provider.type === 'simulator' && via === undefined) ||
      (baseUrl !== null && /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/]|$)/.test(baseUrl)),
  }
}

/** Returns the silence limits of models with enough answers, where measured values count. */
function silenceOf(named: Named, { silences }: ProviderViewsDeps): ModelSilence[] {
  const prefix = modelPrefix(named)
  return silences.names().flatMap((name) => {
    const facts = name.startsWith(prefix) ? silences.of(name) : null
    if (!facts || facts.silentMs === null) return []
    const model = name.slice(prefix.length)
    const { silence } = timeLimits(named.providerId, named.provider, model, facts)
    if (silence.silentMs === 0 || silence.idleMs === 0) return []
    return [{ model, answers: facts.answers, silentMs: silence.silentMs, idleMs: silence.idleMs }]
  })
}

function priceOf(
  id: string,
  provider: ProviderConfig,
  model: string,
): Pick<ProviderView['models'][number], 'priced' | 'price'> {
  const price = priceSource(id, provider, model)
  return price ? { priced: true, price } : { priced: false }
}

function keyState(
  named: Named,
  alias: string,
  { secretOf, health }: ProviderViewsDeps,
): Pick<ProviderView['keys'][number], 'state' | 'limits'> {
  const secret = secretOf(named.providerId, alias)
  if (!secret.ok) return { state: { kind: 'missing', why: secret.why } }
  const name = keyName({ ...named, key: { alias, value: secret.value }, credential: null })
  const rest = restIn(health, name)
  if (rest) return { state: { kind: 'resting', rest } }
  const limits = restsBelow(subjectPrefix(name), health)
  return { state: { kind: 'ready' }, ...(limits.length > 0 ? { limits } : {}) }
}

/** Returns the models that no key can answer, and the first of their rests to end. */
function limitedModels(
  named: Named,
  keys: ProviderView['keys'],
  { health, secretOf }: ProviderViewsDeps,
): { models: readonly string[]; rest: Rest } | null {
  const all = [...health.rests.names()]
  const told = all.flatMap((name) => {
    const rest = name.startsWith(keyPrefix(named)) ? restIn(health, name) : null
    return rest && 'subject' in rest && rest.subject ? [{ name, rest, subject: rest.subject }] : []
  })
  if (told.length === 0) return null
  const usable = keys.flatMap(({ alias, state }) => {
    const secret = state.kind === 'ready' ? secretOf(named.providerId, alias) : null
    return secret?.ok ? [{ alias, value: secret.value }] : []
  })
  const asked = new Set([
    ...Object.keys(named.provider.models),
    ...told.flatMap(({ subject }) => (subject.kind === 'model' ? [subject.name] : [])),
  ])
  // Clients' logins take the place of keys, and are not known by name: any that is limited counts.
  const limitOf = (model: string): Rest | null => {
    const names = usable.map((key) => keyNames({ ...named, key, credential: null }, model))
    const rests = names.map((parts) => told.find(({ name }) => parts.includes(name))?.rest ?? null)
    if (usable.length === 0) {
      const subjects = keyNames({ ...named, key: null, credential: '' }, model)
        .slice(1)
        .map(subjectIn)
      return told.find(({ name }) => subjects.includes(subjectIn(name)))?.rest ?? null
    }
    return rests.every((rest) => rest !== null) ? soonest(rests) : null
  }
  const limited = [...asked].flatMap((model) => {
    const rest = limitOf(model)
    return rest ? [{ model, rest }] : []
  })
  const rest = soonest(limited.map((one) => one.rest))
  return rest && { models: limited.map(({ model }) => model), rest }
}

/** Returns the subject after the key in the name of a part of it. */
const subjectIn = (name: string): string => name.slice(name.lastIndexOf('\0s'))

function healthOf(
  named: Named,
  keys: ProviderView['keys'],
  { calls, failing }: Pick<CallsOf, 'calls' | 'failing'>,
  deps: ProviderViewsDeps,
): ProviderHealth {
  const { health } = deps
  const { provider } = named
  const by = refusalOf(deps.config.held, named.providerId, provider, null)
  if (by) return { kind: 'forbidden', by: by.organisation ?? '' }
  const whole = health.rests.of(providerName(named))
  if (whole.kind === 'resting') return { kind: 'resting', rest: whole.rest, models: [] }
  // Its rest may have been over for long: only a good call shows that it is back.
  if (whole.kind === 'on-trial' || whole.kind === 'due') return { kind: 'on-trial' }
  const ready = keys.filter(({ state }) => state.kind === 'ready')
  const rests = keys.flatMap(({ state }) => (state.kind === 'resting' ? [state.rest] : []))
  const needsKey = provider.auth === 'key' && keys.length > 0
  if (needsKey && ready.length === 0) {
    const first = soonest(rests)
    return first ? { kind: 'resting', rest: first, models: [] } : { kind: 'no-key' }
  }
  // Without keys of its own, the clients' logins or the address itself take their place.
  const logins = soonest(needsKey ? [] : restsBelow(keyPrefix(named), health).filter((rest) => !isOfPart(rest)))
  if (logins) return { kind: 'resting', rest: logins, models: [] }
  const models = Object.keys(provider.models)
  const cooling = [...health.rests.names()]
    .filter((name) => name.startsWith(modelPrefix(named)) && health.rests.of(name).kind === 'resting')
    .map((name) => name.slice(modelPrefix(named).length))
  const first = cooling[0]
  const rest = first === undefined ? null : restIn(health, modelName(named, first))
  if (rest)
    return {
      kind: 'resting',
      rest,
      models: models.length > 0 && models.every((m) => cooling.includes(m)) ? [] : cooling,
    }
  const limited = limitedModels(named, keys, deps)
  if (limited) return { kind: 'resting', ...limited }
  if (
    [...health.rests.names()].some(
      (name) => name.startsWith(modelPrefix(named)) && health.rests.of(name).kind !== 'free',
    )
  )
    return { kind: 'on-trial' }
  if (needsKey && ready.length < keys.length && rests.length > 0)
    return { kind: 'some-keys', keys: keys.filter(({ state }) => state.kind === 'resting').map(({ alias }) => alias) }
  if (failing) return { kind: 'failing', ...failing }
  const failed = calls.filter((answered) => !answered).length
  if (failed > 0) return { kind: 'answers-again', failed, calls: calls.length }
  return calls.length > 0 ? { kind: 'healthy' } : { kind: 'unused' }
}

function restIn(health: Pick<Health, 'rests'>, name: string): Rest | null {
  const standing = health.rests.of(name)
  return standing.kind === 'resting' ? standing.rest : null
}

function restsBelow(prefix: string, health: Pick<Health, 'rests'>): Rest[] {
  return [...health.rests.names()].flatMap((name) => {
    const rest = name.startsWith(prefix) ? restIn(health, name) : null
    return rest ? [rest] : []
  })
}

const isOfPart = (rest: Rest): boolean => 'subject' in rest && rest.subject !== undefined

const soonest = (rests: readonly Rest[]): Rest | null => rests.toSorted((a, b) => a.until - b.until)[0] ?? null

/** Keys may share an account, so the fullest of each window counts. */
function quotas(all: readonly Quota[]): readonly Quota[] {
  const by = new Map<string, Quota>()
  for (const quota of all) {
    const before = by.get(quota.window)
    if (!before || (quota.usedPercent ?? -1) > (before.usedPercent ?? -1)) by.set(quota.window, quota)
  }
  return [...by.values()]
}
