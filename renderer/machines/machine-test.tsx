import { useState } from 'react'
import { useApp, useLive, useWords } from '../app-context.ts'
import type { ReachedMachine } from '../../shared/machines.ts'
import type { Outcome } from '../control/outcome.ts'
import { Icon } from '../icons/icon.tsx'
import { Shape } from '../icons/shape.tsx'
import { Button } from '../parts/button.tsx'
import { InstallThere } from './install-there.tsx'

type Test = { kind: 'running' } | { kind: 'done'; outcome: Outcome<ReachedMachine> } | null

/** Reaches a machine once more, and has its engine started where that was asked for. */
export function useMachineTest(machine: string): { test: Test; run(start?: boolean): void } {
  // this engine goes there
  const { actions } = useApp().here
  const [test, setTest] = useState<Test>(null)
  return {
    test,
    run(start = false) {
      setTest({ kind: 'running' })
      void actions
        .ask((c) => c.testMachine.mutate({ machine, start }))
        .then((outcome) => setTest({ kind: 'done', outcome }))
    },
  }
}

/** Shows what a test found; a missing engine or Onward is offered, with what that does. */
export function MachineTest({
  machine,
  test,
  onStart,
}: {
  machine: string
  test: Test
  /** with an engine, where none runs */
  onStart: () => void
}) {
  const { w, f } = useWords()
  const live = useLive()
  const [installs, setInstalls] = useState(false)
  const t = w.machines
  if (test === null) return null
  if (test.kind === 'running')
    return (
      <p className="tool-note" role="status">
        <Shape shape="held" />
        <span>{t.testing}</span>
      </p>
    )
  const { outcome } = test
  if (outcome.ok) {
    const { ms, engine, started, fit } = outcome.value
    const said = [t.reached(ms, engine.version), started ? t.began : '', t.fits[fit] ?? '']
    return (
      <p className="tool-note" role="status">
        <Icon name="check" />
        <span>{said.filter(Boolean).join(' ')}</span>
      </p>
    )
  }
  const { code, message } = outcome.problem
  return (
    <>
      <p className="tool-note failed" role="status" title={message}>
        <Shape shape="failed" />
        <span>{f.list([(code !== null && t.why[code]) || message])}</span>
      </p>
      {code === 'machine-no-engine' && (
        <div className="hstack wrap">
          <Button small tone="primary" disabled={!live} onClick={onStart}>
            {t.start}
          </Button>
          <span className="meta">{t.startHint}</span>
        </div>
      )}
      {code === 'machine-no-onward' && !installs && (
        <div className="hstack wrap">
          <Button small tone="primary" disabled={!live} onClick={() => setInstalls(true)}>
            {t.install}
          </Button>
          <span className="meta">{t.installHint}</span>
        </div>
      )}
      {installs && (
        <InstallThere
          machine={machine}
          onClose={() => setInstalls(false)}
          onDone={() => {
            setInstalls(false)
            onStart()
          }}
        />
      )}
    </>
  )
}
