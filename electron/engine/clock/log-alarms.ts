import type { Log } from '../base/log.ts'
import type { Task } from './model/task.ts'

/** One operation on a session's alarms. `write`: the disk's answer, or why it was not asked. */
export interface DoneToAlarms {
  did: 'set' | 'changed' | 'delivered' | 'list' | 'cancel' | 'clear'
  sessionId: string
  /** null: no request asked for it */
  requestId: string | null
  tasks: readonly Pick<Task, 'dueAtMs'>[]
  /** `not-yet`: true, and on the disk as soon as that takes it; `none`: nothing to write; else the disk's refusal */
  write: 'written' | 'not-yet' | 'none' | { refused: string }
}

/** One line per operation, with numbers and times: never the text of an alarm. */
export function logAlarms(log: Log, { did, sessionId, requestId, tasks, write }: DoneToAlarms): void {
  const refused = typeof write === 'object'
  log[refused ? 'warn' : 'info'](
    {
      did,
      session: sessionId,
      requestId,
      tasks: tasks.length,
      earliest: tasks.length === 0 ? null : new Date(Math.min(...tasks.map(({ dueAtMs }) => dueAtMs))).toISOString(),
      write: refused ? write.refused : write,
    },
    'alarms',
  )
}
