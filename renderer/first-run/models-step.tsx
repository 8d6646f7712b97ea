import { useEffect, useState } from 'react'
import { useApp, useEngine, useLive, useUi, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import type { FoundAccess } from '../../shared/setup/first-run.ts'
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

/** A sign-in or key of this machine: where it is, what using it means, and what would be written. */
function FoundRow({ access, onDone }: { access: FoundAccess; onDone: (outcome: ModelsOutcome) => void }) {
  const { actions } = useApp()
  const { w, s } = useWords()
  const t = w.firstRun.models
  const live = useLive()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const take = async () => {
    setBusy(true)
    setProblem(null)
    const added = await actions.ask((c) => c.useAccess.mutate(access.id))
    if (!added.ok) {
      setBusy(false)
      return setProblem(added.problem.message)
    }
    // A login is the agent's own: only a call of the agent shows whether it is taken.
    if (access.use.how === 'login') return onDone({ kind: 'login', provider: added.value })
    const tried = await actions.ask((c) => c.tryProvider.mutate(added.value))
    setBusy(false)
    if (!tried.ok) return setProblem(tried.problem.message)
    if (tried.value.test.kind === 'failed')
      return setProblem(t.noAnswer(added.value, s.notAnswered({ provider: added.value, test: tried.value.test })))
    onDone({ kind: 'tried', provider: added.value, trial: tried.value })
  }
  return (
    <li>
      <div className="found-line">
        <b className="cut">{access.name}</b>
        <code className="meta mono cut" title={access.where}>
          {access.where}
        </code>
        <span className="grow" />
        {access.added !== null ? (
          <span className="meta">{t.inUse(access.added)}</span>
        ) : (
          access.use.how !== 'none' && (
            <Button
              busy={busy}
              disabled={!live}
              aria-label={t.useNamed(access.name, access.where)}
              onClick={() => void take()}
            >
              {t.use}
            </Button>
          )
        )}
      </div>
      <div className="found-why">
        <p className="meta">{t.how(access.use)}</p>
        {access.writes !== null && access.added === null && (
          <details className="meta">
            <summary>{t.writes}</summary>
            <pre className="mono writes" tabIndex={0}>
              {access.writes}
            </pre>
          </details>
        )}
      </div>
      <Problem text={problem} />
    </li>
  )
}
