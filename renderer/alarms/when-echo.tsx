import { useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Shape } from '../icons/shape.tsx'
import { useMinute } from '../time/engine-time.ts'
import { useTypedTimes } from './use-alarm-times.ts'
import type { When } from './use-when.ts'

interface EchoProps {
  when: When
  zone: string
  /** where it rings; null: not chosen yet */ session: string | null
  /** what it was before; null: it is new */ was: number | null
  /** when it rings until its time is edited */ rings: number | null
  /** what may be said here */ times: 'any' | 'one-or-all' | 'one'
}

/** “2026-11-27 17:00” of an ISO instant: as the clock there shows it, whatever the zone of this browser. */
const placeTime = (echo: string): string => echo.slice(0, 16).replace('T', ' ')

/** The reading of a time: the exact instant, or why there is none. */
export function WhenEcho({ when, zone, session, was, rings, times: wanted }: EchoProps) {
  const { w, s } = useWords()
  const times = useTypedTimes()
  const now = useMinute()
  const t = w.alarms
  const result = when.read?.result
  const at = when.untouched ? rings : result?.ok ? result.at : null
  const repeat = when.untouched || !result?.ok ? undefined : result.repeat
  const there = when.untouched || !result?.ok ? null : result.there
  const stale = when.reading ? ' t3' : ''
  if (repeat && wanted === 'one')
    return (
      <p className={`echo${stale}`} role="status" aria-busy={when.reading}>
        <Shape shape="needs" />
        <span>{t.oneWanted}</span>
      </p>
    )
  if (at !== null) {
    return (
      <p className={`echo${stale}`} role="status" aria-busy={when.reading}>
        <Icon name="check" />
        <span>
          {t.ringsLead}
          <b className="num">{times.exact(at, now)}</b>
          {session === null ? t.ringsZone(zone) : t.ringsTail(zone, session)}
          {there !== null && <span className="t2 num"> {t.there(placeTime(there.echo), there.zone)}</span>}
          {repeat && (
            <span>
              {' '}
              {t.repeats(s.repeat({ ...repeat.wish, shownIn: zone }))}
              {repeat.endedByDefault && <span className="t2"> {t.endedByDefault}</span>}
            </span>
          )}
          {wanted === 'one-or-all' && !when.untouched && <span className="t2"> {repeat ? t.allMove : t.oneMoves}</span>}
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
        ? t.unread[result.why](result.part)
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
