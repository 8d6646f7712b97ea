import { useMemo } from 'react'
import { useApp, useEngine, useLive, useUi, useWords } from '../app-context.ts'
import { AlarmsList } from '../alarms/alarms-list.tsx'
import { NewForm } from '../alarms/new-form.tsx'
import { useEdited } from '../alarms/edit-form.tsx'
import { shortcuts } from '../keyboard/shortcuts.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import type { SessionView } from '../../shared/state.ts'

/** The alarms of one session, and where it gets another. */
export function AlarmsTab({ session }: { session: SessionView }) {
  const { ui } = useApp()
  const { w } = useWords()
  const t = w.alarms
  const live = useLive()
  const all = useEngine((s) => s.alarms?.alarms)
  const alarms = useMemo(() => all?.filter(({ sessionId }) => sessionId === session.id) ?? [], [all, session.id])
  const setting = useUi(({ alarmForm }) =>
    alarmForm?.kind === 'new' && alarmForm.session === session.id ? alarmForm : null,
  )
  const edited = useEdited()
  const add = () => ui.setState({ alarmForm: { kind: 'new', session: session.id } })
  const button = (
    <Button
      icon="plus"
      tone={alarms.length === 0 ? 'primary' : undefined}
      keys={shortcuts.newAlarm}
      aria-keyshortcuts="A"
      disabled={!live}
      onClick={add}
    >
      {t.addHere}
    </Button>
  )
  const empty = alarms.length === 0 && edited === null
  return (
    <section className="a-tab" aria-label={t.ofSession}>
      {setting ? (
        <div className="a-new">
          <NewForm key={setting.task} session={session.id} task={setting.task} />
        </div>
      ) : (
        !empty && <div className="a-tab-head">{button}</div>
      )}
      {!empty ? (
        <AlarmsList alarms={alarms} filter="all" inSession onNew={add} />
      ) : (
        !setting && (
          <Empty icon="alarm" title={t.tabEmptyTitle} text={t.tabEmptyText}>
            {button}
          </Empty>
        )
      )}
    </section>
  )
}
