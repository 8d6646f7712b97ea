import type { ControlApi } from '../../../../../shared/control/contract.ts'
import type { SessionView } from '../../../../../shared/state.ts'
import type { SessionState } from '../../../sessions/session-state.ts'

/** Resume at reset, as the control API uses it. */
export interface ResumeOrders {
  set(sessionId: string, on: boolean): Promise<void>
  cancel(sessionId: string): Promise<void>
}

export interface ResumeApiDeps {
  find(session: string): Promise<SessionState>
  view(sessionId: string): SessionView
  orders: ResumeOrders
}

export function resumeApi({
  find,
  view,
  orders,
}: ResumeApiDeps): Pick<ControlApi, 'setResumeAtReset' | 'cancelResume'> {
  return {
    async setResumeAtReset(wanted, on) {
      const { id } = await find(wanted)
      await orders.set(id, on)
      return view(id)
    },
    async cancelResume(wanted) {
      const { id } = await find(wanted)
      await orders.cancel(id)
      return view(id)
    },
  }
}
