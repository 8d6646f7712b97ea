import { spendOf } from '../../../../shared/cost/cost.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { costOf } from '../../router/cost.ts'
import { tokensOf } from '../../servertools/stop-message/reducer/goal-progress.ts'
import type { StopMessage } from '../../servertools/stop-message/stop-message.ts'
import { wordsOnly, type LastRequests } from '../request/last-requests.ts'
import type { TurnServices } from '../run-turn.ts'

export interface ReenterDeps {
  clock: Clock
  /** null: the person did not ask for this mode */
  reenterScope(sessionId: string): Scope | null
  requests: Pick<LastRequests, 'excerpt'>
  signedIn(headers: Readonly<Record<string, string>>): boolean
  stopMessage: Pick<StopMessage, 'reenterText'>
}

/** Reenter mode: decides after each round of an HTTP call what is sent next within it. */
export function createReenter({
  clock,
  reenterScope,
  requests,
  signedIn,
  stopMessage,
}: ReenterDeps): TurnServices['reenter'] {
  return (turn) => {
    const { identity, call } = turn
    const { sessionId, kind, registeredClientOnly } = identity
    // For clients without a terminal, and only where it was asked for.
    if (sessionId === null || identity.scope !== null || kind !== 'turn' || reenterScope(sessionId) === null)
      return null
    let round = 0
    return (summary, clientLeft, { usage, choice, left }) => {
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
      const spent = { tokens: usage ? tokensOf(usage) : 0, ...spendOf({ kind, usage, ...costed }) }
      return stopMessage.reenterText(stop, excerpt, { spent, left })
    }
  }
}
