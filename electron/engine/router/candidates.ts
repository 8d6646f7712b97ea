import {
  type Config,
  type ProviderConfig,
  type ProviderType,
  type RouteCategory,
  routeCategories,
} from '../../../shared/config/schema.ts'
import type { PassedOver, RouteReason, CategoryReason } from '../../../shared/routing.ts'
import { holdsModels, refusalOf } from '../../../shared/policy/apply.ts'
import { ofOneVendor } from '../providers/headers.ts'
import {
  isNative,
  prepared,
  SIMULATOR,
  type PoolEntry,
  type Prepared,
  providerProtocol,
  splitTarget,
} from './prepared.ts'
import { eachInOrder } from './share.ts'
import type { RouteAsk } from './types.ts'

/** A provider and model that a request may go to, before health and keys are looked at. */
export interface Candidate {
  providerId: string
  provider: ProviderConfig
  model: string
  /** the route that named it; null: no route did */
  category: RouteCategory | null
  /** of its route: when it changes, sticky choices end */
  mark: string
  why: readonly RouteReason[]
  /** a model that can't take this request, as far as the config says: used only when nothing else is left */
  unfit: PassedOver | null
}

export type Skipped = { candidate: string; why: PassedOver }

export interface Candidates {
  list: readonly Candidate[]
  /** the rules that matched, whatever is chosen */
  why: readonly RouteReason[]
  skipped: readonly Skipped[]
}

interface Wanted {
  providerId: string
  model: string
  category: RouteCategory | null
  mark: string
  why: readonly RouteReason[]
}

export const nameOf = ({ providerId, model }: Pick<PoolEntry, 'providerId' | 'model'>): string =>
  `${providerId}.${model}`

/** True if a provider of this type speaks the client's protocol, or the request can be converted. */
export function serves(
  type: ProviderType,
  { entry, endpoint, needs }: Pick<RouteAsk, 'entry' | 'endpoint' | 'needs'>,
): boolean {
  const protocol = providerProtocol(type)
  return protocol === null || protocol === entry || (endpoint === 'generate' && !needs.bound?.())
}

/**
 * The places a request may go to, best first, looked at one by one: mostly the first is taken, and a route may have
 * hundreds.
 */
export interface CandidateSource {
  /** the candidate at this place, from 0; null: there are no more */
  at(index: number): Candidate | null
  /** the rules that matched, whatever is chosen */
  why: readonly RouteReason[]
  /** those that can't take this request, of the ones looked at so far; looking on adds to it */
  skipped: Skipped[]
}

export function candidateSource(ask: RouteAsk, config: Config, standIn: StandIn | null = null): CandidateSource {
  const ready = prepared(config)
  const { wanted, why } = wantedTargets(ask, config, ready, standIn)
  const rest = wanted[Symbol.iterator]()
  const list: Candidate[] = []
  const skipped: Skipped[] = []
  const seen = new Set<string>()
  const { allow, force } = ask.overrides
  const look = ({ providerId, model, category, mark, why: own }: Wanted) => {
    const candidate = nameOf({ providerId, model })
    if (seen.has(candidate)) return
    seen.add(candidate)
    const provider = ready.addressable[providerId]
    const no = provider
      ? (heldBack(ask, config, providerId, provider, model) ?? refusal(ask, providerId, candidate, provider))
      : { code: 'unknown-provider' as const }
    if (no || !provider) skipped.push({ candidate, why: no ?? { code: 'unknown-provider' } })
    else
      list.push({
        providerId,
        provider,
        model,
        category,
        mark,
        why: own,
        unfit: unfit(ask, provider, model, own.some(isChosen)),
      })
  }
  return {
    at(index) {
      while (list.length <= index) {
        const next = rest.next()
        if (next.done) return null
        look(next.value)
      }
      return list[index] ?? null
    },
    why: allow !== null && force === null ? [{ code: 'allowed', providers: allow }, ...why] : why,
    skipped,
  }
}

/** True for a model that a person named: it is taken for what it is. */
export const isChosen = ({ code }: RouteReason): boolean => code === 'preferred' || code === 'stand-in'

/** Returns all of them. Pure: the same ask and config give the same list. */
export function candidatesFor(ask: RouteAsk, config: Config): Candidates {
  const { at, why, skipped } = candidateSource(ask, config)
  const list: Candidate[] = []
  for (let next = at(0); next; next = at(list.length)) list.push(next)
  return { list, why, skipped }
}

/**
 * The one place where policies hold providers and models: routes, direct names, aliases, markers, stand-ins, tests and
 * Onward's own calls all come by here. A request may name further models for its provider to choose from.
 */
function heldBack(
  ask: RouteAsk,
  { held }: Config,
  id: string,
  provider: ProviderConfig,
  model: string,
): PassedOver | null {
  if (held === undefined) return null
  const others = holdsModels(held) ? (ask.needs.otherModels?.() ?? []) : []
  for (const one of [model, ...others]) {
    const by = refusalOf(held, id, provider, one)
    if (by) return { code: 'policy', by: by.organisation ?? '', source: by.source }
  }
  return null
}

