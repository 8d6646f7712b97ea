/** Attempts that failed one after the other for the same reason, shown as one. Pure. */
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
  let run: Group[] = []
  let between: Group[] = []
  const close = () => {
    const newest = run[0]
    const oldest = run.at(-1)
    const last = newest && failureOf(newest)
    if (run.length > 1 && newest && oldest && last)
      out.push({
        row: {
          kind: 'failures',
          key: `failures:${oldest.key}`,
          at: newest.at,
          since: oldest.at,
          count: run.length,
          last,
        },
        groups: run,
      })
    else out.push(...run)
    out.push(...between)
    run = []
    between = []
  }
  for (const group of groups) {
    const failure = failureOf(group)
    const first = run[0] && failureOf(run[0])
    if (failure !== null && (!first || reason(first) === reason(failure))) {
      run.push(group)
      continue
    }
    if (failure === null && run.length > 0 && isBeside(group)) {
      between.push(group)
      continue
    }
    close()
    if (failure === null) out.push(group)
    else run.push(group)
  }
  close()
  return out
}

/** A main turn that failed and set nothing in motion. */
function failureOf({ rows }: Group): Ended | null {
  const [turn, ...others] = rows
  if (turn?.kind !== 'turn' || turn.ended === null || others.some((row) => !isIdle(row))) return null
  const { body } = turn.ended
  return body.kind === 'turn' && body.error !== undefined && !body.clientLeft ? turn.ended : null
}

const isIdle = (row: GroupRow): boolean => row.kind === 'event' && row.event.body.type === 'skipped'

/** Comes with failures and says nothing that parts one from the next. */
const isBeside = ({ rows }: Group): boolean =>
  rows.every(
    (row) =>
      (row.kind === 'event' && row.event.body.type === 'notified') ||
      (row.kind === 'turn' && row.ended !== null && row.ended.body.kind !== 'turn'),
  )

/** Its words name times and requests, which differ each time. */
const reason = ({ body: { status, finish, error, route } }: Ended): string =>
  JSON.stringify([status, finish, error?.code, route?.provider])
