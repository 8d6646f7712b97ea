import { useState, type FormEvent } from 'react'
import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import type { MachineView } from '../../../shared/machines.ts'
import { Icon } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Switch } from '../../parts/switch.tsx'
import { Ticking } from '../../time/ticking.tsx'
import { MachineTest, useMachineTest } from '../../machines/machine-test.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'

/** Other machines: what each is like now, and whether its notifications come here. */
export function Machines() {
  const { w } = useWords()
  const live = useLive()
  // engines of a fleet are not added here
  const machines = useEngine((s) => s.machines).filter(({ fleet }) => !fleet)
  const [adding, setAdding] = useState(false)
  const t = w.machines
  return (
    <section aria-label={t.title}>
      <div className="set-row">
        <div>
          <h2>{t.title}</h2>
          <p className="meta">{t.hint}</p>
        </div>
        <Button icon="plus" disabled={!live} onClick={() => setAdding(true)}>
          {t.add}
        </Button>
      </div>
      {machines.length === 0 ? (
        <p className="meta">{t.none}</p>
      ) : (
        <ul className="outside-places" aria-label={t.title}>
          {machines.map((machine) => (
            <Row key={machine.name} machine={machine} />
          ))}
        </ul>
      )}
      {adding && <AddMachine onClose={() => setAdding(false)} />}
    </section>
  )
}

function Row({ machine: { name, target, state, quiet } }: { machine: MachineView }) {
  const { actions } = useApp()
  const { w, f } = useWords()
  const live = useLive()
  const { test, run } = useMachineTest(name)
  const t = w.machines
  const failed = state.kind === 'away'
  return (
    <li className="outside-place machine" aria-label={name}>
      <div className="hstack">
        <Icon name="server" />
        <b className="cut">{name}</b>
        <span className="meta cut">{target}</span>
        <span className="grow" />
        <Button
          small
          disabled={!live}
          busy={test?.kind === 'running'}
          aria-label={t.testOf(name)}
          onClick={() => run()}
        >
          {t.test}
        </Button>
        <IconButton
          icon="x"
          small
          name={t.remove(name)}
          disabled={!live}
          onClick={() => void actions.perform('removeMachine', name, () => t.removed(name))}
        />
      </div>
      <p className="tool-note">
        <Shape shape={failed ? 'gone' : state.kind === 'there' ? 'done' : 'held'} />
        {failed ? (
          <span title={state.why.message}>
            {state.seen ? t.away(name, f.minute(state.since)) : t.notYet(name)}{' '}
            {t.why[state.why.code] ?? state.why.message}{' '}
            <Ticking className="num" text={(now) => t.again(f.left(state.nextTryAt ?? now, now))} />
          </span>
        ) : (
          <span>{state.kind === 'there' ? t.there(state.version) : t.connecting}</span>
        )}
      </p>
      <MachineTest machine={name} test={test} onStart={() => run(true)} />
      <Switch
        checked={!quiet}
        disabled={!live}
        onChange={(tells) => void actions.perform('setMachineQuiet', { machine: name, quiet: !tells }, () => null)}
      >
        {t.tells}
      </Switch>
    </li>
  )
}

type Field = 'name' | 'target' | 'program'
const fieldOf: Readonly<Record<string, Field>> = {
  'machine-name': 'name',
  'machine-exists': 'name',
  'machine-target': 'target',
  'machine-program': 'program',
}

/** As `onward remote add`: keeps it under a name, and tries whether it answers. It stays added when it does not. */
function AddMachine({ onClose }: { onClose: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const [form, setForm] = useState({ name: '', target: '', program: '' })
  const [problem, setProblem] = useState<{ field: Field; message: string } | null>(null)
  const [added, setAdded] = useState(false)
  const name = form.name.trim()
  const { test, run } = useMachineTest(name)
  const t = w.machines
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const target = form.target.trim() || name
    const program = form.program.trim() || null
    const outcome = await actions.ask((c) => c.addMachine.mutate({ name, target, program }))
    if (outcome.ok) {
      setAdded(true)
      run()
    } else {
      const { code, message } = outcome.problem
      setProblem({ field: (code !== null && fieldOf[code]) || 'name', message })
    }
  }
  const field = (member: Field, label: string, hint: string, placeholder?: string) => (
    <TextField
      label={label}
      hint={hint}
      placeholder={placeholder}
      boxClass={member === 'name' ? undefined : 'mono'}
      disabled={added}
      data-autofocus={member === 'name' || undefined}
      value={form[member]}
      problem={problem?.field === member ? problem.message : null}
      onChange={(e) => {
        const { value } = e.currentTarget
        setForm((all) => ({ ...all, [member]: value }))
        setProblem(null)
      }}
    />
  )
  return (
    <Dialog title={t.add} onClose={onClose}>
      <form className="dialog-form" noValidate onSubmit={(e) => void submit(e)}>
        {field('name', t.name, t.nameHint)}
        {field('target', t.target, t.targetHint, name || t.same)}
        {field('program', t.program, t.programHint, '~/.local/bin/onward')}
        {test === null ? (
          <p className="meta">{t.nothingDone}</p>
        ) : (
          <MachineTest machine={name} test={test} onStart={() => run(true)} />
        )}
        <div className="dialog-foot">
          {added ? (
            <Button
              tone={test?.kind === 'done' && test.outcome.ok ? 'primary' : undefined}
              data-autofocus
              onClick={onClose}
            >
              {w.phone.done}
            </Button>
          ) : (
            <Button type="submit" tone="primary" disabled={!live || name === ''}>
              {t.addAndTry}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
