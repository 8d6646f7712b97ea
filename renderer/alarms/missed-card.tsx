import { useApp, useEngine, useLive, useOfAll, useUi, useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { Button } from '../parts/button.tsx'
import { Offered } from '../parts/offered.tsx'
import { useMinute, useTimeOffset } from '../time/engine-time.ts'
import { Ticking } from '../time/ticking.tsx'
import { MachineMark } from '../machines/machine-mark.tsx'
import type { ShownAlarms } from './all-alarms.ts'
import { AlarmForm } from './alarm-form.tsx'
import { useAlarmTimes, useAlarmZone } from './use-alarm-times.ts'
import { useOrder } from '../parts/use-order.ts'
import { Problem } from '../parts/trouble.tsx'

/** An alarm that was not delivered, why, and what a person can do about it. */
export function MissedCard({ missed }: { missed: ShownAlarms['missed'][number] }) {
  const { actions, ui } = useApp()
  const { w, f, s } = useWords()
  const times = useAlarmTimes()
  const now = useMinute()
  const offset = useTimeOffset()
  const live = useLive()
  const zone = useAlarmZone() ?? ''
  const all = useOfAll()
  const retention = useEngine((s) => s.alarms?.retentionMs ?? 0)
  const rescheduling = useUi(
    ({ alarmForm }) =>
      alarmForm?.kind === 'reschedule' && alarmForm.missed === missed.key && alarmForm.machine === missed.machine,
  )
  const order = useOrder()
  const t = w.alarms
  const settle = (kind: 'deliver' | 'dismiss') =>
    void order.give(() => actions.settleMissed({ missed: missed.key, how: { kind } }))
  return (
    <li className="card m-card">
      <div className="hstack">
        <Shape shape="failed" name={t.missed} />
        <span className="num strong" title={times.f.instant(missed.dueAt)}>
          {times.short(missed.dueAt, now)}
        </span>
        <span className="m-task grow" title={missed.task}>
          {missed.task}
        </span>
      </div>
      <p className="meta">
        <Ticking className="num" text={(at) => t.missedIn(missed.sessionName, f.span(at + offset - missed.dueAt))} />
        {all && <MachineMark machine={missed.machine ?? null} />}
      </p>
      {missed.times !== undefined && missed.repeat && (
        <p className="meta">{t.missedTimes(missed.times, s.repeatNow({ ...missed.repeat, shownIn: zone }))}</p>
      )}
      <p className="meta">{missed.why === 'expired' ? t.why.expired(f.span(retention)) : t.why[missed.why]}</p>
      {rescheduling ? (
        <Reschedule missed={missed} />
      ) : (
        <Offered to="settleMissed">
          <div className="hstack m-acts">
            <Button
              small
              disabled={!live || order.busy}
              aria-label={t.deliverOf(missed.task)}
              onClick={() => settle('deliver')}
            >
              {t.deliver}
            </Button>
            <Button
              small
              tone="quiet"
              disabled={!live}
              aria-label={t.rescheduleOf(missed.task)}
              onClick={() =>
                ui.setState({ alarmForm: { kind: 'reschedule', missed: missed.key, machine: missed.machine } })
              }
            >
              {t.reschedule}
            </Button>
            <Button
              small
              tone="quiet"
              disabled={!live || order.busy}
              aria-label={t.dismissOf(missed.task)}
              onClick={() => settle('dismiss')}
            >
              {t.dismiss}
            </Button>
          </div>
        </Offered>
      )}
      <Problem text={order.refused} />
    </li>
  )
}

function Reschedule({ missed }: { missed: ShownAlarms['missed'][number] }) {
  const { actions, ui } = useApp()
  const { w } = useWords()
  const zone = useEngine((s) => s.alarms?.zone ?? '')
  return (
    <AlarmForm
      name={w.alarms.rescheduleOf(missed.task)}
      when=""
      rings={null}
      zone={zone}
      task={null}
      times="one"
      session={missed.sessionName}
      save={({ dueAt }) =>
        actions.settleMissed({ missed: missed.key, how: { kind: 'reschedule', dueAt: dueAt ?? missed.dueAt } })
      }
      onClose={() => ui.setState({ alarmForm: null })}
    />
  )
}
