import { createHash } from 'node:crypto'
import type { ProviderConfig } from '../../../../shared/config/schema.ts'
import type { LimitSubject } from '../../../../shared/routing.ts'
import { subjectsOf } from '../limits/subject.ts'
import type { ResponseHeaders, RouteChoice, RouteOutcome } from '../types.ts'

/** How many of a provider's last calls the dashboard shows. */
const MOST = 24

export interface CallsOf {
  calls: readonly boolean[]
  /** the failures since its last good call; null: that one was good, or there was none */
  failing: FailingCalls | null
  ttfbMs: number | null
  /** of the last answer of each key */ headers: readonly ResponseHeaders[]
}

/** `failure`: the HTTP status or error code of the last one */
export interface FailingCalls {
  count: number
  since: number
  failure: string
}

export interface Calls {
  note(choice: RouteChoice, outcome: RouteOutcome): void
  of(named: Named): CallsOf
  /** of the last answer of this choice's key; null: none */
  headersOf(choice: RouteChoice): ResponseHeaders | null
}

interface Seen {
  calls: boolean[]
  failing: FailingCalls | null
  ttfb: number[]
  headers: Map<string, ResponseHeaders>
}

export function createCalls(now: () => number): Calls {
  const all = new Map<string, Seen>()
  return {
    note(choice, outcome) {
      if (outcome.kind === 'began' || outcome.kind === 'left' || isFull(outcome)) return
      const name = providerName(choice)
      const seen = all.get(name) ?? {
        calls: [],
        failing: null,
        ttfb: [],
        headers: new Map<string, ResponseHeaders>(),
      }
      all.set(name, seen)
      const good = wentWell(outcome)
      push(seen.calls, good)
      seen.failing = good
        ? null
        : {
            count: (seen.failing?.count ?? 0) + 1,
            since: seen.failing?.since ?? now(),
            failure: failureOf(outcome),
          }
      if (outcome.kind === 'unreachable') return
      if (outcome.kind === 'answered' && good && outcome.ttfbMs !== null) push(seen.ttfb, outcome.ttfbMs)
      // Kept as they are, and read only when a viewer asks.
      if (outcome.status < 400 || outcome.status === 429) seen.headers.set(keyOf(choice), outcome.headers)
    },
    headersOf: (choice) => all.get(providerName(choice))?.headers.get(keyOf(choice)) ?? null,
    of(named) {
      const seen = all.get(providerName(named))
      return {
        calls: seen ? [...seen.calls] : [],
        failing: seen?.failing ?? null,
        ttfbMs: median(seen?.ttfb ?? []),
        headers: seen ? [...seen.headers.values()] : [],
      }
    },
  }
}

const keyOf = ({ key, credential }: RouteChoice): string => key?.alias ?? credential ?? ''

/** A request too long for the model is no failure of its provider. */
export const isFull = (outcome: RouteOutcome): boolean => outcome.kind === 'answered' && outcome.isFull === true

/** True for a good answer that came whole. */
export const wentWell = (outcome: RouteOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status < 400 && !outcome.brokenOff

function failureOf(outcome: Exclude<RouteOutcome, { kind: 'began' | 'left' }>): string {
  if (outcome.kind === 'unreachable') return outcome.code
  return outcome.status < 400 ? 'upstream-broke-off' : String(outcome.status)
}

function push<T>(list: T[], value: T): void {
  list.push(value)
  if (list.length > MOST) list.shift()
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}

/**
 * A provider under one id. After an edit of its address or the way it is spoken to it counts as another one, and does
 * not rest for what the old one did.
 */
export interface Named {
  providerId: string
  provider: ProviderConfig
}

/** Names for providers, models and keys, by the config that names the provider: every request needs several of them. */
interface Names {
  providerId: string
  provider: string
  models: Map<string, string>
  keys: Map<string, string>
  /** the parts of a key that may rest for a model, by key and model */
  parts: Map<string, Map<string, readonly string[]>>
}
const known = new WeakMap<ProviderConfig, Names>()
/** per provider; clients may send many keys of their own */
const mostNames = 500

function namesOf({ providerId, provider }: Named): Names {
  const before = known.get(provider)
  if (before?.providerId === providerId) return before
  const address = JSON.stringify([provider.type, provider.baseUrl, provider.auth, provider.headers, provider.quirks])
  // Headers may hold a key, and names are written down.
  const digest = createHash('sha256').update(address).digest('base64url').slice(0, 16)
  const names = {
    providerId,
    provider: `${providerId}\0${digest}`,
    models: new Map(),
    keys: new Map(),
    parts: new Map(),
  }
  known.set(provider, names)
  return names
}

function named(names: Map<string, string>, of: Named, prefix: (of: Named) => string, what: string): string {
  const before = names.get(what)
  if (before !== undefined) return before
  const name = `${prefix(of)}${what}`
  if (names.size >= mostNames) names.clear()
  names.set(what, name)
  return name
}

export const providerName = (of: Named): string => namesOf(of).provider
export const modelPrefix = (of: Named): string => `${providerName(of)}\0m`
export const modelName = (of: Named, model: string): string => named(namesOf(of).models, of, modelPrefix, model)
export const keyPrefix = (of: Named): string => `${providerName(of)}\0k`
export const subjectPrefix = (key: string): string => `${key}\0s`
/** Names the part of a key that rests for a limit; without a subject, all of it. */
export const subjectName = (key: string, subject: LimitSubject | undefined): string =>
  subject === undefined ? key : `${subjectPrefix(key)}${subject.kind}\0${subject.name}`
/** Returns the names of all parts of a key that a model needs: each rests or is free by itself. */
export function keyNames(choice: Named & Pick<RouteChoice, 'key' | 'credential'>, model: string): readonly string[] {
  const { parts } = namesOf(choice)
  const key = keyName(choice)
  const ofKey = parts.get(key) ?? new Map<string, readonly string[]>()
  const before = ofKey.get(model)
  if (before) return before
  const names = [key, ...subjectsOf(model).map((subject) => subjectName(key, subject))]
  if (parts.size >= mostNames) parts.clear()
  if (ofKey.size >= mostNames) ofKey.clear()
  parts.set(key, ofKey.set(model, names))
  return names
}
/** A key with a new value is a new key. A client's own login is a key, too. */
export const keyName = (choice: Named & Pick<RouteChoice, 'key' | 'credential'>): string =>
  named(
    namesOf(choice).keys,
    choice,
    keyPrefix,
    choice.key ? `${choice.key.alias}\0${choice.key.value}` : (choice.credential ?? ''),
  )
