import type { RecordEvent } from '../../../shared/events.ts'
import type { Config } from '../../../shared/config/schema.ts'
import type { NoticeFact } from '../../../shared/sentences/types.ts'
import type { Outboxes } from '../terminals/outbox/outboxes.ts'
import type { Store, Files } from '../store/types.ts'
import type { Log } from '../base/log.ts'
import type { Random } from '../base/ids.ts'
import type { Clock } from '../base/clock.ts'
import type { Scope } from '../../../shared/words.ts'

export type Nameless<T> = T extends { name: string } ? Omit<T, 'name'> : T
export type AlarmNotice = Nameless<Extract<NoticeFact, { class: 'alarm-due' | 'alarm-missed' }>>
export interface AlarmsDeps {
  store: Store
  /** for the ledgers, whose lines are added one by one */
  files: Files
  /** the folder of the store, absolute */
  root: string
  outboxes: Outboxes
  /** corrected by the time sync */
  clock: Clock
  random: Random
  log: Log
  record: RecordEvent
  config(): Pick<Config['clock'], 'dueWindowMs' | 'retentionMs' | 'tickMs' | 'hold' | 'holdMaxMs'>
  /** IANA name */
  zone(): string
  /** where the session's agent can be typed to now; null: nowhere */
  scopeOf(sessionId: string): Scope | null
  /** the scope has a terminal that is still there */
  alive(scope: Scope): boolean
  /** nothing of the session may be held open or typed now */
  paused(sessionId: string): boolean
  notify(
    where: { sessionId: string | null; scope: Scope | null },
    notice: AlarmNotice,
    taskIds: readonly string[],
  ): void
  /** what viewers show of alarms changed; null: not of one session alone */
  onChange(sessionId: string | null): void
}
