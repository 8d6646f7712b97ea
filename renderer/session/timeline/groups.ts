/**
 * From a flat list of events to what is read: turns newest first, and under each turn what followed from it, cause
 * before effect. Pure.
 */
import type { EventBody, TimelineEvent } from '../../../shared/events.ts'
import { foldFollowup, isFollowupEvent, newFollowup, type Followup } from './followup.ts'

type Of<T extends EventBody['type']> = TimelineEvent & { body: Extract<EventBody, { type: T }> }
type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export type TurnRow = {
  kind: 'turn'
  key: string
  at: number
  started: Of<'turn-started'> | null
  ended: Of<'turn-ended'> | null
  /** how many like it in a row were folded into it */ times: number
}
export type EventRow = { kind: 'event'; key: string; at: number; event: TimelineEvent }
export type FollowupRow = { kind: 'followup'; key: string; at: number; followup: Followup }
export type GroupRow = TurnRow | EventRow | FollowupRow

/** A turn with what it caused, or something that happened by itself. */
export interface Group {
  key: string
  at: number
  rows: readonly GroupRow[]
}

interface Draft {
  key: string
  at: number
  rows: Mutable<GroupRow>[]
  turn: Mutable<TurnRow> | null
}

/** @param events oldest first */
export function groupEvents(events: readonly TimelineEvent[]): Group[] {
  const groups: Draft[] = []
  const byRequest = new Map<string, Draft>()
  const followups = new Map<string, Mutable<FollowupRow>>()
  const calls = openCalls<Mutable<EventRow>>()
  const reviews = openReviews<Mutable<EventRow>>()
  let turn: Draft | null = null
  let lastFollowup: Mutable<FollowupRow> | null = null

  const alone = (event: TimelineEvent): Draft => {
    const group: Draft = { key: event.id, at: event.at, rows: [], turn: null }
    groups.push(group)
    return group
  }
  const turnGroup = (event: TimelineEvent): Draft => {
    const row: Mutable<TurnRow> = { kind: 'turn', key: event.id, at: event.at, started: null, ended: null, times: 1 }
    const group: Draft = { key: event.id, at: event.at, rows: [row], turn: row }
    groups.push(group)
    if (event.requestId !== null) byRequest.set(event.requestId, group)
    return group
  }

  for (const event of events) {
    const { body } = event
    const own = event.requestId === null ? undefined : byRequest.get(event.requestId)
    switch (body.type) {
      case 'turn-started': {
        const group = own ?? turnGroup(event)
        if (group.turn) group.turn.started = { ...event, body }
        if (body.kind === 'turn') turn = group
        continue
      }
      case 'turn-ended': {
        const group = own ?? turnGroup(event)
        if (group.turn) group.turn.ended = { ...event, body }
        if (body.kind === 'turn') turn = group
        continue
      }
      case 'used':
        // Counted at the submit of the followup before it: a fact of that row.
        if (lastFollowup && lastFollowup.followup.submittedAt !== null && lastFollowup.followup.used === null) {
          lastFollowup.followup = {
            ...lastFollowup.followup,
            used: { used: body.used, max: body.max },
            changes: lastFollowup.followup.changes + 1,
          }
          continue
        }
        break
      default:
    }
    const target = own ?? (causedByTurn(body) ? turn : null) ?? null
    if (isFollowupEvent(body)) {
      const known = followups.get(body.entryId)
      const row: Mutable<FollowupRow> = known ?? {
        kind: 'followup',
        key: `followup:${body.entryId}`,
        at: event.at,
        followup: newFollowup(body.entryId),
      }
      row.followup = foldFollowup(row.followup, { ...event, body })
      lastFollowup = row
      if (!known) {
        followups.set(body.entryId, row)
        ;(target ?? alone(event)).rows.push(row)
      }
      continue
    }
    const row: Mutable<EventRow> = { kind: 'event', key: event.id, at: event.at, event }
    if (body.type === 'review-started') reviews.began(body.round, row)
    if (body.type === 'review-done' && reviews.over(body.review.round, event)) continue
    if (isToolEvent(event)) {
      if (body.type === 'servertool-called') calls.began(event, row)
      else if (calls.over(event)) continue
    }
    ;(target ?? alone(event)).rows.push(row)
  }
  return foldAuxiliary(groups).toReversed()
}

