import type { RecordEvent } from '../../../shared/events.ts'
import type { NoticeFact } from '../../../shared/sentences/types.ts'
import type { Config } from '../../../shared/config/schema.ts'
import type { Scope } from '../../../shared/words.ts'
import type { Clock } from '../base/clock.ts'
import { OnwardError } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Files, Store } from '../store/types.ts'
import type { Outboxes } from '../terminals/outbox/outboxes.ts'
import type { Alarms } from './types.ts'

type Nameless<T> = T extends { name: string } ? Omit<T, 'name'> : T
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
  config(): Pick<Config['clock'], 'dueWindowMs' | 'retentionMs' | 'tickMs' | 'holdMaxMs'>
  /** IANA name */
  zone(): string
  /** where the session's agent can be typed to now; null: nowhere */
  scopeOf(sessionId: string): Scope | null
  /** the scope has a living terminal */
  alive(scope: Scope): boolean
  /** nothing of the session may be held open or typed now */
  paused(sessionId: string): boolean
  notify(where: { sessionId: string | null; scope: Scope | null }, notice: AlarmNotice, taskIds: readonly string[]): void
  /** what viewers show of alarms changed; null: not of one session alone */
  onChange(sessionId: string | null): void
}

export function createAlarms(_deps: AlarmsDeps): Alarms {
  const refuse = async (): Promise<never> => { throw new OnwardError('not-built', 'Alarms are not part of this version yet.') }
  return {
    load: async () => undefined, start: () => undefined, listenerOf: () => ({ confirmed: async () => undefined, failed: async () => undefined, ended: async () => undefined, unconfirmed: async () => undefined }),
    look: () => undefined, move: async () => undefined, idle: async () => undefined, dispose: () => undefined,
    schedule: refuse, edit: refuse, snooze: refuse, cancel: refuse, clear: refuse, restore: refuse, settleMissed: refuse, dismissAllMissed: refuse,
    reserve: async () => null, mayHold: () => false, holdFor: () => null, reserveHeld: async () => null,
    of: () => [], find: () => { throw new OnwardError('alarm-unknown', 'There is no such alarm.', { status: 404 }) }, list: () => [], next: () => ({ waiting: 0, first: null }), nextOf: () => null, missed: () => [], history: () => [],
  }
}
