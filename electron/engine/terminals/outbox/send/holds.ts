import type { HoldReason, NearLimit } from '../../../../../shared/events.ts'
import { isAutomation, isLeftOver, isOwed, isUnseen, type OutboxEntry } from '../entry.ts'

/** The facts known without reading the terminal. */
export interface ScopeFacts {
  paused: 'global' | 'session' | null
  /** requests of the scope in flight */
  running: number
  /** the settle time since the last response has not passed */
  settling: boolean
  /** session that was in front last, by its main turn or on the screen; null: none was seen */
  conversation: string | null
  /** why nothing that keeps the session going by itself is typed for now */
  nearLimit(sessionId: string): NearLimit | null
}

export interface Line {
  /** the one entry whose turn it is; null when none is queued */
  head: OutboxEntry | null
  /** why each queued entry waits; the head is missing when only its terminal's screen shows why */
  holds: ReadonlyMap<string, HoldReason>
}

/**
 * Picks the entry whose turn it is, and why the others wait. A person's decision comes before reasons of time alone.
 */
export function lineUp(entries: readonly OutboxEntry[], facts: ScopeFacts): Line {
  const queued = entries.filter((e) => e.phase.state === 'queued')
  const elsewhere = (e: OutboxEntry) => e.sessionId !== null && e.sessionId !== facts.conversation
  // A person who says "send now" is obeyed.
  const nearLimit = (e: OutboxEntry) =>
    isAutomation(e) && e.sessionId !== null && !e.skipSettle && !isOwed(e) ? facts.nearLimit(e.sessionId) : null
  // A text that stands in the composer comes first: nothing else can be typed before it. An entry of another
  // conversation waits for that conversation, one near a limit for its reset, and they let the others pass.
  const head =
    queued.find(isOwed) ??
    queued.find((e) => !elsewhere(e) && !nearLimit(e)) ??
    queued.find((e) => !nearLimit(e)) ??
    queued[0] ??
    null
  const holds = new Map<string, HoldReason>()
  if (!head) return { head, holds }
  const awaiting = entries.find(
    // A text that may still come would merge with the next one; one that a request carried has come.
    (e) =>
      e.phase.state === 'typing' ||
      e.phase.state === 'submitted' ||
      (e.phase.state !== 'confirmed' && isLeftOver(e) && isUnseen(e)),
  )
  const reason = headHold(head, facts, elsewhere(head), awaiting ?? null, nearLimit(head))
  if (reason) holds.set(head.id, reason)
  for (const entry of queued) {
    if (entry.id !== head.id)
      holds.set(
        entry.id,
        nearLimit(entry) ?? (elsewhere(entry) ? { code: 'other-conversation' } : { code: 'behind', entryId: head.id }),
      )
  }
  return { head, holds }
}

function headHold(
  head: OutboxEntry,
  facts: ScopeFacts,
  elsewhere: boolean,
  awaiting: OutboxEntry | null,
  nearLimit: NearLimit | null,
): HoldReason | null {
  if (facts.paused) return { code: 'paused', by: facts.paused }
  if (facts.running > 0) return { code: 'response-running' }
  if (nearLimit) return nearLimit
  if (facts.settling && !head.skipSettle) return { code: 'settling' }
  if (elsewhere) return { code: 'other-conversation' }
  return awaiting ? { code: 'behind', entryId: awaiting.id } : null
}

/** Holds that are normal: however long they last, nothing is announced. */
export const isOrdinary = (reason: HoldReason): boolean =>
  reason.code === 'paused' ||
  reason.code === 'response-running' ||
  reason.code === 'behind' ||
  reason.code === 'near-limit' ||
  reason.code === 'settling'
