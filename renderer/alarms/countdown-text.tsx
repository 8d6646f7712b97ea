import { Ticking } from '../time/ticking.tsx'
import { useTimeOffset } from '../time/engine-time.ts'
import { useAlarmTimes } from './use-alarm-times.ts'

/** “in 18 min”, ticking; the exact instant in its title. */
export function Countdown({ dueAt, className }: { dueAt: number; className?: string }) {
  const times = useAlarmTimes()
  const offset = useTimeOffset()
  return (
    <Ticking
      className={['num', className].filter(Boolean).join(' ')}
      title={times.f.instant(dueAt)}
      text={(now) => times.countdown(dueAt, now + offset)}
    />
  )
}
