import { memo } from 'react'
import { useApp, useEngine, useLive, useOfAll, useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { useMinute, useNow } from '../time/engine-time.ts'
import type { Repeat } from '../../shared/alarms/repeat.ts'
import { Countdown } from './countdown-text.tsx'
import type { ShownAlarm } from './items.ts'
import { useAlarmTimes, useAlarmZone } from './use-alarm-times.ts'
import { MachineMark } from '../machines/machine-mark.tsx'
import { Icon } from '../icons/icon.tsx'

export interface RowOrders {
  edit(alarm: ShownAlarm): void
  cancel(alarm: ShownAlarm): void
  snooze(alarm: ShownAlarm): void
  skip(alarm: ShownAlarm): void
}
interface RowProps {
  alarm: ShownAlarm
  active: boolean
  /** within its session: no need to name it */ inSession: boolean
  /** why the last order was refused */ refused: string | null
  orders: RowOrders
}

/** One alarm in one line: how long, when, what, where, whose; and its actions. */
export const AlarmRow = memo(function Row({ alarm, active, inSession, refused, orders }: RowProps) {
  const { w } = useWords()
  const times = useAlarmTimes()
  const now = useMinute()
  const live = useLive()
  const all = useOfAll()
  const due = useRings(alarm)
  const t = w.alarms
  const tab = active ? 0 : -1
  return (
    <>
      <span role="gridcell" className="a-in">
        <State alarm={alarm} />
      </span>
      <time
        role="gridcell"
        className="a-at num strong"
        dateTime={new Date(alarm.dueAt).toISOString()}
        title={times.f.instant(alarm.dueAt)}
      >
        {times.short(alarm.dueAt, now)}
      </time>
      <span
        role="gridcell"
        className={`${alarm.repeat ? 'a-twofold' : 'cut'}${alarm.state.kind === 'delivered' ? ' t3' : ''}`}
        title={alarm.tool === null ? alarm.task : `${alarm.task}\n${t.hint(alarm.tool)}`}
      >
        {alarm.repeat ? <span className="cut">{alarm.task}</span> : alarm.task}
        {alarm.repeat && <RepeatNow repeat={alarm.repeat} />}
      </span>
      {!inSession && (
        <span role="gridcell" className="a-sess-cell cut">
          <SessionOf alarm={alarm} tab={tab} />
          {all && <MachineMark machine={alarm.machine ?? null} />}
        </span>
      )}
      <span role="gridcell" className="a-by-cell">
        <SetBy by={alarm.setBy} />
      </span>
      <span role="gridcell" className="a-act">
        {due && (
          <Button
            does="snoozeAlarm"
            small
            className="a-snooze"
            tabIndex={tab}
            title={t.snoozeHint}
            aria-label={t.snoozeOf(alarm.task)}
            disabled={!live}
            onClick={(event) => {
              event.stopPropagation()
              orders.snooze(alarm)
            }}
          >
            {t.snooze}
          </Button>
        )}
        {alarm.repeat && alarm.state.kind === 'waits' && !due && (
          <Button
            does="skipAlarm"
            small
            className="a-snooze"
            tabIndex={tab}
            title={t.skipHint}
            aria-label={t.skipOf(alarm.task)}
            disabled={!live}
            onClick={(event) => {
              event.stopPropagation()
              orders.skip(alarm)
            }}
          >
            {t.skip}
          </Button>
        )}
        <IconButton
          does="editAlarm"
          icon="edit"
          small
          tabIndex={tab}
          name={t.edit}
          about={alarm.task}
          aria-keyshortcuts="E"
          keys="E"
          disabled={!live || alarm.state.kind === 'under-way'}
          onClick={(event) => {
            event.stopPropagation()
            orders.edit(alarm)
          }}
        />
        <IconButton
          does="cancelAlarm"
          icon="x"
          small
          tabIndex={tab}
          name={alarm.repeat ? t.cancelAll : t.cancel}
          about={alarm.task}
          aria-keyshortcuts="Delete"
          keys="Del"
          disabled={!live}
          onClick={(event) => {
            event.stopPropagation()
            orders.cancel(alarm)
          }}
        />
      </span>
      {refused !== null && (
        <span role="gridcell" className="a-refused">
          <span className="meta failed" role="alert">
            {refused}
          </span>
        </span>
      )}
    </>
  )
})

/** “every day at 9:00, 2 of 30”, quietly after the text */
function RepeatNow({ repeat }: { repeat: Repeat }) {
  const { w, s } = useWords()
  const zone = useAlarmZone() ?? ''
  const facts = { ...repeat, shownIn: zone }
  return (
    <span className="meta t3 cut a-repeat" title={w.alarms.repeats(s.repeat(facts))}>
      {s.repeatNow(facts)}
    </span>
  )
}

/** It rings, or has rung: time to put it off. */
export const useRings = (alarm: ShownAlarm): boolean =>
  useNow((now) => alarm.state.kind === 'delivered' || (alarm.state.kind === 'waits' && now >= alarm.dueAt))

function State({ alarm: { state, dueAt } }: { alarm: ShownAlarm }) {
  const { w } = useWords()
  const times = useAlarmTimes()
  const now = useMinute()
  switch (state.kind) {
    case 'waits':
      return <Countdown dueAt={dueAt} />
    case 'under-way':
      return (
        <span className="a-state" title={w.alarms.underWayBy[state.route]}>
          <Shape shape="held" />
          {w.alarms.underWay}
        </span>
      )
    case 'delivered':
      return (
        <span className="a-state t3" title={w.alarms.deliveredAt(times.exact(state.at, now))}>
          <Shape shape="done" />
          {w.alarms.delivered}
        </span>
      )
  }
}

function SessionOf({ alarm, tab }: { alarm: ShownAlarm; tab: number }) {
  const { navigation } = useApp()
  const { w, s } = useWords()
  const offline = useEngine((state) => state.link.kind === 'stopped')
  const shape = useEngine((state) => (offline ? 'gone' : (state.sessions.get(alarm.sessionId)?.shape ?? 'gone')))
  return (
    <button
      type="button"
      className="a-sess"
      tabIndex={tab}
      title={w.alarms.openSession(alarm.sessionName)}
      onClick={(event) => {
        event.stopPropagation()
        navigation.go({ view: 'sessions', selection: { kind: 'session', id: alarm.sessionId, tab: 'timeline' } })
      }}
    >
      <Shape shape={shape} name={s.shape(shape)} />
      <span className="cut">{alarm.sessionName}</span>
    </button>
  )
}

/** Whose alarm it is: the model's or the person's own. */
function SetBy({ by }: { by: ShownAlarm['setBy'] }) {
  const { w } = useWords()
  return (
    <span className="a-by meta">
      <Icon name={by} />
      {w.alarms.byWord[by]}
    </span>
  )
}
