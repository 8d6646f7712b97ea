import { useState, type FormEvent } from 'react'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { MachineTest, useMachineTest } from '../../machines/machine-test.tsx'

type Field = 'name' | 'target' | 'program'
const fieldOf: Readonly<Record<string, Field>> = {
  'machine-name': 'name',
  'machine-exists': 'name',
  'machine-target': 'target',
  'machine-program': 'program',
}

/** As `onward remote add`: keeps it under a name, and tries whether it answers. It stays added when it does not. */
export function AddMachine({ onClose }: { onClose: () => void }) {
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
