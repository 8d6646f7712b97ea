import type { ControlApi } from '../../../../shared/control/contract.ts'
import type { SessionOutage } from '../../../../shared/outage.ts'
import type { SessionView } from '../../../../shared/state.ts'
import type { SessionState } from '../../sessions/session-state.ts'

export interface OutageOrders {
  /** with neither of both, the earlier request is taken back */
  set(sessionId: string, choice: Pick<SessionOutage, 'tell' | 'standIn'>): Promise<void>
}

export interface OutageApiDeps {
  find(session: string): Promise<SessionState>
  view(sessionId: string): SessionView
  orders: OutageOrders
}

/** A person's choices while a session's turns fail. */
export function outageApi({ find, view, orders }: OutageApiDeps): Pick<ControlApi, 'setOutage'> {
  return {
    async setOutage({ session, tell, standIn }) {
      const { id } = await find(session)
      await orders.set(id, { tell, standIn })
      return view(id)
    },
  }
}
