import type { ResponseHeaders, RouteChoice, RouteOutcome } from '../types.ts'

/** What the dashboard shows of a provider's last calls. */
const MOST = 24

export interface CallsOf {
  calls: readonly boolean[]
  ttfbMs: number | null
  /** of the last answer of each key */ headers: readonly ResponseHeaders[]
}

export interface Calls {
  note(choice: RouteChoice, outcome: RouteOutcome): void
  of(providerId: string): CallsOf
}

interface Seen {
  calls: boolean[]
  ttfb: number[]
  headers: Map<string, ResponseHeaders>
}

export function createCalls(): Calls {
  const all = new Map<string, Seen>()
  return {
    note({ providerId, key, credential }, outcome) {
      if (outcome.kind === 'began' || outcome.kind === 'left') return
      const seen = all.get(providerId) ?? { calls: [], ttfb: [], headers: new Map<string, ResponseHeaders>() }
      all.set(providerId, seen)
      const good = outcome.kind === 'answered' && outcome.status < 400 && !outcome.brokenOff
      push(seen.calls, good)
      if (outcome.kind === 'unreachable') return
      if (outcome.kind === 'answered' && good && outcome.ttfbMs !== null) push(seen.ttfb, outcome.ttfbMs)
      // Read only when somebody looks.
      if (outcome.status < 400 || outcome.status === 429)
        seen.headers.set(key?.alias ?? credential ?? '', outcome.headers)
    },
    of(providerId) {
      const seen = all.get(providerId)
      return {
        calls: seen ? [...seen.calls] : [],
        ttfbMs: median(seen?.ttfb ?? []),
        headers: seen ? [...seen.headers.values()] : [],
      }
    },
  }
}

function push<T>(list: T[], value: T): void {
  list.push(value)
  if (list.length > MOST) list.shift()
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}