/** Returns why a candidate can't take this request, whatever its health. */
function refusal(ask: RouteAsk, providerId: string, candidate: string, provider: ProviderConfig): PassedOver | null {
  const { disabled, allow, force } = ask.overrides
  if (disabled.length > 0 && (disabled.includes(providerId) || disabled.includes(candidate)))
    return { code: 'disabled' }
  if (allow !== null && force === null && !allow.includes(providerId)) return { code: 'not-allowed' }
  if (!serves(provider.type, ask)) return { code: 'protocol', type: provider.type, entry: ask.entry }
  if (provider.auth === 'client' && !(ofOneVendor(ask.entry, provider.type) && ask.credential() !== null))
    return { code: 'no-credential' }
  return null
}

/** A model that a person prefers is given descriptions of images where it can't see them (vision_auto). */
function unfit(ask: RouteAsk, provider: ProviderConfig, model: string, preferred: boolean): PassedOver | null {
  const facts = provider.models[model]
  if (!facts) return null
  if (facts.contextWindow !== undefined && ask.needs.tokens() > facts.contextWindow)
    return { code: 'too-small', contextWindow: facts.contextWindow, tokens: ask.needs.tokens() }
  if (preferred && ask.describesImages?.()) return null
  return facts.vision === false && ask.needs.image() ? { code: 'no-vision' } : null
}

interface Found {
  wanted: Iterable<Wanted>
  why: readonly RouteReason[]
}

function wantedTargets(ask: RouteAsk, config: Config, ready: Prepared, standIn: StandIn | null): Found {
  const { force, prefer } = ask.overrides
  const forced = force === null ? null : splitTarget(force, ready.providers)
  if (forced && force !== null) return alone(forced, ask.test ? [] : [{ code: 'forced', target: force }])
  const preferred = prefer === null ? null : splitTarget(prefer, ready.providers)
  const usual = usualTargets(ask, config, ready)
  if (!preferred || prefer === null) return instead(usual, standIn, ready)
  const wanted = after(
    { ...preferred, category: null, mark: '', why: [{ code: 'preferred', target: prefer }] },
    usual.wanted,
  )
  return instead({ wanted, why: usual.why }, standIn, ready)
}

function instead({ wanted, why }: Found, standIn: StandIn | null, ready: Prepared): Found {
  const chosen = standIn === null ? null : splitTarget(standIn.target, ready.providers)
  if (!chosen || standIn === null) return { wanted, why }
  const { target, failed, tryFailed } = standIn
  const is: Wanted = { ...chosen, category: null, mark: '', why: [{ code: 'stand-in', target, failed }] }
  return { wanted: withStandIn(wanted, { is, tryFailed }, (one) => failed.includes(nameOf(one))), why }
}

function* after(first: Wanted, others: Iterable<Wanted>): Generator<Wanted> {
  yield first
  yield* others
}

const alone = (target: { providerId: string; model: string }, why: readonly RouteReason[]): Found => ({
  wanted: [{ ...target, category: null, mark: '', why: [] }],
  why,
})

function usualTargets(ask: RouteAsk, config: Config, ready: Prepared): Found {
  const { model, why } = afterAliases(ask.model, config.aliases)
  const direct = model === null ? null : splitTarget(model, ready.addressable)
  if (direct && model !== null) return alone(direct, why.length > 0 ? why : [{ code: 'addressed', target: model }])
  const routes = classify(ask, model, config, ready)
  if (routes.length === 0) return withoutRoutes({ ...ask, model }, ready, why)
  const session = ask.sessionId ?? ask.requestId
  // More specific routes come first: what they refuse, a later route can still answer.
  return { wanted: wantedOf(routes, ready, session), why }
}

function* wantedOf(routes: readonly Classified[], { pools }: Prepared, session: string): Generator<Wanted> {
  for (const { category, because } of routes) {
    const pool = pools.get(category)
    if (!pool) continue
    const reason: RouteReason = { code: 'category', category, because }
    for (const { entry, percent } of eachInOrder(pool.entries, session)) {
      yield {
        providerId: entry.providerId,
        model: entry.model,
        category,
        mark: pool.mark,
        why: percent === null || percent === 100 ? [reason] : [reason, { code: 'shared', percent }],
      }
    }
  }
}

/** An alias may name another; a circle ends where it began. */
function afterAliases(
  model: string | null,
  aliases: Config['aliases'],
): { model: string | null; why: readonly RouteReason[] } {
  if (model === null || !Object.hasOwn(aliases, model)) return { model, why: [] }
  const why: RouteReason[] = []
  const seen = new Set<string>()
  let name = model
  while (Object.hasOwn(aliases, name) && !seen.has(name)) {
    seen.add(name)
    const target: string | undefined = aliases[name]
    if (target === undefined) break
    why.push({ code: 'alias', name, target })
    name = target
  }
  return { model: name, why }
}

