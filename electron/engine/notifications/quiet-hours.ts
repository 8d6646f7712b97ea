import type { QuietHours } from '../../../shared/config/notifications.ts'
import type { NoticeFact } from '../../../shared/sentences/types.ts'
import { dateAt, instantOf, type OffsetAt } from '../base/calendar/wall-time.ts'

/**
 * The end of the quiet hours that are now; null: there are none now. They are a span between two instants, so that an
 * hour which the clocks skip or repeat makes no second night of one.
 */
export function quietUntil(hours: QuietHours, now: number, offsetAt: OffsetAt): number | null {
  if (!hours.on) return null
  const from = timeOf(hours.from)
  const to = timeOf(hours.to)
  const acrossMidnight = minutesOf(to) <= minutesOf(from)
  const today = dateAt(now, offsetAt)
  for (const days of [-1, 0]) {
    const day = today.day + days
    const start = instantOf({ ...today, day }, from, offsetAt)
    const end = instantOf({ ...today, day: day + (acrossMidnight ? 1 : 0) }, to, offsetAt)
    if (start <= now && now < end) return end
  }
  return null
}

/** True if a person lets the notice through. */
export const passes = (
  { needsYou, ownAlarms }: QuietHours,
  fact: Pick<NoticeFact, 'class'> & { own?: true },
): boolean => (fact.class === 'needs-you' && needsYou) || (fact.class === 'alarm-due' && ownAlarms && fact.own === true)

function timeOf(text: string): { hour: number; minute: number; second: number } {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return { hour, minute, second: 0 }
}
const minutesOf = ({ hour, minute }: { hour: number; minute: number }): number => hour * 60 + minute
