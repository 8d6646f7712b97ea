import { useEffect, useState } from 'react'
import { isUnfinished, keysInTrouble, type SecretPlace, type SecretsView } from '../../../shared/secrets/secrets.ts'
import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { Button } from '../../parts/button.tsx'
import { Said } from '../../parts/said.tsx'
import { Problem } from '../../parts/trouble.tsx'

/** Where Onward keeps the keys of providers, said plainly, and the other place one click away. */
export function KeptKeys() {
  const { actions } = useApp()
  const { w, s } = useWords()
  const live = useLive()
  const revision = useEngine((e) => e.status?.configRevision ?? null)
  const [kept, setKept] = useState<SecretsView | null>(null)
  const [busy, setBusy] = useState<SecretPlace | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const t = w.security
  useEffect(() => {
    if (!live) return undefined
    let over = false
    void actions
      .ask((c) => c.secretsKept.query())
      .then((outcome) => {
        if (over) return
        if (outcome.ok) setKept(outcome.value)
        else setProblem(outcome.problem.message)
      })
    return () => {
      over = true
    }
  }, [actions, live, revision])
  const move = async (to: SecretPlace) => {
    setBusy(to)
    setProblem(null)
    const outcome = await actions.ask((c) => c.moveSecrets.mutate(to))
    const after = outcome.ok ? outcome : await actions.ask((c) => c.secretsKept.query())
    setBusy(null)
    if (after.ok) setKept(after.value)
    if (!outcome.ok) setProblem(outcome.problem.message)
  }
  if (kept === null) return <Problem text={problem} />
  const mend = s.secretsMend(kept)
  const from = { keychain: kept.count.file, file: kept.count.keychain }
  const towards = kept.moving ?? kept.keep ?? 'file'
  // A button that moves keys there does the same.
  const moveOn = isUnfinished(kept) && from[towards] === 0
  return (
    <div>
      <div className="set-row">
        <div>
          <h3>{t.kept}</h3>
          <p className="meta" role="status">
            <Said text={s.secretsKept(kept)} />
          </p>
        </div>
        {(['keychain', 'file'] as const).map(
          (to) =>
            from[to] > 0 && (
              <Button
                key={to}
                tone={to === 'file' ? 'quiet' : undefined}
                busy={busy === to}
                disabled={!live || busy !== null}
                onClick={() => void move(to)}
              >
                {t.move[to](from[to])}
              </Button>
            ),
        )}
        {moveOn && (
          <Button
            tone="quiet"
            busy={busy === towards}
            disabled={!live || busy !== null}
            onClick={() => void move(towards)}
          >
            {t.moveOn}
          </Button>
        )}
      </div>
      {mend !== null && (
        <p className="tool-note">
          <Shape shape={keysInTrouble(kept) === null ? 'held' : 'needs'} />
          <span>
            <Said text={mend} />
          </span>
        </p>
      )}
      <Problem text={problem} />
    </div>
  )
}
