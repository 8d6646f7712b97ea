import type { Random } from '../../base/ids.ts'
import type { OutboxEntry } from '../../terminals/outbox/entry.ts'
import type { EntryUpdate } from '../../terminals/outbox/listener.ts'
import type { Outbox } from '../../terminals/outbox/outbox.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import type { Scope } from '../../../../shared/words.ts'

/** Marks the outbox's entries that are alarms; the claim on the alarms is by the same name. */
const mark = 'alarm:'
export const newGroup = (random: Random): string => `${mark}${random.uuid()}`
export const isAlarmEntry = ({ group }: Pick<EntryUpdate, 'group'>): boolean => group?.startsWith(mark) ?? false

export type TypedText = Pick<OutboxEntry, 'text' | 'writtenBy'>

/** The way of alarms through a terminal's outbox. The outbox knows nothing of alarms. */
export interface ToTerminal {
  /**
   * Queues a reminder once. `textNow` is asked inside the outbox's queue: null when the alarms are not to be sent any
   * more. @throws OnwardError `store-failed`, `scope-moved`, `empty-text`
   */
  put(scope: Scope, entry: { sessionId: string; group: string; textNow(): TypedText | null }): Promise<void>
  /**
   * The outbox's entry; null: no outbox and no outbox's file has it. @throws OnwardError `store-failed`: a file may
   * still have it
   */
  find(group: string, scope: Scope | undefined): Promise<EntryUpdate | null>
  /** Takes it out of the queue if it was not begun to be typed. @returns whether it is out */
  takeBack(group: string, scope: Scope | undefined): Promise<boolean>
  /** its time is over */
  expire(group: string, scope: Scope | undefined): Promise<void>
}

export function createToTerminal(outboxes: Outboxes): ToTerminal {
  const holding = async (
    group: string,
    scope: Scope | undefined,
  ): Promise<{ outbox: Outbox; entry: EntryUpdate } | null> => {
    const first = scope === undefined ? null : outboxes.peek(scope)
    for (const outbox of [...(first ? [first] : []), ...outboxes.all().filter((one) => one !== first)]) {
      const entry = await outbox.exclusive(async (transaction) => {
        const found = transaction.entries().find((one) => one.group === group) ?? null
        // A refused write may have put it on the disk all the same, from where it would be typed after a crash.
        if (!found) await transaction.flush()
        return found
      })
      if (entry) return { outbox, entry }
    }
    return null
  }
  const isOut = ({ state }: EntryUpdate): boolean =>
    state === 'superseded' || state === 'cancelled' || state === 'expired'
  /** Once the entry is being typed the outbox refuses: then it takes its course. */
  const take = async (
    group: string,
    scope: Scope | undefined,
    mayStandThere: boolean,
    how: (outbox: Outbox, id: string) => Promise<void>,
  ): Promise<boolean> => {
    const found = await holding(group, scope)
    if (!found) return true
    if (found.entry.state !== 'queued') return isOut(found.entry)
    // Its text stands in the agent's input line already: a person, or an Enter that is owed, may still send it.
    if (found.entry.typedAt !== null && !mayStandThere) return false
    try {
      await how(found.outbox, found.entry.id)
      return true
    } catch (error) {
      const now = await holding(group, scope)
      if (now?.entry.state === 'queued') throw error
      return now === null || isOut(now.entry)
    }
  }
  return {
    async put(scope, { sessionId, group, textNow }) {
      const outbox = await outboxes.of(scope)
      await outbox.exclusive(async (transaction) => {
        const typed = transaction.entries().some((entry) => entry.group === group) ? null : textNow()
        if (typed !== null) await transaction.add({ sessionId, ...typed, source: 'clock', group })
      })
    },
    find: async (group, scope) => (await holding(group, scope))?.entry ?? null,
    takeBack: (group, scope) => take(group, scope, false, (outbox, id) => outbox.overtake(id, 'other-way')),
    async expire(group, scope) {
      await take(group, scope, true, (outbox, id) => outbox.expire(id))
    },
  }
}
