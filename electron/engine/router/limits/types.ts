import type { LimitSubject, Quota } from '../../../../shared/routing.ts'
import type { ResponseHeaders } from '../types.ts'

/** An answer as the limit readers see it. `now` is epoch milliseconds. */
export interface LimitedAnswer {
  status: number
  /** the model that was asked */
  model: string
  headers: ResponseHeaders
  /** beginning of the body; null: not looked at */ body: string | null
  now: number
}

/**
 * How long to leave the key alone, or only the part of it that `subject` names, by a refusal. Instants are epoch
 * milliseconds.
 */
export type LimitReport =
  /** asked too fast; `until` null: no time given */
  | { kind: 'rate'; until: number | null; subject?: LimitSubject }
  /** a subscription's or quota's limit, which lifts at a time of day rather than in a moment */
  | { kind: 'limit'; window: string | null; lifts: number | null; subject?: LimitSubject }

/** Returns null for an answer that is about no limit. */
export type ReadLimit = (answer: LimitedAnswer) => LimitReport | null
/** Returns the windows of quotas in an answer's headers, good answers included; may be empty. */
export type ReadQuotas = (headers: ResponseHeaders, now: number) => readonly Quota[]
