import type { HoldReason } from '../../../../../shared/events.ts'
import { isLate, sameInComposer } from '../../typing/composer-text.ts'
import type { TerminalReading, TypeResult } from '../../types.ts'
import { isOwed, isUnseen, typingsOf, type OutboxEntry } from '../entry.ts'
import type { EntryEvent } from '../entry/transition.ts'

/** Returns why this reading does not let this entry go; null when it does, or when the terminal is gone. */
export function holdOf(reading: TerminalReading, entry: OutboxEntry): HoldReason | null {
  if (reading.kind === 'hold') return reading.reason
  if (reading.kind !== 'composer-holds') return null
  const wasTyped = isOwed(entry) || typingsOf(entry.phase) > 0
  const ours =
    wasTyped &&
    (reading.text === null ||
      sameInComposer(reading.text, entry.text, reading.room) ||
      (isUnseen(entry) && isLate({ kind: 'text', text: reading.text }, entry.text)))
  if (!ours) return { code: 'draft' }
  // Enter did nothing, twice: only a person's word presses it again
  return heldBy(entry).code === 'enter-ignored' && !entry.skipSettle ? { code: 'enter-ignored' } : null
}

export const heldBy = ({ phase }: OutboxEntry): HoldReason =>
  (phase.state === 'queued' ? phase.hold : null) ?? { code: 'settling' }

/** the most times a text is typed that leaves the composer again */
const typingsAtMost = 5

/** Judges a text that was left in the composer and is no longer there, with no turn that carried it. */
export function eventsOfGone({ phase }: OutboxEntry, judgement: 'removed' | 'perhaps-sent', at: number): EntryEvent[] {
  const begin: EntryEvent = { type: 'begin', at }
  // Enter may have gone out, and its turn reached no engine.
  if (phase.state === 'queued' && phase.entered) return [begin, { type: 'lose', at }]
  // the receipt decides; when none comes a person is asked
  if (judgement === 'perhaps-sent') return [begin, { type: 'submit', at, extraEnter: false }]
  return typingsOf(phase) + 1 < typingsAtMost
    ? [{ type: 'remove', at, by: 'person', reason: { code: 'typing' } }]
    : [begin, { type: 'fail', at, reason: { code: 'not-submitted' } }]
}

/** Returns the events of an attempt to type. */
export function eventsOfResult(result: TypeResult, owed: boolean, at: number): EntryEvent[] {
  switch (result.kind) {
    case 'submitted':
      return [{ type: 'submit', at, extraEnter: result.extraEnter, shown: !result.unseen }]
    case 'held':
      return [owed ? { type: 'owe-enter', reason: result.reason } : { type: 'take-back', reason: result.reason }]
    // its turn may still come: the next readings decide
    case 'removed':
      return [{ type: 'owe-enter', reason: { code: 'settling' }, shown: true }]
    case 'enter-owed':
      return [
        {
          type: 'owe-enter',
          reason: result.reason,
          shown: result.shown,
          entered: result.entered,
          broken: result.broken,
        },
      ]
    case 'failed':
      return [{ type: 'fail', at, reason: result.reason }]
    case 'unknown':
      return [{ type: 'lose', at }]
  }
}
