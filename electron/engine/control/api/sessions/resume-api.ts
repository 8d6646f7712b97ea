import type { ControlApi } from '../../../../../shared/control/contract.ts'
import type { SessionView } from '../../../../../shared/state.ts'
import type { SessionState } from '../../../sessions/session-state.ts'

/** Orders to go on by itself, after a limit's reset or a failure, as the control API uses them. */
export interface ResumeOrders {
  set(sessionId: string, on: boolean): Promise<void>
  cancel(sessionId: string): Promise<void>
}

export interface ResumeApiDeps {
  find(session: string): Promise<SessionState>
  view(sessionId: string): SessionView
  orders: ResumeOrders
  recover: Pick<ResumeOrders, 'set'>
}

export function resumeApi({
  find,
  view,
  orders,
  recover,
}: ResumeApiDeps): Pick<ControlApi, 'setResumeAtReset' | 'cancelResume' | 'setRecover'> {
  return {
    async setResumeAtReset(wanted, on) {
      const { id } = await find(wanted)
      await orders.set(id, on)
      return view(id)
    },
    async setRecover(wanted, on) {
      const { id } = await find(wanted)
      await recover.set(id, on)
      return view(id)
    },
    async cancelResume(wanted) {
      const { id } = await find(wanted)
      await orders.cancel(id)
      return view(id)
    },
  }
}
