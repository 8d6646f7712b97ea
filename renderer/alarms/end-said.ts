import type { PastAlarm } from '../../shared/alarms/alarms.ts'
import { excerpt } from '../../shared/sentences/excerpt.ts'
import type { Words } from '../i18n/index.ts'
import type { AlarmTimes } from './alarm-times.ts'

/** How an alarm ended, as a sentence. */
export function endSaid(
  { task, sessionName, end, repeat }: Pick<PastAlarm, 'task' | 'sessionName' | 'end' | 'repeat'>,
  { w }: Words,
  times: AlarmTimes,
  now: number,
): string {
  const t = w.alarms.ended
  const what = excerpt(task, 60)
  switch (end.kind) {
    case 'delivered': {
      const said = t[end.route](what, sessionName)
      return end.late ? t.late(said) : said
    }
    case 'cancelled':
      return t.cancelled[end.by](what, sessionName)
    case 'missed':
      return repeat?.passed === undefined
        ? t.missed(what, sessionName)
        : t.missedTimes(what, sessionName, repeat.passed + 1)
    case 'skipped':
      return t.skipped(what, sessionName)
    case 'dismissed':
      return t.dismissed(what, sessionName)
    case 'rescheduled':
      return t.rescheduled(what, sessionName, times.exact(end.to, now))
  }
}
