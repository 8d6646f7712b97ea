import type { RecordEvent } from '../../../../shared/events.ts'
import type { Scope, Language } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/ids.ts'
import type { Store } from '../../store/types.ts'
import type { EntryUpdate } from '../../terminals/outbox/listener.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import type { StopMessageNotice } from './notice.ts'
import type { Budgets } from './reducer/budget.ts'
import type { GoalDeps } from './review/pre-send-review.ts'

export interface StopMessageDeps {
  store: Store
  outboxes: Outboxes
  clock: Clock
  random: Random
  record: RecordEvent
  notify(where: { sessionId: string | null; scope: Scope }, notice: StopMessageNotice): void
  config(): { budgets: Budgets; backgroundWaitMs: number; language: Language }
  /** why nothing will ever be typed into the scope's terminal again; null while it lives */
  terminalGone(scope: Scope): string | null
  /**
   * the words by which the scope's screen shows work in the background; null: it shows that there is none. Absent, or
   * undefined: unknown
   */
  shownWork?: { known(scope: Scope): boolean; look(scope: Scope): Promise<string | null | undefined> }
  goal: GoalDeps
  /** the sender of this entry reports its failure to the person in other words (alarms) */
  tellsItself?(entry: EntryUpdate): boolean
  /** what viewers show of the scope changed */
  onChange(scope: Scope): void
  /** when the disk refused: try again after */
  writeAgainMs?: number
}
