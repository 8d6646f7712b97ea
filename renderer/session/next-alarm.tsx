import { useApp, useEngine, useLive, useWords } from '../app-context.ts'
import { Countdown } from '../alarms/countdown-text.tsx'
import { EditForm, useEdited } from '../alarms/edit-form.tsx'
import { useAlarmTimes } from '../alarms/use-alarm-times.ts'
import { useOrder } from '../parts/use-order.ts'
import { Icon } from '../icons/icon.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { useMinute } from '../time/engine-time.ts'
import type { SessionView } from '../../shared/state.ts'

/** The next alarm of this session, with what can be done about it; its edit takes its place. */
export function NextAlarm({ session }: { session: SessionView }) {
  const { actions, ui } = useApp()
  const { w, s } = useWords()
  const times = useAlarmTimes()
  const now = useMinute()
  const live = useLive()
  const order = useOrder()
  const edited = useEdited()
  const { nextAlarm: next } = session
  const zone = useEngine((state) => state.alarms?.zone ?? '')
  const alarm = useEngine((s) => s.alarms?.alarms.find(({ taskId }) => taskId === next?.taskId))
  if (edited?.sessionId === session.id)
    return (
      <div className="next-edit">
        <EditForm alarm={edited} />
      </div>
    )
  if (!next) return null
  const t = w.alarms
  return (
    <>
      <section className="next" aria-label={t.next}>
        <Icon name="alarm" />
        <span className="num strong" title={times.f.instant(next.dueAt)}>
          {times.short(next.dueAt, now)}
        </span>
        <span className="cut" title={next.task}>
          “{next.task}”
        </span>
        {next.repeat && <span className="meta t3 cut">{s.repeatNow({ ...next.repeat, shownIn: zone })}</span>}
        {alarm && <span className="meta next-by">{t.setByWhom[alarm.setBy]}</span>}
        <span className="grow" />
        <Countdown dueAt={next.dueAt} className="t2 next-in" />
        <IconButton
          does="editAlarm"
          icon="edit"
          small
          name={t.edit}
          about={next.task}
          disabled={!live || !alarm}
          onClick={() => {
            if (alarm) ui.setState({ alarmForm: { kind: 'edit', alarm } })
          }}
        />
        <Button
          does="snoozeAlarm"
          small
          tone="quiet"
          title={t.snoozeHint}
          disabled={!live}
          aria-keyshortcuts="S"
          onClick={() => void order.give(() => actions.snoozeAlarm(next))}
        >
          {t.snooze}
        </Button>
        <IconButton
          does="cancelAlarm"
          icon="x"
          small
          name={next.repeat ? t.cancelAll : t.cancel}
          about={next.task}
          disabled={!live}
          onClick={() => void order.give(() => actions.cancelAlarms([next]))}
        />
      </section>
      {session.cacheUntil !== undefined && session.cacheUntil < next.dueAt && (
        <p className="meta next-refused">
          {s.cacheUntil(session.cacheUntil, now)}
          {session.keepWarm && <br />}
          {session.keepWarm && s.keepWarm(session.keepWarm, now)}
        </p>
      )}
      {order.refused !== null && (
        <p className="meta failed next-refused" role="alert">
          {order.refused}
        </p>
      )}
    </>
  )
}
