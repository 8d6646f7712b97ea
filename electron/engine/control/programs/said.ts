/** Bounds for what programs say: two that answer each other, or one that talks to itself, would never end. */
import type { ControlApi } from '../../../../shared/operations/index.ts'
import { OnwardError } from '../../base/errors.ts'

/** texts of programs that wait in a session's queue at once, and those that are taken in an hour */
const most = { own: { waiting: 1, hourly: 10 }, other: { waiting: 10, hourly: 60 } } as const
const HOUR_MS = 60 * 60_000

export function createSaid(now: () => number) {
  /** epoch milliseconds, by session */
  const times = new Map<string, readonly number[]>()
  /** by session: texts on their way into its queue, which does not show them yet */
  const underway = new Map<string, number>()
  const count = (id: string, by: 1 | -1) => {
    const left = (underway.get(id) ?? 0) + by
    if (left > 0) underway.set(id, left)
    else underway.delete(id)
  }
  return {
    /** @throws OnwardError `already-said`, `said-too-often` */
    bounded(api: Pick<ControlApi, 'say' | 'session'>, by: keyof typeof most): ControlApi['say'] {
      return async (input) => {
        const { id, queue } = await api.session(input.session)
        const { waiting, hourly } = most[by]
        const open = queue.filter(
          ({ source, state }) => source === 'program' && ['queued', 'typing', 'submitted'].includes(state),
        )
        if (open.length + (underway.get(id) ?? 0) >= waiting)
          throw new OnwardError(
            'already-said',
            waiting === 1
              ? 'What you said before has not arrived yet. Wait until it has.'
              : `${waiting} texts of programs wait for this session already.`,
            { status: 409 },
          )
        const since = now() - HOUR_MS
        const lately = (times.get(id) ?? []).filter((at) => at > since)
        if (lately.length >= hourly)
          throw new OnwardError(
            'said-too-often',
            `Programs said ${hourly} things to this session within an hour, which is the most. A person can go on.`,
            { status: 429 },
          )
        times.set(id, [...lately, now()])
        count(id, 1)
        try {
          return await api.say(input)
        } finally {
          count(id, -1)
        }
      }
    },
  }
}
