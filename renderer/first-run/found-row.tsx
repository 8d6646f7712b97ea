import { useState } from 'react'
import { useApp, useLive, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import type { FoundAccess } from '../../shared/setup/first-run.ts'
import type { ModelsOutcome } from './outcome.ts'
import { Problem } from '../parts/trouble.tsx'

/** A sign-in or key of this machine: where it is, what using it means, and what would be written. */
export function FoundRow({ access, onDone }: { access: FoundAccess; onDone: (outcome: ModelsOutcome) => void }) {
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
