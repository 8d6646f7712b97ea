/** The life of one followup, folded from its events: one row with a receipt instead of six rows. Pure. */
import type { EventBody, FailReason, FollowupSource, HoldReason, TimelineEvent } from '../../../shared/events.ts'

export interface Followup {
  id: string
  source: FollowupSource | null
  round: number | null
  text: string | null
  /** set when a model wrote it and names of files in it were escaped */
  escaped: TimelineEvent | null
  queuedAt: number | null
  /** why it waits now; null once it is on its way */
  hold: HoldReason | null
  /** since when it has been held, and for how long it was, in milliseconds */
  heldSince: number | null
  heldMs: number
  typedAt: number | null
  submittedAt: number | null
  extraEnter: boolean
  confirmed: { at: number; afterMs: number; late: boolean } | null
  used: { used: number; max: number | null } | null
  /** how many events made it: two foldings with the same number are the same */
  changes: number
  /** how it ended, where it was not confirmed */
  end: { kind: 'failed'; reason: FailReason } | { kind: 'other'; event: TimelineEvent } | null
}

export type FollowupEvent = Extract<EventBody, { entryId: string }>

export const isFollowupEvent = (body: EventBody): body is FollowupEvent => 'entryId' in body

export const newFollowup = (id: string): Followup => ({
  id,
  source: null,
  round: null,
  text: null,
  escaped: null,
  queuedAt: null,
  hold: null,
  heldSince: null,
  heldMs: 0,
  typedAt: null,
  submittedAt: null,
  extraEnter: false,
  confirmed: null,
  used: null,
  changes: 0,
  end: null,
})

/** @returns the same followup, one event further */
export function foldFollowup(before: Followup, event: TimelineEvent & { body: FollowupEvent }): Followup {
  return { ...fold(before, event), changes: before.changes + 1 }
}

function fold(before: Followup, event: TimelineEvent & { body: FollowupEvent }): Followup {
  const { at, body } = event
  const released = {
    hold: null,
    heldSince: null,
    heldMs: before.heldMs + (before.heldSince === null ? 0 : at - before.heldSince),
  }
  switch (body.type) {
    case 'queued':
      return { ...before, source: body.source, round: body.round, text: body.text, queuedAt: at }
    case 'mentions-escaped':
      return { ...before, escaped: event }
    case 'edited':
      return { ...before, text: body.text, escaped: null }
    case 'held':
      return { ...before, hold: body.reason, heldSince: before.heldSince ?? at }
    case 'typed':
      return { ...before, ...released, typedAt: at }
    case 'text-removed':
      return { ...before, typedAt: null }
    case 'submitted':
      return { ...before, ...released, typedAt: before.typedAt ?? at, submittedAt: at, extraEnter: body.extraEnter }
    case 'confirmed':
      return { ...before, ...released, confirmed: { at, afterMs: body.afterMs, late: body.late }, end: null }
    case 'failed':
      return {
        ...before,
        ...released,
        source: before.source ?? body.source,
        end: { kind: 'failed', reason: body.reason },
      }
    case 'unknown':
      return { ...before, ...released, end: { kind: 'failed', reason: { code: 'unknown-after-crash' } } }
    case 'superseded':
    case 'cancelled':
    case 'expired':
      return { ...before, ...released, end: { kind: 'other', event } }
  }
}
