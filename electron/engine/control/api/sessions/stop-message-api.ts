import type { ControlApi } from '../../../../../shared/operations/index.ts'
import type { SessionView } from '../../../../../shared/state.ts'
import type { Scope } from '../../../../../shared/words.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { Target } from './target.ts'

/** The stopMessage controller, as the control API uses it. */
export interface StopMessageOrders {
  arm(
    scope: Scope,
    order: { sessionId: string | null; text: string | null; max: number | null; review: boolean; by: 'user' },
  ): Promise<void>
  clear(scope: Scope, by: 'user'): Promise<void>
  rearm(scope: Scope): Promise<void>
  startNow(scope: Scope): Promise<void>
  carryOn(scope: Scope, sessionId: string | null): Promise<void>
  addRounds(scope: Scope, rounds: number): Promise<void>
}

export interface StopMessageApiDeps {
  targetOf(wanted: string): Promise<Target>
  orders: StopMessageOrders
}

const DEFAULT_ROUNDS = 10

export function stopMessageApi({ targetOf, orders }: StopMessageApiDeps) {
  const on = async (
    wanted: string,
    work: (scope: Scope, sessionId: string | null) => Promise<void>,
  ): Promise<SessionView> => {
    const target = await targetOf(wanted)
    await work(target.scope(), target.sessionId)
    return target.view()
  }
  return {
    setStopMessage: ({ session, text, rounds, review, now }) =>
      on(session, async (scope, sessionId) => {
        const isReview = review ?? false
        await orders.arm(scope, {
          sessionId,
          text: text?.trim() ? text : null,
          max: rounds === undefined ? (isReview ? null : DEFAULT_ROUNDS) : rounds,
          review: isReview,
          by: 'user',
        })
        if (now) await orders.startNow(scope)
      }),
    clearStopMessage: (session) => on(session, (scope) => orders.clear(scope, 'user')),
    rearmStopMessage: (session) => on(session, (scope) => orders.rearm(scope)),
    startStopMessage: (session) => on(session, (scope) => orders.startNow(scope)),
    carryOnStopMessage: (session) => on(session, (scope, sessionId) => orders.carryOn(scope, sessionId)),
    addRounds: ({ session, rounds }) => on(session, (scope) => orders.addRounds(scope, rounds)),
  } satisfies Partial<ControlApi>
}

/** The error for a session that has nothing to type into. */
export const noScope = (name: string): OnwardError =>
  new OnwardError('no-scope', `${name} has no terminal that Onward can type into. Start its agent with \`onward\`.`, {
    status: 409,
  })
