import { callFailure } from '../../../shared/sentences/en/call-failure.ts'
import { withTried } from '../../../shared/setup/tried.ts'
import { OnwardError } from '../base/errors.ts'
import type { RouteChoice, Tried } from '../router/types.ts'
import type { AnswerOutcome } from './answer/chain.ts'

const nameOf = ({ providerId, upstreamModel, key }: RouteChoice): string =>
  `${providerId}.${upstreamModel}${key ? ` (key ${key.alias})` : ''}`

/** What was tried, as a header can say it. */
export const triedHeader = (tried: readonly Tried[]): string =>
  tried
    .map(({ choice, failure }) => `${nameOf(choice)}: ${failure}`)
    .join(', ')
    .replaceAll(/[^\x20-\x7e]/g, '?')

/** The last failure as the client is told of it, with everything that was tried. */
export function exhausted(
  outcome: Exclude<AnswerOutcome, { kind: 'answered' }>,
  tried: readonly Tried[],
  why: OnwardError | null,
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
      { status: outcome.status, details: { retryAfter: retryAfterOf(outcome.headers), ...why?.details } },
    )
  const { error } = outcome
  return new OnwardError(error.code, said(error.message.replace(/[^.!?]$/, '$&.')), {
    cause: error,
    status: Math.max(500, error.status),
    retryable: error.retryable,
  })
}

const retryAfterOf = (headers: Record<string, string | string[]>): string | undefined => {
  const value = headers['retry-after']
  return Array.isArray(value) ? value[0] : value
}
