import type { Scope } from '../../../../../shared/words.ts'
import { OnwardError } from '../../../base/errors.ts'
import { isAutomation, isOwed, isPending, type OutboxEntry } from '../entry.ts'
import type { OutboxState } from '../outbox-file.ts'
import type { Draft } from '../writer.ts'

/** Marks an entry whose fate is unknown and will not be found out, because its terminal is left. */
function lose(draft: Draft, entry: OutboxEntry, at: number): void {
  draft.apply(entry.id, ...(isOwed(entry) ? [{ type: 'begin', at } as const] : []), { type: 'lose', at })
}

/** Rebinding, first half: queued entries may go along; typed or submitted ones stay as unknown. */
export function releaseEntries(draft: Draft, to: Scope, at: number): void {
  for (const entry of draft.state.entries) {
    if (entry.phase.state === 'typing' || entry.phase.state === 'submitted' || isOwed(entry)) lose(draft, entry, at)
  }
  draft.set({ movedTo: to })
}

/**
 * Rebinding, second half: takes what is not here yet. Of two followups that keep the agent going, the own one stays.
 */
export function adoptEntries(draft: Draft, moved: OutboxState, at: number): void {
  const { scope, entries, paused, conversations } = draft.state
  const known = new Set(entries.map((e) => e.id))
  const added = moved.entries.filter((e) => !known.has(e.id)).map((e): OutboxEntry => ({ ...e, scope }))
  const told = new Set(conversations.map((c) => c.sessionId))
  draft.set({
    entries: [...added, ...entries],
    paused: paused ?? moved.paused,
    conversations: [...moved.conversations.filter((c) => !told.has(c.sessionId)), ...conversations],
  })
  const [, ...surplus] = draft.state.entries.filter((e) => isAutomation(e) && isPending(e)).toReversed()
  for (const entry of surplus) draft.apply(entry.id, { type: 'supersede', at, by: 're-arm' })
}

/** Between the two halves entries are not changed: the copy would not get the change. */
export const scopeMoved = (): OnwardError =>
  new OnwardError('scope-moved', 'This session moved to another terminal a moment ago. Try again.', {
    status: 409,
    retryable: true,
  })
