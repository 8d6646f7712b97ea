import type { AlarmStore } from '../store/alarm-store.ts'
import type { SessionTasks, Task } from '../model/task.ts'

/** Answers about a session's alarms that are needed often, so that nobody has to go through all of them. */
export interface SessionSummary {
  state: SessionTasks
  /** how many will still ring for it, and the next of them */
  waiting: number
  first: Task | null
  /** of all of them, delivered ones too */
  earliest: number
}

/** In the order of the alarm store. */
export interface SessionSummaries {
  changed(sessionId: string): void
  of(sessionId: string): SessionSummary | null
  all(): IterableIterator<SessionSummary>
}

export function createSessionSummaries(alarmStore: Pick<AlarmStore, 'of'>): SessionSummaries {
  const summaries = new Map<string, SessionSummary>()
  return {
    changed(sessionId) {
      const state = alarmStore.of(sessionId)
      if (state) summaries.set(sessionId, headOf(state))
      else summaries.delete(sessionId)
    },
    of: (sessionId) => summaries.get(sessionId) ?? null,
    all: () => summaries.values(),
  }
}

function headOf(state: SessionTasks): SessionSummary {
  const head: SessionSummary = { state, waiting: 0, first: null, earliest: Infinity }
  for (const task of state.tasks) {
    if (task.dueAtMs < head.earliest) head.earliest = task.dueAtMs
    if (task.deliveredAtMs !== undefined) continue
    head.waiting += 1
    if (head.first === null || task.dueAtMs < head.first.dueAtMs) head.first = task
  }
  return head
}
