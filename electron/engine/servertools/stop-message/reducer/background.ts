import type { BackgroundWait } from '../../../../../shared/background.ts'
import type { BackgroundFound, NamedWork } from '../../../sessions/activity.ts'

/** Work in the background of one conversation. */
export interface SeenWork extends NamedWork {
  sessionId: string | null
  /** the first stop beside it */
  since: number
  /**
   * `passed`: a person did not want to wait for it; `over`: the screen shows that it has ended, whatever
   * requests say
   */
  is?: 'passed' | 'over'
}

/** a dev server and a few builds; more than that is an agent that does not clean up */
const most = 64

/**
 * Known work of the conversation after another look. Work that a look does not mention stays: a compaction takes its
 * beginning out of the history.
 */
export function seen(
  before: readonly SeenWork[],
  sessionId: string | null,
  { running, ended }: BackgroundFound,
  at: number,
): readonly SeenWork[] {
  const kept = before.filter((work) => work.sessionId === sessionId && !ended.includes(work.id))
  const fresh = running.filter(({ id }) => !kept.some((work) => work.id === id))
  if (fresh.length === 0 && kept.length === before.length) return before
  return [...kept, ...fresh.map(({ id, kind, what }) => ({ id, kind, what, sessionId, since: at }))].slice(-most)
}

/** Each piece of work is waited for once, for at most this long. Returns the work waited for; null: none. */
export function waitFor(
  work: readonly SeenWork[],
  sessionId: string | null,
  now: number,
  mostMs: number,
): BackgroundWait | null {
  const left = work.filter((one) => one.sessionId === sessionId && one.is === undefined && now < one.since + mostMs)
  const last = left.reduce<SeenWork | null>((a, b) => (a && a.since >= b.since ? a : b), null)
  return (
    last && { kind: last.kind, what: last.what, since: last.since, until: last.since + mostMs, more: left.length - 1 }
  )
}
