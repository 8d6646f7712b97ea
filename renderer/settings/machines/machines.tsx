import { useState } from 'react'
import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import type { MachineView } from '../../../shared/machines.ts'
import { Icon } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Switch } from '../../parts/switch.tsx'
import { Ticking } from '../../time/ticking.tsx'
import { AddMachine } from './add-machine.tsx'
import { MachineTest, useMachineTest } from '../../machines/machine-test.tsx'

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
