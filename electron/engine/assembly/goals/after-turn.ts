import { messageOf } from '../../base/errors.ts'
import type { Alarms } from '../../clock/model/types.ts'
import type { InFlight } from '../../base/work.ts'
import type { Log } from '../../base/log.ts'
import type { Turn, TurnEnd } from '../../pipeline/turn.ts'
import { overflowOf } from '../../protocol/overflow.ts'
import type { ResumeAtReset } from '../../servertools/resume-at-reset/resume-at-reset.ts'
import type { PauseAtLimit } from '../../servertools/pause-at-limit/pause-at-limit.ts'
import type { Recover } from '../../servertools/recover/index.ts'
import type { StopMessage } from '../../servertools/stop-message/stop-message.ts'
import type { Router } from '../../router/create-router.ts'
import type { FailedRequest, Failures, Stalls } from '../../sessions/failures.ts'
import type { LastRequests } from '../../pipeline/request/turn-excerpt.ts'
import type { TerminalAccess } from '../terminals/terminal-access.ts'
import type { Activity } from '../../sessions/activity.ts'
import { nothingSeen, withSubagents } from '../../sessions/background/background-work.ts'

/** Runs after a turn's answer has reached its client. */
export function createAfterTurn(deps: {
  automation: Pick<StopMessage, 'turnEnded' | 'requestEnded'>
  resume: Pick<ResumeAtReset, 'limited' | 'wentOn' | 'answered'>
  alarms: Pick<Alarms, 'deliver'>
  terminalAccess: TerminalAccess
  activity: Activity
  failures: Pick<Failures, 'failed' | 'over'>
  recover: Pick<Recover, 'wentOn' | 'compacted'>
  pauseAtLimit: Pick<PauseAtLimit, 'answered'>
  router: Pick<Router, 'quotasOf'>
  stalls: Pick<Stalls, 'ended'>
  log: Log
  turns: InFlight
  requests: Pick<LastRequests, 'excerpt'>
  continueAfter(turn: Turn, end: TurnEnd): (() => Promise<void>) | null
}): (turn: Turn, end: TurnEnd) => void {
  const {
    automation,
    resume,
    alarms,
    terminalAccess,
    activity,
    failures,
    recover,
    pauseAtLimit,
    router,
    stalls,
    log,
    turns,
    requests,
    continueAfter,
  } = deps
  return (turn, end) => {
    const { identity, call } = turn
    const { terminalId, sessionId, kind } = identity
    if (terminalId !== null) terminalAccess.called(terminalId)
    if (terminalId !== null && kind === 'turn') {
      // The agent runs tools now: that is when dialogs open.
      if (end.summary.finish === 'tool-calls') terminalAccess.needs.begin(terminalId)
      else terminalAccess.needs.end(terminalId)
    }
    // Its suggestion for the next message stands in the composer as ghost text, which does not always look different
    // from a draft.
    if (terminalId !== null && (kind === 'turn' || kind === 'probe'))
      terminalAccess.suggested(terminalId, kind === 'probe' && end.summary.complete ? end.summary.text : null)
    const { choice } = end
    if (choice !== null && sessionId !== null && kind === 'turn')
      pauseAtLimit.answered(sessionId, choice.providerId, () => router.quotasOf(choice))
    if (end.limit) {
      if (sessionId !== null && kind === 'turn') resume.limited(sessionId, end.limit)
    } else if (end.route !== null && end.summary.complete && end.summary.error === null) {
      resume.answered(end.route.provider)
      if (sessionId !== null && kind === 'turn') resume.wentOn(sessionId)
    }
    if (sessionId !== null && kind === 'turn') {
      stalls.ended(sessionId, terminalId, end.summary.finish === 'tool-calls')
      const failed = failureOf(turn, end)
      if (failed) failures.failed(sessionId, terminalId, { ...failed, turn: identity.turn ?? undefined })
      else {
        failures.over(sessionId)
        if (end.summary.complete && !end.limit && !end.clientLeft) recover.wentOn(sessionId)
      }
    }
    if (sessionId !== null && kind === 'compaction') recover.compacted(sessionId)
    // An alarm may be due that could not reach the session before this turn.
    if (sessionId !== null && kind === 'turn') alarms.deliver(sessionId)
    if (turn.reentered || end.reenter) return
    // Without a session there is no timeline for a decision.
    if (sessionId === null) {
      if (identity.scope !== null)
        void turns.track(`what follows request ${call.requestId}`, automation.requestEnded(identity.scope))
      return
    }
    const going = continueAfter(turn, end)
    const excerpt = requests.excerpt(turn, end.summary)
    const decide = async () => {
      await automation.turnEnded(
        identity.scope,
        {
          requestId: call.requestId,
          sessionId,
          kind,
          reentered: false,
          finish: end.summary.finish,
          clientLeft: end.clientLeft,
          registeredClientOnly: identity.registeredClientOnly,
          notFinished: excerpt?.drivenBy ?? null,
          background: withSubagents(excerpt?.background ?? nothingSeen, activity, sessionId),
        },
        excerpt,
      )
      await going?.()
    }
    // A client that hung up may have gone with its terminal, so that is checked first.
    const follows =
      !end.clientLeft || terminalId === null
        ? decide()
        : terminalAccess
            .check(terminalId)
            .catch((error: unknown) =>
              log.warn({ terminalId, error: messageOf(error) }, 'a terminal could not be looked at'),
            )
            .then(decide, decide)
    void turns.track(`what follows request ${call.requestId}`, follows)
  }
}

/** Null: it ended well, at a limit, or because the person broke it off. */
function failureOf({ tried }: Turn, { summary, status, route, clientLeft, limit }: TurnEnd): FailedRequest | null {
  if (clientLeft || limit || (summary.finish !== 'error' && summary.finish !== 'broken-off')) return null
  const before = tried.map(({ provider, model, keyAlias, status: of, code }) => ({
    provider,
    model,
    keyAlias,
    status: of,
    code,
  }))
  const message = summary.error?.message ?? ''
  const isFull = status !== 429 && summary.error !== null && overflowOf(summary.error) !== null
  const of = { status, message, ...(isFull && { full: true as const }) }
  if (route === null) return { ...of, provider: before.at(-1)?.provider ?? null, tried: before }
  // The client got its answer, so the record has no failed attempt for it.
  const { provider, model, keyAlias } = route
  const last =
    status < 400
      ? { status: null, code: summary.error?.code ?? 'upstream-broke-off' }
      : { status, code: String(status) }
  return { ...of, provider, tried: [...before, { provider, model, keyAlias, ...last }] }
}
