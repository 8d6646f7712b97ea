import { callFailure } from '../../../../shared/sentences/en/call-failure.ts'
import { withTried } from '../../../../shared/setup/tried.ts'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Frame } from '../../protocol/answer/frame.ts'
import { eventFrame } from '../../protocol/join/types.ts'
import {
  inClientsWords,
  isInWords,
  overflowIn,
  overflowInValue,
  overflowOf,
  type Overflow,
} from '../../protocol/failures/overflow.ts'
import type { RouteChoice, Tried } from '../../router/types.ts'
import type { AnswerOutcome } from '../answer/chain.ts'
import type { TurnEnd } from '../turn.ts'

/** Reads from a refusal that the context window is full; never from one of a limit. */
export const overflowRefused = (status: number, body: Buffer): Overflow | null =>
  status === 429 ? null : overflowIn(body)

type Failed = Exclude<AnswerOutcome, { kind: 'answered' }>

/** Reads from an outcome that the context window is full. */
export const overflowBy = (outcome: Failed): Overflow | null =>
  outcome.kind === 'refused' ? overflowRefused(outcome.status, outcome.body) : overflowOf(outcome.error)

/** The tokens for which the window is too small, as far as known. */
export function tooSmall({ provider, upstreamModel }: RouteChoice, { input, limit }: Overflow): number | null {
  const known = [provider.models[upstreamModel]?.contextWindow, limit, input].filter(
    (tokens) => typeof tokens === 'number',
  )
  return known.length === 0 ? null : Math.max(...known)
}

/**
 * Rewrites an error event about a full context window in the words of the client's own vendor, and one in a field that
 * no client reads (`error: {…}`) into one that all do.
 */
export function clientsWords(entry: EntryProtocol, frame: Frame): Frame {
  const value = frame.value()
  if (!value) return frame
  const overflow = overflowInValue(value)
  if (overflow && !isInWords(entry, value, null))
    return eventFrame(frame, Buffer.from(JSON.stringify(inClientsWords(entry, value, overflow))))
  if (!/^error:/m.test(frame.raw.toString('latin1'))) return frame
  return eventFrame(frame, Buffer.from(JSON.stringify({ type: 'error', error: value['error'] ?? value })))
}

const nameOf = ({ providerId, upstreamModel, key }: RouteChoice): string =>
  `${providerId}.${upstreamModel}${key ? ` (key ${key.alias})` : ''}`

/** Returns the failed attempts as a header value. */
export const triedHeader = (tried: readonly Tried[]): string =>
  tried
    .map(({ choice, failure }) => `${nameOf(choice)}: ${failure}`)
    .join(', ')
    .replaceAll(/[^\x20-\x7e]/g, '?')

/** Returns the client's error for the last failure, with everything that was tried. */
export function exhausted(
  outcome: Failed,
  tried: readonly Tried[],
  why: OnwardError | null,
  limits: readonly (ReachedLimit | null)[],
): OnwardError {
  const said = (message: string) =>
    withTried(
      message,
      tried.map(({ choice, failure }) => `${nameOf(choice)}: ${callFailure(failure)}`),
    )
  if (outcome.kind === 'refused')
    return new OnwardError(
      'upstream-refused',
      said(`Every provider refused, the last with status ${outcome.status}.`),
      {
        status: outcome.status,
        details: { retryAfter: retryAfterOf(outcome.headers), ...firstToLift(limits), ...why?.details },
      },
    )
  const { error } = outcome
  return new OnwardError(error.code, said(error.message.replace(/[^.!?]$/, '$&.')), {
    cause: error,
    status: Math.max(500, error.status),
    retryable: error.retryable,
  })
}

/** A limit of one provider, and its window. */
export interface ReachedLimit {
  limit: NonNullable<TurnEnd['limit']>
  window: string | null
}

/** Where every provider refused for a limit, waiting for the first one helps; where one just failed, asking again. */
function firstToLift(limits: readonly (ReachedLimit | null)[]): ReachedLimit | null {
  const known = limits.filter((limit) => limit !== null)
  if (known.length < limits.length) return null
  return known.toSorted((a, b) => (a.limit.lifts ?? Infinity) - (b.limit.lifts ?? Infinity))[0] ?? null
}

const retryAfterOf = (headers: Record<string, string | string[]>): string | undefined => {
  const value = headers['retry-after']
  return Array.isArray(value) ? value[0] : value
}
