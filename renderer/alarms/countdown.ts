import type { Words } from '../i18n/index.ts'
import type { WallOf } from './wall.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * How long until an alarm, as short as its distance allows: in 38 s, in 1 h 48 min, in 18 h, in 9 days. Minutes are
 * those between two readings of a clock, so that 14:12 and “in 18 min” make 14:30; days are midnights.
 */
export function countdown(dueAt: number, now: number, { w, f }: Words, wall: WallOf): string {
  const left = dueAt - now
  if (left <= -MINUTE) return w.alarms.late(f.span(-left))
  if (left <= 0) return w.alarms.dueNow
  if (left < MINUTE) return w.alarms.in(f.span(Math.ceil(left / SECOND) * SECOND))
  if (left < 12 * HOUR) return w.alarms.in(f.span(Math.ceil(left / MINUTE) * MINUTE))
  if (left < 48 * HOUR) return w.alarms.in(w.alarms.hours(Math.floor(left / HOUR)))
  return w.alarms.in(w.alarms.days(wall(dueAt).day - wall(now).day))
}
