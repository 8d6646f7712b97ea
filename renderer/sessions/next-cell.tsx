import { useWords } from '../app-context.ts'
import { Countdown } from '../alarms/countdown-text.tsx'
import { useAlarmTimes } from '../alarms/use-alarm-times.ts'
import { Icon } from '../icons/icon.tsx'
import { useMinute } from '../time/engine-time.ts'
import type { SessionView } from '../../shared/state.ts'

/** Nothing goes on until an alarm rings. */
export function IdleUntil({ dueAt }: { dueAt: number }) {
  const { w } = useWords()
  const times = useAlarmTimes()
  const now = useMinute()
  return <span title={times.f.instant(dueAt)}>{w.alarms.idleUntil(times.said(dueAt, now))}</span>
}

/** At the side of a session's row: when its next alarm rings. */
export function NextCell({ next }: { next: NonNullable<SessionView['nextAlarm']> }) {
  const { w } = useWords()
  const times = useAlarmTimes()
  const now = useMinute()
  const brief = times.brief(next.dueAt, now)
  return (
    <span className="row-next" title={`${w.alarms.rowNext(times.exact(next.dueAt, now))}\n${next.task}`}>
      <Icon name="alarm" />
      <span className="sr">{w.alarms.next} </span>
      <span className="num">{brief}</span>
      <span className="row-next-in">
        , <Countdown dueAt={next.dueAt} />
      </span>
    </span>
  )
}
