import { useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Shape } from '../icons/shape.tsx'
import { useMinute } from '../time/engine-time.ts'
import { useAlarmTimes } from './use-alarm-times.ts'
import type { When } from './use-when.ts'

interface EchoProps {
  when: When
  zone: string
  /** where it rings; null: not chosen yet */ session: string | null
  /** what it was before; null: it is new */ was: number | null
  /** when it rings as long as nobody types */ rings: number | null
}

/** What was understood: the exact instant, or why there is none. */
export function WhenEcho({ when, zone, session, was, rings }: EchoProps) {
  const { w } = useWords()
  const times = useAlarmTimes()
  const now = useMinute()
  const t = w.alarms
  const result = when.read?.result
  const at = when.untouched ? rings : result?.ok ? result.at : null
  const stale = when.reading ? ' t3' : ''
  if (at !== null) {
    return (
      <p className={`echo${stale}`} role="status" aria-busy={when.reading}>
        <Icon name="check" />
        <span>
          {t.ringsLead}
          <b className="num">{times.exact(at, now)}</b>
          {session === null ? t.ringsZone(zone) : t.ringsTail(zone, session)}
          {was !== null && was !== at && <span className="t3 num"> {t.was(times.short(was, now))}</span>}
        </span>
      </p>
    )
  }
  if (result === undefined || result.ok || result.code === 'empty')
    return (
      <p className={`echo meta${stale}`} role="status">
        <span>{when.reading && when.text.trim() !== '' ? t.reading : t.whenHint}</span>
      </p>
    )
  const said =
    result.code === 'failed'
      ? result.message
      : result.code === 'unread'
        ? t.unread
        : result.at === null
          ? t.pastUnknown
          : t.past(times.exact(result.at, now))
  return (
    <p className={`echo${stale}`} role="status" aria-busy={when.reading}>
      <Shape shape="needs" />
      <span>{said}</span>
    </p>
  )
}
