import { useStore } from 'zustand'
import { useApp, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { useMachineTest } from './machine-test.tsx'
import { Shape } from '../icons/shape.tsx'
import { Ticking } from '../time/ticking.tsx'

/** Above what is shown of a machine that does not answer: since when, why, and that nothing there stops. */
export function MachineLine() {
  const { machine, here } = useApp()
  const { w, f } = useWords()
  const t = w.machines
  const { test, run } = useMachineTest(machine ?? '')
  const known = useStore(here.engine, (s) => s.status !== null)
  const state = useStore(here.engine, (s) => s.machines.find(({ name }) => name === machine)?.state)
  if (machine === null || !known || state?.kind === 'there') return null
  if (state?.kind !== 'away')
    return (
      <div className="banner held machine-line" role="status">
        <Shape shape={state ? 'held' : 'gone'} />
        <span className="grow cut">{state ? t.reaching(machine) : t.gone(machine)}</span>
      </div>
    )
  const { since, seen, why, nextTryAt } = state
  const noEngine = why.code === 'machine-no-engine' || why.code === 'machine-engine-ended'
  return (
    <div className="banner held machine-line" role="status">
      <Shape shape="gone" />
      <p className="grow wrap" title={why.message}>
        <b>{seen ? t.away(machine, f.minute(since)) : t.notYet(machine)}</b> {t.why[why.code] ?? why.message}{' '}
        {!noEngine && t.goesOn} <Ticking className="num t3" text={(now) => t.again(f.left(nextTryAt, now))} />
      </p>
      {noEngine && (
        <Button does="testMachine" small busy={test?.kind === 'running'} title={t.startHint} onClick={() => run(true)}>
          {t.start}
        </Button>
      )}
    </div>
  )
}
