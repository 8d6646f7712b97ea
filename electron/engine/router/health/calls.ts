import type { ResponseHeaders, RouteChoice, RouteOutcome } from '../types.ts'
import { providerName, type Named } from './names.ts'

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
