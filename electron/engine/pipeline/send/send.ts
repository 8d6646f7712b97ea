import type { FinishKind } from '../../../../shared/events.ts'
import type { RouteAttempt } from '../../../../shared/routing.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Redactor } from '../../secrets/redact.ts'
import { once } from '../../base/work.ts'
import { complainsOfThinking } from '../../protocol/canonical/thinking/foreign-seals.ts'
import { overflowCode } from '../../protocol/failures/failure-kinds.ts'
import { countedHere, overflowWords } from '../../protocol/failures/overflow.ts'
import { recordedUsage } from '../../protocol/usage-sums.ts'
import { asCount } from '../../protocol/values.ts'
import { isEngineEnding } from '../../providers/engine-ending.ts'
import type { LongestSilence } from '../../router/health/silences.ts'
import type { LimitReport } from '../../router/limits/types.ts'
import type { RouteAsk, RouteChoice, RouteOutcome, Tried } from '../../router/types.ts'
import type { AnswerOutcome } from '../answer/chain.ts'
import type { NoAnswer } from '../answer/retry-gate.ts'
import { nameOf } from '../request/upstream-request.ts'
import { type Sending, type Turn, type TurnEnd, emptySummary } from '../turn.ts'
import { attempt, type Attempted } from './attempt.ts'
import type { AnswerClient, SendDeps } from './deps.ts'
import { overflowBy, overflowRefused, tooSmall, exhausted, type ReachedLimit } from './full-window.ts'

/**
 * Another candidate is tried until this time is over, however many there are: clients wait a minute and longer. A key
 * that refuses does so at once, and the time of a silent provider is not counted.
 */
const PATIENCE_MS = 60_000
/** A provider that sends nothing in this time counts as hanging, when its client gives up. */
const SILENT_MS = 60_000
/** Bytes of an error's body that are read for the time a limit lifts. */
const errorTextBytes = 16_384

/** The failed attempts of a turn; `attempts` has them as a record keeps them. */
interface Trail {
  tried: Tried[]
  attempts: RouteAttempt[]
  limits: (ReachedLimit | null)[]
}

/**
 * Sends the turn upstream and its answer to the client; tries the next candidate until one has content.
 * @throws OnwardError when nothing could be sent to the client, with everything that was tried
 */
export async function send(turn: Sending, deps: SendDeps, client: AnswerClient = turn.call.reply): Promise<TurnEnd> {
  const ask = askOf(turn, deps)
  const trail: Trail = { tried: [], attempts: [], limits: [] }
  turn.tried = trail.attempts
  const begun = deps.clock.monotonic()
  /** the time of silent ones, which is not counted */
  let silentMs = 0
  const mayWait = (at = deps.clock.monotonic()) => !ask.test && at - begun - silentMs < PATIENCE_MS
  for (let choice = deps.choose(ask, []); ;) {
    const now = choice
    const startedAt = deps.clock.now()
    const since = deps.clock.monotonic()
    // Called only after a failure: nearly always there is none.
    const mayTryNext = (failure: string, full?: number | null) =>
      mayWait() &&
      deps.hasRoute(ask, [...trail.tried, { choice: now, failure, ...(full === undefined ? {} : { tooSmall: full }) }])
    let mended = false
    const mends = (status: number, body: Buffer): boolean => {
      mended =
        (status === 400 || status === 404) &&
        turn.thinkingOff !== nameOf(now) &&
        complainsOfThinking(body.toString('utf8'))
      return mended
    }
    const mayAskAnother = () =>
      mayWait(since) && deps.hasRoute(ask, [...trail.tried, { choice: now, failure: 'upstream-silent' }])
    let done: Attempted
    try {
      done = await attempt(turn, ask, choice, deps, client, { mayTryNext, mends, mayAskAnother, tried: trail.tried })
    } catch (error) {
      // A turn that can't be said in its protocol never went there: if it was the trial, another may try.
      deps.report(ask, now, { kind: 'left' })
      if (turn.call.reply.left) return leftEnd(turn, deps, choice)
      throw error
    }
    const { outcome, redactor, headAt, longest } = done
    if (outcome.kind === 'unreachable' && isEngineEnding(outcome.error)) {
      deps.report(ask, choice, { kind: 'left' })
      throw outcome.error
    }
    if (outcome.kind === 'answered') {
      const end = redactedEnd(endOf(turn, deps, choice, outcome, done), redactor)
      const limit = limitOf(choice, deps.report(ask, choice, answered(outcome, turn, end, longest)), startedAt)
      return limit === null ? end : { ...end, limit }
    }
    if (turn.call.reply.left) {
      // No healthy provider is silent for so long: it hangs, though the client was the first to give up.
      const hangs = headAt === null && deps.clock.now() - startedAt >= SILENT_MS
      deps.report(ask, choice, hangs ? { kind: 'unreachable', code: 'upstream-timeout' } : { kind: 'left' })
      return leftEnd(turn, deps, choice)
    }
    const overflow = overflowBy(outcome)
    if (mended) {
      // Its own thinking is unknown, or there is none: the session would never get past it.
      turn.thinkingOff = nameOf(choice)
      deps.report(ask, choice, { kind: 'left' })
      trail.attempts.push(attemptOf(choice, outcome, startedAt, deps))
      continue
    }
    const report = deps.report(
      ask,
      choice,
      overflow
        ? { kind: 'answered', status: 400, headers: {}, body: null, ttfbMs: null, brokenOff: false, isFull: true }
        : outcome.kind === 'unreachable'
          ? { kind: 'unreachable', code: outcome.error.code, ...(longest ? { longest } : {}) }
          : {
              kind: 'refused',
              status: outcome.status,
              headers: outcome.headers,
              body: outcome.body.toString('utf8', 0, errorTextBytes),
            },
    )
    const attempted = attemptOf(choice, outcome, startedAt, deps)
    const failure = overflow ? overflowCode : attempted.code
    trail.tried.push({ choice, failure, ...(overflow ? { tooSmall: tooSmall(choice, overflow) } : {}) })
    const limit = limitOf(choice, report, startedAt)
    trail.limits.push(limit && report?.kind === 'limit' ? { limit, window: report.window } : null)
    trail.attempts.push({ ...attempted, code: failure })
    if (outcome.kind === 'unreachable' && isSilence(outcome.error)) silentMs += deps.clock.monotonic() - since
    const next = mayWait() ? nextCandidate(deps, ask, trail.tried) : { choice: null, why: null }
    if (next.choice === null && overflow)
      throw new OnwardError(overflowCode, overflowWords(ask.entry, countedHere(overflow, askedOf(turn, ask))), {
        status: 400,
      })
    if (next.choice === null) throw exhausted(outcome, trail.tried, next.why, trail.limits)
    choice = next.choice
  }
}

