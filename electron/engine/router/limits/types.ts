import type { LimitSubject, Quota } from '../../../../shared/routing.ts'
import type { ResponseHeaders } from '../types.ts'

/** An answer as the readers of limits see it. `now` is epoch milliseconds. */
export interface LimitedAnswer {
  status: number
  /** the model that was asked */
  model: string
  headers: ResponseHeaders
  /** beginning of the body; null: not looked at */ body: string | null
  now: number
}

/**
 * What a refusal says of how long to leave the key alone, or only what of it `subject` names. Instants are epoch
 * milliseconds.
 */
export type LimitReport =
  /** asked too fast; `until` null: no time told */
  | { kind: 'rate'; until: number | null; subject?: LimitSubject }
  /** a subscription's or quota's limit, which lifts at a time of day rather than in a moment */
  | { kind: 'limit'; window: string | null; lifts: number | null; subject?: LimitSubject }

/** null: the answer is about no limit. */
export type ReadLimit = (answer: LimitedAnswer) => LimitReport | null
/** Windows of quotas that an answer's headers tell of, good answers included; empty: none. */
export type ReadQuotas = (headers: ResponseHeaders, now: number) => readonly Quota[]
