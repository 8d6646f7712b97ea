/** Attempts that failed for the same reason while none went well, shown as one. Pure. */
import type { Group, GroupRow, TurnRow } from './groups.ts'

type Ended = NonNullable<TurnRow['ended']>

/** Stands for them, where the newest of them stands. */
export type FailuresRow = {
  kind: 'failures'
  /** of the oldest: further failures leave an opened row open */ key: string
  at: number
  since: number
  count: number
  last: Ended
  /** of titles and other requests beside the conversation, whatever their reasons */
  side: boolean
}
export interface FailedRun {
  row: FailuresRow
  /** newest first */
  groups: readonly Group[]
}

/**
 * @param groups newest first, of one day. A group that is no turn and is only about the failures does not part them.
 */
export function foldFailures(groups: readonly Group[]): (Group | FailedRun)[] {
  const out: (Group | FailedRun)[] = []
  /** those since a turn that went well, and what stands between them */
  let stretch: Group[] = []
  const close = () => {
    out.push(...folded(stretch))
    stretch = []
  }
  for (const group of groups) {
    if (failureOf(group) !== null || isBeside(group)) stretch.push(group)
    else {
      close()
      out.push(group)
    }
  }
  close()
  return out
}

/** Each cause stands once, where its newest failure does. */
function folded(stretch: readonly Group[]): (Group | FailedRun)[] {
  const causes = new Map<string, Group[]>()
  for (const group of stretch) {
    const cause = causeOf(group)
    if (cause !== null) causes.set(cause, [...(causes.get(cause) ?? []), group])
  }
  return stretch.flatMap((group): (Group | FailedRun)[] => {
    const cause = causeOf(group)
    const run = cause === null ? [group] : (causes.get(cause) ?? [])
    if (run[0] !== group) return []
    const oldest = run.at(-1)
    const last = failureOf(group)
    if (run.length === 1 || !oldest || !last) return run
    const { at } = group
    const side = last.body.kind !== 'turn'
    return [
      {
        row: { kind: 'failures', key: `failures:${oldest.key}`, at, since: oldest.at, count: run.length, last, side },
        groups: run,
      },
    ]
  })
}

/** A request that failed and set nothing in motion. */
function failureOf({ rows }: Group): Ended | null {
  const [turn, ...others] = rows
  if (turn?.kind !== 'turn' || turn.ended === null || others.some((row) => !isIdle(row))) return null
  const { body } = turn.ended
  return body.error !== undefined && !body.clientLeft ? turn.ended : null
}

const isIdle = (row: GroupRow): boolean => row.kind === 'event' && (row.event.body.type === 'skipped' || tellsOf(row))

/** Tells what came of failures, and sets nothing in motion. */
const tellsOf = (row: GroupRow): boolean =>
  row.kind === 'event' &&
  (row.event.body.type === 'notified' ||
    row.event.body.type === 'provider-resting' ||
    row.event.body.type === 'provider-back' ||
    row.event.body.type === 'recover-waits')

/** Comes with failures and says nothing that parts one from the next. */
const isBeside = ({ rows }: Group): boolean =>
  rows.every((row) => tellsOf(row) || (row.kind === 'turn' && row.ended !== null && row.ended.body.kind !== 'turn'))

/** Its words name times and requests, which differ each time. */
function causeOf(group: Group): string | null {
  const failure = failureOf(group)
  if (failure === null) return null
  const { kind, status, finish, error, route } = failure.body
  return kind === 'turn' ? JSON.stringify([status, finish, error?.code, route?.provider]) : 'side'
}
