/** How far the demo has come, from what the dashboard knows of its session. Pure. */
import type { AlarmsView } from '../../shared/alarms/alarms.ts'
import type { SessionView } from '../../shared/state.ts'

export const DEMO_ROUNDS = 3

export type Stage = 'waits' | 'runs' | 'done'
export interface DemoProgress {
  stops: Stage
  types: Stage
  more: Stage
  rings: Stage
  /** confirmed rounds */
  rounds: number
  /** when the alarm rings; null: it is not set, or rang */
  dueAt: number | null
}

export function demoProgress(session: SessionView | null, alarms: AlarmsView | null): DemoProgress {
  // The first turn is the agent's own; every further one answers a followup.
  const rounds = Math.min(DEMO_ROUNDS, Math.max(0, (session?.turns ?? 0) - 1))
  const stopped = (session?.turns ?? 0) >= 1
  const set = alarms?.alarms.find(({ sessionId }) => sessionId === session?.id) ?? null
  const rang =
    set?.state.kind === 'delivered' ||
    (alarms?.history.some(({ sessionId, end }) => sessionId === session?.id && end.kind === 'delivered') ?? false)
  const after = (before: boolean, done: boolean): Stage => (done ? 'done' : before ? 'runs' : 'waits')
  return {
    stops: after(true, stopped),
    types: after(stopped, rounds >= 1),
    more: after(rounds >= 1, rounds >= DEMO_ROUNDS),
    rings: after(rounds >= DEMO_ROUNDS, rang),
    rounds,
    dueAt: set?.state.kind === 'waits' ? set.dueAt : null,
  }
}
