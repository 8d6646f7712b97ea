import { useMemo, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { AppContext, appOf, useApp, useEngine, useUi, useWords } from '../app-context.ts'
import { WhereField } from '../machines/where-field.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { AlarmForm } from './alarm-form.tsx'
import type { SessionView } from '../../shared/state.ts'
import { alarmKey } from './items.ts'

interface NewFormProps {
  /** where it rings; null: the person chooses */
  session: string | null
  task?: string
  /** whose session that is; without one that of the view */
  machine?: string
}

/** Sets an alarm. Where the view is of several machines the person chooses that, too. */
export function NewForm({ session, task = '', machine }: NewFormProps) {
  const app = useApp()
  const machines = useStore(app.here.engine, (s) => s.machines)
  const last = useUi((s) => s.lastSelection)
  const own = useEngine((s) => s.sessions.size > 0)
  const asks = session === null && app.machine === null && machines.length > 0
  const there = (name: string | undefined) => machines.some((one) => one.name === name && one.state.kind === 'there')
  const first = there(last?.machine) ? last?.machine : own ? undefined : machines.find(({ name }) => there(name))?.name
  const [where, choose] = useState(machine ?? (asks ? first : undefined))
  return (
    <AppContext value={appOf(app, { machine: where })}>
      <FormThere session={session} task={task} machine={where}>
        {asks && <WhereField onMachine={(name) => choose(name ?? undefined)} />}
      </FormThere>
    </AppContext>
  )
}

/** In the place of the engine that it is set at; what is typed stays when that is another one. */
function FormThere({ session, task, machine, children }: NewFormProps & { task: string; children: ReactNode }) {
  const { actions, engine, ui } = useApp()
  const { w } = useWords()
  const zone = useEngine((s) => s.alarms?.zone ?? s.status?.zone ?? '')
  const sessions = useEngine((s) => s.sessions)
  const last = useUi((s) => (s.lastSelection?.kind === 'session' ? s.lastSelection.id : null))
  // As it was when the form opened: a list that is sorted anew under the pointer picks for itself.
  const [opened] = useState(session ?? last)
  const choices = useMemo(() => sessionChoices(engine.getState().sessions.values(), opened), [engine, opened])
  const [chosen, choose] = useState<string | null>(null)
  const known = choices.find(({ id }) => id === (chosen ?? session)) ?? (session === null ? choices[0] : undefined)
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
        if (outcome.ok) ui.setState({ activeAlarm: alarmKey({ taskId: outcome.value.taskId, machine }) })
        return outcome
      }}
      onClose={() => ui.setState({ alarmForm: null })}
    >
      {session === null && (
        <div className="vstack">
          {children}
          <SelectField
            label={w.alarms.session}
            value={known?.id ?? ''}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {choices.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
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
