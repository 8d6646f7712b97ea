import { useEffect, useState } from 'react'
import { useApp, useEngine, useLive, useUi, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import type { FoundAccess } from '../../shared/setup/first-run.ts'
import { FoundRow } from './found-row.tsx'
import { KeyForm } from './key-form.tsx'
import { modelsSaid, type ModelsOutcome } from './outcome.ts'
import { Step } from './step.tsx'
import { Problem } from '../parts/trouble.tsx'

/** How models are reached: by access found on this machine, a key, or the simulator. */
export function ModelsStep() {
  const { ui } = useApp()
  const words = useWords()
  const t = words.w.firstRun.models
  const outcome = useUi((s) => s.firstRun.models)
  const status = useEngine((s) => s.status)
  const finish = (models: ModelsOutcome) =>
    ui.setState((s) => ({ firstRun: { ...s.firstRun, models, open: 'agents' } }))
  const configured =
    status && !status.simulator ? t.configured(words.f.list(status.providers.map(({ id }) => id))) : null
  return (
    <Step name="models" n={1} title={t.name} hint={t.hint} done={outcome ? modelsSaid(outcome, words) : configured}>
      <FoundList onDone={finish} />
      <h3>{t.orKey}</h3>
      <KeyForm onDone={finish} />
      <div className="hstack step-act">
        <Button onClick={() => finish({ kind: 'simulator' })}>{t.simulator}</Button>
        <span className="meta">{t.simulatorNote}</span>
      </div>
    </Step>
  )
}

function FoundList({ onDone }: { onDone: (outcome: ModelsOutcome) => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const t = w.firstRun.models
  const live = useLive()
  const [found, setFound] = useState<readonly FoundAccess[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    if (!live) return
    let here = true
    void actions
      .ask((c) => c.foundAccess.query())
      .then((outcome) => {
        if (!here) return
        setFound(outcome.ok ? outcome.value : [])
        setProblem(outcome.ok ? null : outcome.problem.message)
      })
    return () => {
      here = false
    }
  }, [actions, live])
  return (
    <>
      <h3>{t.found}</h3>
      {found === null && (
        <div className="late vstack" role="status" aria-label={t.looking}>
          <Skeleton width="60%" />
          <Skeleton width="50%" />
        </div>
      )}
      {found && found.length > 0 && (
        <ul className="found" aria-label={t.found}>
          {found.map((access) => (
            <FoundRow key={access.id} access={access} onDone={onDone} />
          ))}
        </ul>
      )}
      {found?.length === 0 && <p className="meta">{t.none}</p>}
      <Problem text={problem} />
    </>
  )
}
