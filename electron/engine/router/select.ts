import type { Config } from '../../../shared/config/schema.ts'
import type { PassedOver, Rest, RouteFact, RouteReason } from '../../../shared/routing.ts'
import type { Clock } from '../base/clock.ts'
import { putNewest } from '../base/newest.ts'
import {
  candidateSource,
  isChosen,
  nameOf,
  type Candidate,
  type CandidateSource,
  type Skipped,
  type StandIn,
} from './candidates.ts'
import { type Health, free, worst, type Standing } from './health/health.ts'
import type { RouteAsk, RouteChoice, Tried } from './types.ts'

/**
 * When a provider has said when it may be asked again, it is still tried once in this interval: people lift limits by
 * hand.
 */
const TRIAL_MS = 60_000

export interface SelectDeps {
  config: Config
  health: Pick<Health, 'provider' | 'model' | 'key'>
  sticky: Sticky
  /** the secret of a configured key, or why it can't be had */
  secretOf(providerId: string, alias: string): { ok: true; value: string } | { ok: false; why: string }
  now(): number
  /** the person's choice for the session while something else fails; null, or absent: none */
  standIn?: StandIn | null
}

export type Selection =
  | { kind: 'goes'; choice: RouteChoice }
  /** `wait`: the shortest wait that would help; null: waiting would not help */
  | {
      kind: 'nowhere'
      why: readonly RouteReason[]
      skipped: readonly Skipped[]
      wait: { provider: string; rest: Rest } | null
    }

type KeyChoice = { alias: string; value: string } | null

/** Ranks of a choice; a worse one is taken only when no better one is left. */
const fine = 0
/** another key of a provider at its limit, where other providers come first then */
const nextKey = 1
const failedHere = 2
const resting = 3
const unfit = 4

/** Picks provider, model and key. Changes nothing: the same ask and state give the same choice. */
export function select(ask: RouteAsk, tried: readonly Tried[], deps: SelectDeps): Selection {
  const source = candidateSource(ask, deps.config, deps.standIn)
  const { why, skipped: passed } = source
  const { stuckAt, stuckKey, stuckWhy } = stickyFirst(ask, source, deps)
  let best: { choice: RouteChoice; rank: number; leftMs: number } | null = null
  let wait: { provider: string; rest: Rest } | null = null
  const then = atLimit(deps.config.limits.order)
  /** the provider whose limit is waited for: no other is asked */
  let waitsFor: string | null = null

  for (const candidate of inTurn(source, stuckAt)) {
    const name = nameOf(candidate)
    const skip = (reason: PassedOver) => {
      passed.push({ candidate: name, why: reason })
    }
    if (waitsFor !== null && candidate.providerId !== waitsFor) {
      skip({ code: 'limit-waits', key: null })
      continue
    }
    const full = tooSmall(candidate, tried)
    if (full) {
      skip(full)
      continue
    }
    const keys = keysOf(candidate, ask, deps, skip)
    const whole = ask.test
      ? free
      : worst(deps.health.provider(candidate), deps.health.model(candidate, candidate.model))
    if (keys.length > 0 && whole.kind === 'resting') skip({ code: 'resting', key: null, rest: whole.rest })
    else if (keys.length > 0 && whole.kind === 'on-trial') skip({ code: 'on-trial', key: null })
    else if (keys.length > 0 && candidate.unfit) skip(candidate.unfit)
    /** how many of its keys a limit makes unavailable here */
    let limited = 0
    for (const key of stuckKey?.target === name ? withFirst(keys, stuckKey.key) : keys) {
      const { providerId, provider, model } = candidate
      const credential = provider.auth === 'client' ? ask.credential() : null
      const own = ask.test ? free : deps.health.key({ providerId, provider, key, credential }, model)
      const alias = key?.alias ?? null
      const isNext = limited > 0
      if (isAtLimit(own)) limited++
      else if (isNext && then.key === 'never') {
        limited++
        skip({ code: 'limit-waits', key: alias })
        continue
      }
      const failure = tried.find(
        ({ choice }) =>
          choice.providerId === candidate.providerId &&
          choice.upstreamModel === candidate.model &&
          (choice.key?.alias ?? null) === (key?.alias ?? null),
      )
      if (failure) {
        skip({ code: 'failed-now', key: key?.alias ?? null, failure: failure.failure })
        continue
      }
      if (own.kind === 'resting') {
        skip({ code: 'resting', key: alias, rest: own.rest })
        if (isToldToWait(own)) {
          if (!wait || own.rest.until < wait.rest.until) wait = { provider: candidate.providerId, rest: own.rest }
          continue
        }
        // No time was given: one of those that were asked too fast is tried, not one after the other.
        if (own.rest.why === 'rate' && tried.length > 0) continue
      } else if (own.kind === 'on-trial') skip({ code: 'on-trial', key: alias })
      const standing = worst(whole, own)
      const rank = Math.max(
        isNext && then.key === 'late' ? nextKey : fine,
        isTroubled(candidate, tried) ? failedHere : fine,
        standing.kind === 'resting' || standing.kind === 'on-trial' ? resting : fine,
        candidate.unfit ? unfit : fine,
      )
      const leftMs = standing.kind === 'resting' ? standing.leftMs : 0
      if (best && (rank > best.rank || (rank === best.rank && leftMs >= best.leftMs))) continue
      const reasons: RouteReason[] = [
        ...why,
        ...candidate.why,
        ...(stuckWhy && stuckWhy.target === name ? [stuckWhy] : []),
        ...(standing.kind === 'due'
          ? [{ code: 'trial' as const }]
          : rank === resting
            ? [{ code: 'all-rest' as const }]
            : []),
      ]
      const fact: RouteFact = {
        provider: candidate.providerId,
        model: candidate.model,
        keyAlias: alias,
        category: candidate.category,
        why: reasons,
        skipped: passed,
      }
      best = {
        rank,
        leftMs,
        choice: {
          providerId: candidate.providerId,
          provider: candidate.provider,
          type: candidate.provider.type,
          upstreamModel: candidate.model,
          key,
          fact,
          credential,
          measured: null,
        },
      }
      if (rank === fine) return { kind: 'goes', choice: best.choice }
    }
    // Without the limit, a model that can't take the request would have been passed over for others.
    if (!then.provider && limited > 0 && limited === keys.length && !candidate.unfit) waitsFor = candidate.providerId
  }
  // A model that can't take the request refuses it for good: rather than that, the client waits for one that can.
  if (best && !(best.rank === unfit && wait)) return { kind: 'goes', choice: best.choice }
  return { kind: 'nowhere', why, skipped: passed, wait }
}

