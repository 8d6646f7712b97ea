import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useApp, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Shape } from '../icons/shape.tsx'
import { useMinute, useTimeOffset } from '../time/engine-time.ts'
import { Ticking } from '../time/ticking.tsx'
import type { ShownAlarms } from './all-alarms.ts'
import { alarmKey } from './items.ts'
import { dayLine, type Pin } from './day-line.ts'
import { useAlarmTimes } from './use-alarm-times.ts'
import { alarmListId } from './use-return-focus.ts'

const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** Today from morning to midnight: waiting, delivered and missed alarms, and the current time. */
export function DayLineView({ alarms }: { alarms: ShownAlarms }) {
  const { ui } = useApp()
  const { w } = useWords()
  const times = useAlarmTimes()
  const offset = useTimeOffset()
  const now = useMinute()
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const { wall } = times
  const line = useMemo(() => dayLine(alarms, { now, wall, width }), [alarms, now, wall, width])
  const [first] = line.hours
  // An alarm that is due already is not the next one.
  const next = alarms.alarms.find(({ state, dueAt }) => state.kind === 'waits' && dueAt > now)?.dueAt ?? null
  const named = line.hours.filter((hour) => hour.named)
  const show = (pin: Pin) => {
    const [alarm] = pin.alarms
    if (pin.kind === 'missed') return ui.setState({ missedOpen: true })
    ui.setState({ activeAlarm: alarm ? alarmKey(alarm) : null })
    document.getElementById(alarmListId)?.focus()
  }
  return (
    <section className="day" aria-label={w.alarms.dayLine(hourText(first?.hour ?? 0))}>
      <div className="day-top">
        <h2>{w.alarms.groups.today}</h2>
        <span className="meta cut num">{w.alarms.dayIn(times.date(now), alarms.zone)}</span>
        <span className="grow" />
        {next !== null && (
          <span className="meta">
            {w.alarms.nextLead}
            <b className="num">
              <Ticking text={(at) => times.countdown(next, at + offset)} />
            </b>
          </span>
        )}
      </div>
      <div className="day-line" ref={box}>
        <span className="past" style={{ width: `${line.now}%` }} />
        {line.hours.slice(1, -1).map(({ hour, place, named: tall }) => (
          <span key={hour} className={tall ? 'h h3' : 'h'} style={{ left: `${place}%` }} />
        ))}
        <span className="now" style={{ left: `${line.now}%` }}>
          <b className="num">{times.f.minute(now)}</b>
        </span>
        {line.pins.map((pin) => (
          <PinMark key={`${pin.kind} ${pin.alarms[0]?.key}`} pin={pin} onShow={() => show(pin)} />
        ))}
      </div>
      <div className="day-ax" aria-hidden="true">
        {named.map(({ hour, place }) => (
          <span key={hour} className="num" style={{ left: `${place}%` }}>
            {hourText(hour)}
          </span>
        ))}
      </div>
    </section>
  )
}

/** Not in the tab order: the list and the missed ones beside it are the keyboard's way to the same. */
function PinMark({ pin, onShow }: { pin: Pin; onShow: () => void }) {
  const { w, f } = useWords()
  const times = useAlarmTimes()
  const { kind, alarms } = pin
  const [first] = alarms
  if (!first) return null
  const lines = alarms
    .slice(0, 8)
    .map(({ dueAt, task, machine }) => [times.f.minute(dueAt), task, machine].filter(Boolean).join(' '))
  const title = [...lines, ...(alarms.length > lines.length ? [w.alarms.more(alarms.length - lines.length)] : [])].join(
    '\n',
  )
  const what =
    alarms.length === 1
      ? `${times.f.minute(first.dueAt)} ${first.task}`
      : f.list([w.alarms.pinCount(alarms.length), times.f.minute(first.dueAt)])
  const name = kind === 'waits' ? what : w.alarms.pin[kind](what)
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`pin is-${kind}`}
      style={{ left: `${pin.place}%` }}
      title={title}
      aria-label={name}
      onClick={onShow}
    >
      {kind === 'delivered' ? (
        <Shape shape="done" />
      ) : kind === 'missed' ? (
        <Shape shape="failed" />
      ) : alarms.length > 1 ? (
        <b className="num">{alarms.length}</b>
      ) : (
        <Icon name={first.setBy} />
      )}
    </button>
  )
}

function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(960)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const watch = new ResizeObserver(() => setWidth(element.clientWidth))
    watch.observe(element)
    return () => watch.disconnect()
  }, [box])
  return width
}
