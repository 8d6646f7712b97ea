import type { Figures } from '../../shared/sentences/figures.ts'
import type { Words } from '../i18n/index.ts'

const MINUTE = 60_000

/** How long until an alarm, and how late it is. @param f figures in the zone of the alarms */
export function countdown(dueAt: number, now: number, { w }: Words, f: Figures): string {
  const left = dueAt - now
  if (left <= -MINUTE) return w.alarms.late(f.span(-left))
  return left <= 0 ? w.alarms.dueNow : w.alarms.in(f.left(dueAt, now))
}