/** Reads `limits.order`: when the next key has its turn at a limit, and whether other providers have one. */
function atLimit(order: Config['limits']['order']): { key: 'first' | 'late' | 'never'; provider: boolean } {
  const tried = order.includes('wait') ? order.slice(0, order.indexOf('wait')) : order
  const [key, provider] = [tried.indexOf('key'), tried.indexOf('provider')]
  return {
    key: key < 0 ? 'never' : provider >= 0 && provider < key ? 'late' : 'first',
    provider: provider >= 0,
  }
}

const isAtLimit = (standing: Standing): boolean =>
  (standing.kind === 'resting' || standing.kind === 'on-trial') &&
  (standing.rest.why === 'limit' || standing.rest.why === 'rate')

/** True if the provider named the time itself and was asked not long ago: asking again would only be refused again. */
const isToldToWait = ({ rest, askedAgoMs }: Extract<Standing, { kind: 'resting' }>): boolean =>
  ((rest.why === 'rate' && rest.told) || (rest.why === 'limit' && rest.lifts !== null)) && askedAgoMs < TRIAL_MS

/** Only a window known to be larger than the full one is of use. */
function tooSmall({ provider, model }: Candidate, tried: readonly Tried[]): PassedOver | null {
  const full = tried.findLast(({ tooSmall: tokens }) => tokens !== undefined)
  if (full?.tooSmall === undefined) return null
  const { contextWindow } = provider.models[model] ?? {}
  if (contextWindow === undefined || full.tooSmall === null)
    return { code: 'failed-now', key: null, failure: full.failure }
  return contextWindow > full.tooSmall ? null : { code: 'too-small', contextWindow, tokens: full.tooSmall }
}

/** True if it failed in this turn in a way that another key would hardly fix. */
const isTroubled = ({ providerId, model }: Candidate, tried: readonly Tried[]): boolean =>
  tried.some(
    ({ choice, failure }) =>
      choice.providerId === providerId &&
      (/^(?:upstream|via)-/.test(failure) || (failure.startsWith('5') && choice.upstreamModel === model)),
  )

interface StickyFirst {
  stuckAt: { from: number; at: number } | null
  stuckKey: { target: string; key: string | null } | null
  stuckWhy: Extract<RouteReason, { code: 'sticky' }> | null
}
const nothingSticks: StickyFirst = { stuckAt: null, stuckKey: null, stuckWhy: null }

