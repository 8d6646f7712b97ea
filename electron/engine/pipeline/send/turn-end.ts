import type { FinishKind } from '../../../../shared/events.ts'
import type { Redactor } from '../../base/redact.ts'
import { recordedUsage } from '../../protocol/usage-sums.ts'
import type { RouteChoice } from '../../router/types.ts'
import type { AnswerOutcome } from '../answer/chain.ts'
import { emptySummary, type Turn, type TurnEnd } from '../turn.ts'
import type { Attempted } from './attempt.ts'
import type { SendDeps } from './deps.ts'

export function endOf(
  turn: Turn,
  deps: SendDeps,
  choice: RouteChoice,
  outcome: Extract<AnswerOutcome, { kind: 'answered' }>,
  { observer, conversion, headAt, hadAll }: Attempted,
): TurnEnd {
  const started = turn.call.receivedAt
  const observed = observer?.finish(outcome.brokenOff !== null) ?? emptySummary('broken-off', null)
  const seen = { ...observed, usage: recordedUsage(conversion?.usage() ?? null) ?? observed.usage }
  const { brokenOff } = outcome
  const summary =
    brokenOff && seen.error === null && !turn.call.reply.left
      ? { ...seen, error: { code: brokenOff.code, message: brokenOff.message } }
      : seen
  const { reply } = turn.call
  return {
    summary,
    status: outcome.status,
    route: choice.fact,
    choice,
    ttfbMs: outcome.firstByteAt === null ? (headAt === null ? null : headAt - started) : outcome.firstByteAt - started,
    durationMs: deps.clock.monotonic() - started,
    bytesOut: outcome.bytesOut,
    clientLeft: reply.left && !hadAll,
  }
}

/** The observer saw an error event before its secrets were taken out. */
export function redactedEnd(end: TurnEnd, redactor: () => Redactor): TurnEnd {
  const { error } = end.summary
  return error === null ? end : { ...end, summary: { ...end.summary, error: redactor().value(error) } }
}

export function leftEnd(turn: Turn, deps: SendDeps, choice: RouteChoice): TurnEnd {
  const finish: FinishKind = 'broken-off'
  return {
    summary: emptySummary(finish, { code: 'client-left', message: 'The client closed its connection.' }),
    status: 499,
    route: choice.fact,
    choice,
    ttfbMs: null,
    durationMs: deps.clock.monotonic() - turn.call.receivedAt,
    bytesOut: 0,
    clientLeft: true,
  }
}
