import { useStore } from 'zustand'
import { useApp, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { WithCode } from '../parts/said.tsx'
import { rightsAt } from '../../shared/fleet.ts'
import { useMachineTest } from './machine-test.tsx'
import { Shape } from '../icons/shape.tsx'
import { Ticking } from '../time/ticking.tsx'

/** Above what is shown of another machine: since when it does not answer and why, or what it does not do from here. */
export function MachineLine() {
  const { machine, here } = useApp()
  const { w, f } = useWords()
  const t = w.machines
  const { test, run } = useMachineTest(machine ?? '')
  const known = useStore(here.engine, (s) => s.status !== null)
  const view = useStore(here.engine, (s) => s.machines.find(({ name }) => name === machine))
  if (machine === null || !known) return null
  const { state, fleet } = view ?? {}
  if (state?.kind === 'there') {
    const rights = fleet && rightsAt(fleet)
    if (!fleet || !rights || rights.includes('say') || rights.includes('arm')) return null
    const { rights: given, refused } = fleet
    const text = refused?.includes('look')
      ? t.noLooks
      : given?.includes('say') || given?.includes('arm')
        ? t.onlyLooksHub
        : t.onlyLooks
    return (
      <div className="banner plain machine-line" role="status">
        <Shape shape="held" />
        <p className="grow wrap">
          <WithCode text={text(machine)} />
        </p>
      </div>
    )
  }
  if (state?.kind !== 'away')
    return (
      <div className="banner held machine-line" role="status">
        <Shape shape={state ? 'held' : 'gone'} />
        <span className="grow cut">{state ? t.reaching(machine) : t.gone(machine)}</span>
      </div>
    )
  const { since, seen, why, nextTryAt } = state
  const noEngine = why.code === 'machine-no-engine' || why.code === 'machine-engine-ended'
  const kept = why.code === 'fleet-engine-away'
  const { messages, alarms } = fleet?.waits ?? { messages: 0, alarms: 0 }
  return (
    <div className="banner held machine-line" role="status">
      <Shape shape="gone" />
      <p className="grow wrap" title={why.message}>
        <b>{seen ? t.away(machine, f.minuteOfDay(since, here.clock.now())) : t.notYet(machine)}</b>{' '}
        {t.why[why.code] ?? why.message} {kept ? t.keeps : !noEngine && t.goesOn}{' '}
        {messages + alarms > 0 && <b>{t.waits(messages, alarms)}</b>}
        {nextTryAt !== null && <Ticking className="num t3" text={(now) => t.again(f.left(nextTryAt, now))} />}
      </p>
      {noEngine && (
        <Button does="testMachine" small busy={test?.kind === 'running'} title={t.startHint} onClick={() => run(true)}>
          {t.start}
        </Button>
      )}
    </div>
  )
}