function stickyFirst(ask: RouteAsk, source: CandidateSource, { sticky }: SelectDeps): StickyFirst {
  const { sessionId, overrides } = ask
  const first = sessionId === null || ask.test || overrides.force !== null ? null : source.at(0)
  if (!first || sessionId === null) return nothingSticks
  // A model that a person chose is wanted now: what served before does not take precedence over it.
  let from = 0
  while (source.at(from)?.why.some(isChosen)) from++
  const head = source.at(from)
  const stuck = head
    ? sticky.find(sessionId, head.category, markOf(head.mark, ask), (target) => target === nameOf(head))
    : null
  if (!stuck) return nothingSticks
  let at = from
  for (let next = head; next; next = source.at(++at)) {
    if (next.category === head?.category && nameOf(next) === stuck.target)
      return {
        stuckAt: { from, at },
        stuckKey: stuck,
        stuckWhy: { code: 'sticky', target: stuck.target, since: stuck.since },
      }
  }
  return nothingSticks
}

/** In their order, except that what served the session before comes first. */
function* inTurn(source: CandidateSource, stuck: StickyFirst['stuckAt']): Generator<Candidate> {
  for (let i = 0; ; i++) {
    const found = stuck && i === stuck.from ? source.at(stuck.at) : null
    if (found) yield found
    if (stuck && i === stuck.at) continue
    const next = source.at(i)
    if (!next) return
    yield next
  }
}

/**
 * A choice for another protocol, or under other markers, does not stick: a person who takes a marker back is obeyed at
 * once.
 */
export const markOf = (pool: string, { entry, overrides: { allow, disabled } }: RouteAsk): string =>
  `${entry}\0${pool}${allow === null && disabled.length === 0 ? '' : JSON.stringify([allow, disabled])}`

const withFirst = (keys: readonly KeyChoice[], alias: string | null): readonly KeyChoice[] => {
  const found = keys.find((key) => key?.alias === alias)
  return found ? [found, ...keys.filter((key) => key !== found)] : keys
}

function keysOf(
  { provider, providerId }: Candidate,
  ask: RouteAsk,
  { secretOf }: SelectDeps,
  skip: (why: PassedOver) => void,
): readonly KeyChoice[] {
  if (provider.auth !== 'key' || provider.type === 'simulator' || provider.keys.length === 0) return [null]
  const { disabled } = ask.overrides
  const usable: KeyChoice[] = []
  for (const [i, { alias }] of provider.keys.entries()) {
    if (ask.test && ask.test.key !== null && ask.test.key !== alias) continue
    const secret = secretOf(providerId, alias)
    if (
      disabled.length > 0 &&
      (disabled.includes(`${providerId}[${alias}]`) || disabled.includes(`${providerId}.${i + 1}`))
    )
      skip({ code: 'key-disabled', key: alias })
    else if (!secret.ok) skip({ code: 'key-missing', key: alias, why: secret.why })
    else usable.push({ alias, value: secret.value })
  }
  return usable
}

/**
 * A session that was moved elsewhere goes back to its route's first choice after this: one cold prompt cache an hour at
 * most.
 */
const RETURN_MS = 60 * 60_000
/** the most pairs of session and route that are remembered */
const MOST = 20_000

export interface Stuck {
  target: string
  key: string | null
  since: number
}

/** Remembers the provider, model and key that served a session last, by route, so that its prompt cache stays warm. */
export interface Sticky {
  /** `mark`: the route as it is now; `isFirst`: true for the target that the route would choose anyway */
  find(session: string, category: string | null, mark: string, isFirst: (target: string) => boolean): Stuck | null
  keep(session: string, category: string | null, mark: string, target: string, key: string | null): void
  /** the number of sessions that a provider served within the last `ms` */
  sessionsOf(providerId: string, ms: number): number
}

interface Kept extends Stuck {
  mark: string
  at: number
  session: string
}

export function createSticky(clock: Clock, minutes: () => number): Sticky {
  const all = new Map<string, Kept>()
  const name = (session: string, category: string | null) => `${category ?? ''}\0${session}`
  return {
    find(session, category, mark, isFirst) {
      const kept = all.get(name(session, category))
      if (!kept || kept.mark !== mark) return null
      const now = clock.now()
      if (now - kept.at > minutes() * 60_000) return null
      return isFirst(kept.target) || now - kept.since < RETURN_MS ? kept : null
    },
    keep(session, category, mark, target, key) {
      const id = name(session, category)
      const before = all.get(id)
      const now = clock.now()
      const same =
        before !== undefined &&
        before.target === target &&
        before.mark === mark &&
        now - before.at <= minutes() * 60_000
      putNewest(all, id, { session, target, key, mark, at: now, since: same ? before.since : now }, MOST)
    },
    sessionsOf(providerId, ms) {
      const since = clock.now() - ms
      const found = new Set<string>()
      for (const kept of all.values())
        if (kept.at >= since && kept.target.startsWith(`${providerId}.`)) found.add(kept.session)
      return found.size
    },
  }
}
