/** The rows of a timeline as they stand in the virtual list: groups filtered, days between them. Pure. */
import type { EventBody } from '../../../shared/events.ts'
import type { TimelineFilter } from '../../state/ui.ts'
import type { Group, GroupRow } from './groups.ts'

export type TimelineRow =
  | { kind: 'day'; key: string; at: number }
  /** `first` opens a group, `linked` hangs on the row above it */
  | { kind: 'item'; key: string; row: GroupRow; first: boolean; linked: boolean }

/** @param dayOf tells days apart, in the person's time zone */
export function timelineRows(
  groups: readonly Group[],
  filter: TimelineFilter,
  dayOf: (at: number) => number,
): TimelineRow[] {
  const out: TimelineRow[] = []
  let day: number | null = null
  for (const group of groups) {
    const rows = visible(group, filter)
    if (rows.length === 0) continue
    const groupDay = dayOf(group.at)
    if (groupDay !== day) {
      day = groupDay
      out.push({ kind: 'day', key: `day:${groupDay}`, at: group.at })
    }
    rows.forEach((row, i) => out.push({ kind: 'item', key: row.key, row, first: i === 0, linked: i > 0 }))
  }
  return out
}

function visible(group: Group, filter: TimelineFilter): readonly GroupRow[] {
  switch (filter) {
    case 'all':
      return group.rows
    case 'automation':
      return group.rows.some((row) => row.kind !== 'turn') ? group.rows : []
    case 'problems':
      return group.rows.filter(isProblem)
  }
}

/** Whether two foldings of the same events look the same, so that what stands still is not drawn again. */
export function sameRow(a: GroupRow, b: GroupRow): boolean {
  if (a === b) return true
  switch (a.kind) {
    case 'turn':
      return b.kind === 'turn' && a.started?.id === b.started?.id && a.ended?.id === b.ended?.id && a.times === b.times
    case 'event':
      return b.kind === 'event' && a.event.id === b.event.id
    case 'followup':
      return b.kind === 'followup' && a.followup.id === b.followup.id && a.followup.changes === b.followup.changes
  }
}

export function isProblem(row: GroupRow): boolean {
  switch (row.kind) {
    case 'turn':
      return (
        row.ended !== null &&
        (row.ended.body.finish === 'error' ||
          row.ended.body.finish === 'broken-off' ||
          row.ended.body.error !== undefined)
      )
    case 'followup':
      return row.followup.end?.kind === 'failed'
    case 'event':
      return isTrouble(row.event.body)
  }
}

function isTrouble(body: EventBody): boolean {
  switch (body.type) {
    case 'stop-message-failed':
    case 'marker-refused':
    case 'marker-held':
    case 'store-problem':
    case 'config-problem':
    case 'engine-problem':
    case 'servertool-failed':
    case 'alarm-missed':
    case 'needs-you':
      return true
    case 'review-done':
      return body.review.outcome.code === 'failed' || body.review.outcome.code === 'needs-user'
    case 'check-ran':
      return body.run.outcome !== 'passed'
    case 'servertool-stripped':
      return body.why !== 'not-a-turn'
    case 'notified':
      return body.result === 'failed'
    case 'paused':
      return body.reason.code !== 'by-user'
    default:
      return false
  }
}