/**
 * With no route configured: providers that list the model, then those of the client's protocol with the client's model,
 * then the others with a model of their own, as they hardly know the client's.
 */
function withoutRoutes(
  { model, entry }: RouteAsk,
  { listing, nativeFirst }: Prepared,
  why: readonly RouteReason[],
): Found {
  const order = nativeFirst(entry)
  const listed = model === null ? undefined : listing.get(model)
  // No provider has a model of that name: it names a route (pipeline/ask-review.ts).
  const named = model === 'review' ? null : model
  const plain = { category: null, mark: '', why: [] }
  if (listed && model !== null) {
    const at = new Map(order.map(([id], i) => [id, i]))
    const wanted = listed
      .toSorted((a, b) => (at.get(a.providerId) ?? 0) - (at.get(b.providerId) ?? 0))
      .map((e) => ({ ...e, ...plain }))
    return { wanted, why: [...why, { code: 'listed', model }] }
  }
  const wanted = order.flatMap(([providerId, p]): Wanted[] => {
    const own = Object.keys(p.models)[0]
    const taken = p.type === 'simulator' ? (own ?? SIMULATOR) : isNative(p, entry) ? (named ?? own) : (own ?? named)
    return taken === undefined || taken === null ? [] : [{ providerId, model: taken, ...plain }]
  })
  return { wanted, why: [...why, { code: 'no-routes' }] }
}

interface Classified {
  category: RouteCategory
  because: CategoryReason
}

/**
 * The routes a request belongs to, most specific first, `default` last. What a model must be able to do (see, hold so
 * much, search) comes before what it should be good at, so that an agent which always asks for thinking still gets its
 * long conversations to the models for them. Only configured routes are checked: no body is read for a rule that is not
 * in use.
 */
export function classify(
  ask: RouteAsk,
  model: string | null,
  config: Config,
  { pools, listing }: Prepared,
): readonly Classified[] {
  const found: Classified[] = []
  const add = (category: RouteCategory, because: CategoryReason | null) => {
    if (because) found.push({ category, because })
  }
  const name =
    model !== null && !listing.has(model) ? routeCategories.find((category) => category === model) : undefined
  if (name !== undefined && pools.has(name)) add(name, { code: 'named' })
  // A reviewer without a route of its own judges with the model that does the work, not with the small one for odd
  // jobs.
  else if (name !== 'review') {
    if (pools.has('background')) add('background', background(ask, model))
    if (pools.has('vision') && ask.needs.image()) add('vision', { code: 'image' })
    if (pools.has('longContext')) add('longContext', long(ask.needs.tokens(), config.longContextThreshold))
    if (pools.has('webSearch') && ask.needs.webSearch()) add('webSearch', { code: 'web-search' })
    if (pools.has('thinking') && ask.needs.thinking()) add('thinking', { code: 'thinking' })
  }
  if (pools.has('default') && !found.some((c) => c.category === 'default')) add('default', { code: 'otherwise' })
  return found
}

/**
 * The client's small, fast model or an auxiliary request. Compaction and counting stay with their conversation's model:
 * they are about its cached prefix, its context window and its tokens.
 */
function background({ kind }: RouteAsk, model: string | null): CategoryReason | null {
  if (kind === 'title' || kind === 'probe') return { code: 'auxiliary', kind }
  return kind !== 'compaction' && kind !== 'count' && model !== null && isSmallModel(model)
    ? { code: 'small-model', model }
    : null
}

const long = (tokens: number, threshold: number): CategoryReason | null =>
  tokens > threshold ? { code: 'long', tokens, threshold } : null
/** Names of the small, fast models that agents use beside their main one, by vendor. New ones are one entry. */
const smallModels: readonly RegExp[] = [
  // Claude Code's background model
  /\bhaiku\b/,
  // opencode's small model, Codex
  /\bgpt-[\w.]+-(mini|nano)\b/,
  // Gemini CLI's router
  /\bgemini-[\w.]+-flash-lite\b/,
  /\b(glm-[\w.]+-(air|flash)|qwen[\w.-]*-(turbo|flash)|simulator-small)\b/,
]

export const isSmallModel = (model: string): boolean => smallModels.some((name) => name.test(model.toLowerCase()))

/** A person's choice of the model that takes a session's turns while something else fails. */
export interface StandIn {
  /** `provider.model` */
  target: string
  /** what it stands in for, by `provider.model` */
  failed: readonly string[]
  /** none of them was asked for long: this request tries them first */
  tryFailed: boolean
}

/**
 * It takes the place of the first of those that failed, and others stay where they are: the failure of what a request
 * would never have asked is no reason to send it elsewhere.
 */
function* withStandIn<T>(
  usual: Iterable<T>,
  standIn: { is: T; tryFailed: boolean },
  failed: (one: T) => boolean,
): Generator<T> {
  let after = false
  for (const one of usual) {
    if (failed(one) && !after) {
      if (!standIn.tryFailed) yield standIn.is
      after = true
      yield one
    } else yield one
  }
  if (after && standIn.tryFailed) yield standIn.is
}