/** Onward's acts because a turn ended belong to that turn; those of a person or a terminal stand alone. */
function causedByTurn(body: EventBody): boolean {
  switch (body.type) {
    case 'matched':
    case 'skipped':
    case 'used':
    case 'done':
    case 'stop-message-failed':
    case 'review-started':
    case 'review-done':
    case 'needs-you':
      return true
    case 'queued':
      return body.source !== 'clock' && body.source !== 'user' && body.source !== 'program'
    case 'cleared':
      return body.by === 'rounds-used' || body.by === 'goal-reached' || body.by === 'failure' || body.by === 'marker'
    case 'paused':
      return body.reason.code !== 'by-user'
    case 'armed':
      return body.by === 'marker'
    default:
      return false
  }
}

/** Token counts and probes come in dozens; a run of the same kind without trouble is one row. */
function foldAuxiliary(groups: readonly Draft[]): Group[] {
  const out: Draft[] = []
  for (const group of groups) {
    const before = out.at(-1)
    const kind = auxiliaryKind(group)
    if (before && kind !== null && auxiliaryKind(before) === kind && before.turn && group.turn) {
      before.turn.times += 1
      before.turn.ended = group.turn.ended
      continue
    }
    out.push(group)
  }
  return out
}

function auxiliaryKind({ turn, rows }: Draft): 'count' | 'probe' | 'title' | null {
  const kind = turn?.ended?.body.kind ?? turn?.started?.body.kind
  const fine = rows.length === 1 && !turn?.ended?.body.error && (turn?.ended?.body.status ?? 200) < 400
  return fine && (kind === 'count' || kind === 'probe' || kind === 'title') ? kind : null
}

/** One row for a review: its outcome takes the place of the line about its beginning. Pure. */
interface Row {
  event: TimelineEvent
}

function openReviews<R extends Row>(): {
  began(round: number, row: R): void
  over(round: number, done: TimelineEvent): boolean
} {
  const open = new Map<number, R>()
  return {
    began(round, row) {
      open.set(round, row)
    },
    /** @returns true if its line stood there */
    over(round, done) {
      const row = open.get(round)
      if (!row) return false
      open.delete(round)
      row.event = done
      return true
    },
  }
}

/**
 * A call of one of Onward's tools and its result are one row: the row of the call becomes the row of its end.
 * Pure.
 */
type Called = Extract<EventBody, { type: 'servertool-called' }>
type Over = Extract<EventBody, { type: 'servertool-ran' | 'servertool-failed' }>
type ToolEvent = TimelineEvent & { body: Called | Over }

const isToolEvent = (event: TimelineEvent): event is ToolEvent =>
  event.body.type === 'servertool-called' ||
  event.body.type === 'servertool-ran' ||
  event.body.type === 'servertool-failed'

/**
 * Calls that have not ended yet, and the rows that show them: the same tool called twice in a round ends in the calls'
 * order.
 */
function openCalls<Row extends { event: TimelineEvent }>(): {
  began(event: ToolEvent, row: Row): void
  over(event: ToolEvent): boolean
} {
  const open = new Map<string, Row[]>()
  const keyOf = ({ requestId, body }: ToolEvent): string => `${requestId} ${body.round} ${body.tool}`
  return {
    began(event, row) {
      const rows = open.get(keyOf(event))
      if (rows) rows.push(row)
      else open.set(keyOf(event), [row])
    },
    /** @returns true if its call was there: else it is a row of its own */
    over(event) {
      const row = open.get(keyOf(event))?.shift()
      if (row) row.event = event
      return row !== undefined
    },
  }
}
