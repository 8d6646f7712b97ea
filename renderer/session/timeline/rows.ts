/** The rows of a timeline as they stand in the virtual list: groups filtered, days between them. Pure. */
import type { EventBody } from '../../../shared/events.ts'
import type { TimelineFilter } from '../../state/ui.ts'
import { foldFailures, type FailuresRow } from './failed-runs.ts'
import type { Group, GroupRow } from './groups.ts'

export type ShownRow = GroupRow | FailuresRow

export type TimelineRow =
  | { kind: 'day'; key: string; at: number }
  /** `first` opens a group, `linked` hangs on the row above it */
  | { kind: 'item'; key: string; row: ShownRow; first: boolean; linked: boolean }

/**
 * @param dayOf the day of an instant, in the person's time zone. @param opened keys of runs of failures that are shown
 * one by one
 */
export function timelineRows(
  groups: readonly Group[],
  filter: TimelineFilter,
  dayOf: (at: number) => number,
  opened: ReadonlySet<string> = new Set(),
): TimelineRow[] {
  const out: TimelineRow[] = []
  const put = ({ rows }: Group) =>
    rows.forEach((row, i) => out.push({ kind: 'item', key: row.key, row, first: i === 0, linked: i > 0 }))
  for (const { day, groups: all } of byDay(groups, filter, dayOf)) {
    out.push({ kind: 'day', key: `day:${day}`, at: all[0]?.at ?? day })
    for (const one of foldFailures(all)) {
      if ('rows' in one) {
        put(one)
        continue
      }
      out.push({ kind: 'item', key: one.row.key, row: one.row, first: true, linked: false })
      if (opened.has(one.row.key)) one.groups.forEach(put)
    }
  }
  return out
}

/** The groups that pass the filter, day by day. */
function byDay(
  groups: readonly Group[],
  filter: TimelineFilter,
  dayOf: (at: number) => number,
): { day: number; groups: Group[] }[] {
  const days: { day: number; groups: Group[] }[] = []
  for (const group of groups) {
    const rows = visible(group, filter)
    if (rows.length === 0) continue
    const day = dayOf(group.at)
    const shown = rows === group.rows ? group : { ...group, rows }
    const last = days.at(-1)
    if (last?.day === day) last.groups.push(shown)
    else days.push({ day, groups: [shown] })
  }
  return days
}

function visible(group: Group, filter: TimelineFilter): readonly GroupRow[] {
  switch (filter) {
    case 'asides':
      return group.rows
    case 'all':
      return isAside(group) ? [] : group.rows
    case 'automation':
      return !isAside(group) && group.rows.some((row) => row.kind !== 'turn') ? group.rows : []
    case 'problems':
      return group.rows.filter(isProblem)
  }
}

const isAside = ({ rows }: Group): boolean =>
  rows.some((row) => row.kind === 'turn' && (row.started ?? row.ended)?.body.kind === 'aside')

/** True if two foldings of the same events look the same, so that an unchanged row is not drawn again. */
export function sameRow(a: ShownRow, b: ShownRow): boolean {
  if (a === b) return true
  switch (a.kind) {
    case 'turn':
      return b.kind === 'turn' && a.started?.id === b.started?.id && a.ended?.id === b.ended?.id && a.times === b.times
    case 'failures':
      return b.kind === 'failures' && a.count === b.count && a.last.id === b.last.id
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
