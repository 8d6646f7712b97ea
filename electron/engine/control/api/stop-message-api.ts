import type { ControlApi } from '../../../../shared/control/contract.ts'
import type { SessionView } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type { SessionState } from '../../sessions/session-state.ts'

/** The stopMessage controller, as the control API uses it. */
export interface StopMessageOrders {
  arm(
    scope: Scope,
    order: { sessionId: string; text: string | null; max: number | null; review: boolean; by: 'user' },
  ): Promise<void>
  clear(scope: Scope, by: 'user'): Promise<void>
  rearm(scope: Scope): Promise<void>
  addRounds(scope: Scope, rounds: number): Promise<void>
}

export interface StopMessageApiDeps {
  find(session: string): Promise<SessionState>
  view(sessionId: string): SessionView
  /** where the session's stopMessage is kept. @throws OnwardError `no-scope` */
  scopeOf(session: SessionState): Scope
  orders: StopMessageOrders
}

const DEFAULT_ROUNDS = 10

export function stopMessageApi({
  find,
  view,
  scopeOf,
  orders,
}: StopMessageApiDeps): Pick<ControlApi, 'setStopMessage' | 'clearStopMessage' | 'rearmStopMessage' | 'addRounds'> {
  const on = async (
    wanted: string,
    work: (scope: Scope, session: SessionState) => Promise<void>,
  ): Promise<SessionView> => {
    const session = await find(wanted)
    await work(scopeOf(session), session)
    return view(session.id)
  }
  return {
    setStopMessage: ({ session, text, rounds, review }) =>
      on(session, (scope, { id }) => {
        const isReview = review ?? false
        return orders.arm(scope, {
          sessionId: id,
          text: text?.trim() ? text : null,
          max: rounds === undefined ? (isReview ? null : DEFAULT_ROUNDS) : rounds,
          review: isReview,
          by: 'user',
        })
      }),
    clearStopMessage: (session) => on(session, (scope) => orders.clear(scope, 'user')),
    rearmStopMessage: (session) => on(session, (scope) => orders.rearm(scope)),
    addRounds: (session, rounds) => on(session, (scope) => orders.addRounds(scope, rounds)),
  }
}

/** What is said where a session has nothing that could be typed into. */
export const noScope = (name: string): OnwardError =>
  new OnwardError('no-scope', `${name} has no terminal that Onward can type into. Start its agent with \`onward\`.`, {
    status: 409,
  })