/** Only Claude Code acts on the numbers. */
const askedOf = ({ draft }: Turn, { needs }: RouteAsk): { output: number | null; input: number } => ({
  output: asCount(draft.lens.value('max_tokens')),
  input: needs.tokens(),
})

const attemptOf = (
  choice: RouteChoice,
  outcome: NoAnswer,
  startedAt: number,
  { clock }: Pick<SendDeps, 'clock'>,
): RouteAttempt => ({
  at: startedAt,
  provider: choice.providerId,
  model: choice.upstreamModel,
  keyAlias: choice.key?.alias ?? null,
  status: outcome.kind === 'refused' ? outcome.status : null,
  code: outcome.kind === 'refused' ? String(outcome.status) : outcome.error.code,
  durationMs: Math.max(0, clock.now() - startedAt),
})

function answered(
  { status, headers, errorBody, brokenOff }: Extract<AnswerOutcome, { kind: 'answered' }>,
  { call }: Turn,
  { summary, ttfbMs }: TurnEnd,
  longest: LongestSilence | null,
): RouteOutcome {
  // A client that leaves cuts its answer off itself, and so does Onward when it ends.
  const cut = brokenOff !== null || (status < 400 && summary.finish === 'broken-off')
  return {
    kind: 'answered',
    status,
    headers,
    body: errorBody?.toString('utf8', 0, errorTextBytes) ?? null,
    ttfbMs,
    brokenOff: cut && !call.reply.left && !isEngineEnding(brokenOff),
    ...(errorBody && overflowRefused(status, errorBody) ? { isFull: true } : {}),
    ...(brokenOff?.code === 'upstream-silent' && longest === null ? { isMute: true } : {}),
    ...(longest && !call.reply.left ? { longest } : {}),
  }
}

/** No byte came, or none with content: the time-out of a connection is not one. */
const isSilence = ({ code, details }: OnwardError): boolean =>
  code === 'upstream-silent' || (code === 'upstream-timeout' && details['phase'] === 'sent')

/** Set when the client got the refusal of a limit: its session may go on when that lifts. */
const limitOf = (
  { providerId }: RouteChoice,
  report: LimitReport | null,
  since: number,
): NonNullable<TurnEnd['limit']> | null =>
  report?.kind === 'limit' ? { provider: providerId, since, lifts: report.lifts } : null

/** `why`: the router's error when it had no choice. */
function nextCandidate(
  deps: SendDeps,
  ask: RouteAsk,
  tried: readonly Tried[],
): { choice: RouteChoice | null; why: OnwardError | null } {
  try {
    return { choice: deps.choose(ask, tried), why: null }
  } catch (error) {
    if (OnwardError.isInstance(error)) return { choice: null, why: error }
    throw error
  }
}

function endOf(
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
function redactedEnd(end: TurnEnd, redactor: () => Redactor): TurnEnd {
  const { error } = end.summary
  return error === null ? end : { ...end, summary: { ...end.summary, error: redactor().value(error) } }
}

function leftEnd(turn: Turn, deps: SendDeps, choice: RouteChoice): TurnEnd {
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

/**
 * Onward's own calls about one session stay with one model, as its turns do, but apart from those: thinking is sealed,
 * and caches are warm.
 */
const ownConversation = ({ call }: Turn): string | null =>
  call.internal?.about === undefined ? null : `onward:${call.internal.about}`

export function askOf(turn: Turn, deps: Pick<SendDeps, 'credentialOf' | 'describesImages'>): RouteAsk {
  const { call, identity } = turn
  return {
    requestId: call.requestId,
    entry: call.entry,
    endpoint: call.endpoint,
    kind: identity.kind,
    model: turn.draft.lens.model,
    sessionId: identity.sessionId ?? ownConversation(turn),
    overrides: turn.overrides,
    needs: turn.codec.needs(turn.draft.lens, call.path),
    credential: once(() => deps.credentialOf(turn)),
    describesImages: deps.describesImages,
    test: call.test,
  }
}

/** True if no provider at all can take this turn. */
export const hasNoRoute = (
  turn: Turn,
  deps: Pick<SendDeps, 'hasRoute' | 'credentialOf' | 'describesImages'>,
): boolean => !deps.hasRoute(askOf(turn, deps), [])
