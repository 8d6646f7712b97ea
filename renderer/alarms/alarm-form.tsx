import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useLive, useWords, useApp, useEngine } from '../app-context.ts'
import type { RepeatRequest } from '../../shared/alarms/repeat.ts'
import type { Outcome } from '../control/outcome.ts'
import { Button } from '../parts/button.tsx'
import { AreaField, TextField } from '../parts/field.tsx'
import { useOrder } from '../parts/use-order.ts'
import { useReturnFocus } from './use-return-focus.ts'
import { Problem } from '../parts/trouble.tsx'
import { Icon } from '../icons/icon.tsx'
import { Shape } from '../icons/shape.tsx'
import { useMinute } from '../time/engine-time.ts'
import { useTypedTimes } from './use-alarm-times.ts'
import { whenReader, type WhenRead, type WhenReader } from './when-reader.ts'

/** The person's changes; null: it stays as it is. */
export interface AlarmRequest {
  dueAt: number | null
  /** it comes again, from `dueAt` on */
  repeat?: RepeatRequest
  task: string
}

interface AlarmFormProps {
  name: string
  /** the first text of When; it means `rings` until it is edited. `rings` null: a time has to be written */
  when: string
  rings: number | null
  zone: string
  /** null: it can't be changed here */
  task: string | null
  /** name of the session it rings in; null: not chosen yet */
  session: string | null
  /** how many times are wanted: any, one of a repeated alarm or all of it, or just one */
  /** what saving asks for */
  does?: 'addAlarm' | 'editAlarm'
  times?: 'any' | 'one-or-all' | 'one'
  /** a field more, at the end */
  children?: ReactNode
  /** what happened to it meanwhile */
  note?: string | null
  save(request: AlarmRequest): Promise<Outcome<unknown>>
  onClose(): void
}

/** Sets an alarm or changes one, in place. Enter saves, Esc leaves; the engine's refusals are shown below. */
export function AlarmForm({
  name,
  when: initial,
  rings,
  zone,
  task: begins,
  session,
  times = 'any',
  does = 'editAlarm',
  children,
  note,
  save,
  onClose,
}: AlarmFormProps) {
  const { w } = useWords()
  const t = w.alarms
  const live = useLive(does)
  const when = useWhen(initial)
  const [task, setTask] = useState(begins ?? '')
  const order = useOrder()
  const first = useRef<HTMLInputElement>(null)
  /** Enter came before the reading */
  const wanted = useRef(false)
  useEffect(() => {
    first.current?.select()
  }, [])
  useReturnFocus()
  const unchanged = when.untouched && rings !== null
  const read = when.read?.result.ok && !when.reading ? when.read.result : null
  const repeat = read?.repeat?.wish
  const at = read && !(repeat && times === 'one') ? read.at : null
  const ready =
    live && !order.busy && session !== null && (begins === null || task.trim() !== '') && (unchanged || at !== null)
  const submit = async () => {
    wanted.current = false
    const saved = await order.give(() => save({ dueAt: at, task: task.trim(), ...(repeat ? { repeat } : {}) }))
    if (saved.ok) onClose()
  }
  useEffect(() => {
    if (when.reading || !wanted.current) return
    wanted.current = false
    if (ready) void submit()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onClose()
    else if (
      event.key === 'Enter' &&
      !event.shiftKey &&
      event.target instanceof HTMLElement &&
      event.target.matches('input, textarea')
    ) {
      if (ready) void submit()
      else wanted.current = when.reading
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const type = (text: string) => {
    wanted.current = false
    when.type(text)
  }
  // A time that is being written is not wrong yet; one that is over is.
  const wrong = !when.reading && when.read !== null && !when.read.result.ok && when.read.result.code === 'past'
  return (
    <form
      className="a-edit"
      aria-label={name}
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) void submit()
      }}
      onKeyDown={onKeyDown}
    >
      <div className={`a-edit-grid${children ? ' three' : begins === null ? ' one' : ''}`}>
        <TextField
          ref={first}
          label={t.when}
          placeholder={t.exampleToday}
          maxLength={500}
          value={when.text}
          disabled={!live}
          aria-invalid={wrong || undefined}
          onChange={(event) => type(event.currentTarget.value)}
        />
        {begins !== null && (
          <AreaField
            label={t.task}
            placeholder={t.taskPlaceholder}
            maxLength={4_000}
            value={task}
            disabled={!live}
            onChange={(event) => setTask(event.currentTarget.value)}
          />
        )}
        {children}
      </div>
      <div className="a-edit-foot">
        <WhenEcho when={when} zone={zone} session={session} was={rings} rings={rings} times={times} />
        <Button tone="quiet" keys="Esc" onClick={onClose}>
          {t.close}
        </Button>
        <Button type="submit" tone="primary" busy={order.busy} disabled={!ready}>
          {t.save}
        </Button>
      </div>
      {note && (
        <p className="meta needs" role="status">
          {note}
        </p>
      )}
      <Problem text={order.refused} />
    </form>
  )
}

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
function WhenEcho({ when, zone, session, was, rings, times: wanted }: EchoProps) {
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

interface When {
  text: string
  /** as it was before any edit: then it means what it meant */
  untouched: boolean
  /** the last reading; of an older text while `reading` */
  read: WhenRead | null
  reading: boolean
  type(text: string): void
}

/** A time as a person writes it, read live by the engine. */
function useWhen(begins: string): When {
  const app = useApp()
  // One that is away and whose alarms wait at the hub reads nothing: this one does, in the same zone of the page.
  const kept = useEngine(({ link }) => link.kind === 'stopped' && link.kept === true)
  const { actions } = kept ? app.here : app
  // The first text stays as it was: “14:45” must not become another text at midnight.
  const [initial] = useState(begins)
  const [text, setText] = useState(initial)
  const latest = useRef(initial)
  const [read, setRead] = useState<WhenRead | null>(null)
  const reader = useRef<WhenReader | null>(null)
  useEffect(() => {
    const made = whenReader({
      ask: actions.readTime,
      after(ms, run) {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
      onRead: setRead,
    })
    reader.current = made
    // Another engine may read it otherwise.
    if (latest.current !== initial) made.read(latest.current)
    return () => made.dispose()
  }, [actions, initial])
  const untouched = text === initial
  const live = useLive()
  const wasLive = useRef(live)
  useEffect(() => {
    const back = live && !wasLive.current
    wasLive.current = live
    // A text that could not be read while the engine was away is read when it is back.
    if (back && read !== null && !read.result.ok && read.result.code === 'failed') reader.current?.read(read.text)
  }, [live, read])
  return {
    text,
    untouched,
    read: untouched ? null : read,
    reading: !untouched && read?.text !== text,
    type: (next) => {
      setText(next)
      latest.current = next
      reader.current?.read(next)
    },
  }
}
