import { useState } from 'react'
import { useApp, useEngine, useUi, useWords } from '../app-context.ts'
import { SelectField } from '../parts/select-field.tsx'
import { AlarmForm } from './alarm-form.tsx'
import type { SessionView } from '../../shared/state.ts'

/** Sets an alarm. @param session where it rings; null: the person chooses */
export function NewForm({ session, task = '' }: { session: string | null; task?: string }) {
  const { actions, ui } = useApp()
  const { w } = useWords()
  const zone = useEngine((s) => s.alarms?.zone ?? '')
  const sessions = useEngine((s) => s.sessions)
  const last = useUi((s) => (s.lastSelection?.kind === 'session' ? s.lastSelection.id : null))
  // As it was when the form opened: a list that is sorted anew under the pointer picks for itself.
  const [choices] = useState(() => sessionChoices(sessions.values(), session ?? last))
  const [chosen, choose] = useState(session ?? choices[0]?.id ?? null)
  const known = choices.find(({ id }) => id === chosen)
  return (
    <AlarmForm
      name={w.alarms.add}
      does="addAlarm"
      when=""
      rings={null}
      zone={zone}
      task={task}
      session={known ? (sessions.get(known.id)?.name ?? known.name) : null}
      save={async ({ dueAt, task: text, repeat }) => {
        if (known === undefined || dueAt === null)
          return { ok: false, problem: { code: null, message: w.alarms.noSession } }
        const outcome = await actions.addAlarm({ session: known.id, dueAt, task: text, ...(repeat ? { repeat } : {}) })
        if (outcome.ok) ui.setState({ activeAlarm: outcome.value.taskId })
        return outcome
      }}
      onClose={() => ui.setState({ alarmForm: null })}
    >
      {session === null && (
        <SelectField
          label={w.alarms.session}
          value={chosen ?? ''}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {choices.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </AlarmForm>
  )
}

/**
 * Sessions an alarm can be set for: the one a person looks at first, then by activity. One that has ended is offered
 * only when it was meant.
 */
export function sessionChoices(
  sessions: Iterable<SessionView>,
  first: string | null,
): readonly Pick<SessionView, 'id' | 'name'>[] {
  return [...sessions]
    .filter(({ id, shape }) => shape !== 'gone' || id === first)
    .toSorted((a, b) => Number(b.id === first) - Number(a.id === first) || b.lastActivityAt - a.lastActivityAt)
    .map(({ id, name }) => ({ id, name }))
}
