import { spendOf, tokensOf } from '../../../../shared/cost/cost.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { RecordEvent } from '../../../../shared/events.ts'
import { costOf } from '../../router/cost.ts'
import type { Router } from '../../router/create-router.ts'
import type { PauseAtLimit } from '../../servertools/pause-at-limit.ts'
import type { StopMessage } from '../../servertools/stop-message/stop-message.ts'
import { wordsOnly, type LastRequests } from '../request/turn-excerpt.ts'
import type { TurnServices } from '../run-turn.ts'

export interface ReenterDeps {
  clock: Clock
  requests: Pick<LastRequests, 'excerpt'>
  signedIn(headers: Readonly<Record<string, string>>): boolean
  stopMessage: Pick<StopMessage, 'reenterText'>
  pauseAtLimit: Pick<PauseAtLimit, 'answered' | 'of' | 'waitOpen'>
  router: Pick<Router, 'quotasOf'>
  /** a goal or a followup is set there, and neither it nor Onward is paused */
  goesOn(scope: Scope): boolean
  /** the request does nothing but wait until this time; null: it goes on */
  waits(requestId: string, until: number | null): void
  record: RecordEvent
}

/** Reenter mode, where a person asked for it: decides after each round of an HTTP call what is sent next in it. */
export function createReenter({
  clock,
  requests,
  signedIn,
  stopMessage,
  pauseAtLimit,
  router,
  goesOn,
  waits,
  record,
}: ReenterDeps): TurnServices['reenter'] {
  return (turn) => {
    const { identity, call } = turn
    const { sessionId, kind, registeredClientOnly } = identity
    // For clients without a terminal.
    if (sessionId === null || identity.scope !== null || kind !== 'turn') return null
    const scope: Scope = `session:${sessionId}`
    let round = 0
    return async (summary, clientLeft, { usage, choice, streaming, left }) => {
      // Of a later round within the HTTP call only its own words are known.
      const excerpt = round++ === 0 ? requests.excerpt(turn, summary) : wordsOnly(summary.text)
      const stop = {
        requestId: call.requestId,
        sessionId,
        kind,
        reentered: false,
        finish: summary.finish,
        clientLeft,
        registeredClientOnly,
        notFinished: excerpt?.drivenBy ?? null,
      }
      // The session learns of it only when the HTTP call is over.
      const costed = costOf({ usage, choice, signedIn: () => signedIn(call.headers), at: clock.now() })
      const spent = { tokens: tokensOf(usage), ...spendOf({ kind, usage, ...costed }) }
      if (choice !== null) pauseAtLimit.answered(sessionId, choice.providerId, () => router.quotasOf(choice))
      const nearLimit = streaming ? null : pauseAtLimit.of(sessionId)
      const followup = await stopMessage.reenterText({ ...stop, nearLimit }, excerpt, { spent, left })
      const near = followup && pauseAtLimit.of(sessionId)
      if (!near) return followup
      const { requestId } = call
      record({ sessionId, scope, requestId }, { type: 'held', entryId: requestId, reason: near })
      waits(requestId, near.until)
      const may = await pauseAtLimit.waitOpen(sessionId, left)
      waits(requestId, null)
      // Its person may have paused or cleared it meanwhile.
      return may && goesOn(scope) ? followup : null
    }
  }
}
