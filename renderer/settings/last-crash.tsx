import { useEffect, useState } from 'react'
import { useApp, useLive, useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { Button } from '../parts/button.tsx'
import type { CrashView } from '../../shared/crash.ts'

/** Says that Onward ended by itself, with the report to copy. Nothing while it did not. */
export function LastCrash() {
  const { actions } = useApp()
  const { w, f } = useWords()
  const live = useLive()
  const [crash, setCrash] = useState<CrashView | null>(null)
  const t = w.settings
  useEffect(() => {
    let wanted = true
    if (live)
      void actions
        .ask((client) => client.lastCrash.query())
        // An engine of before does not know of it.
        .then((answer) => wanted && setCrash(answer.ok ? answer.value : null))
    return () => {
      wanted = false
    }
  }, [actions, live])
  if (crash === null) return null
  const forget = async () => {
    if ((await actions.ask((client) => client.forgetCrashes.mutate())).ok) setCrash(null)
  }
  return (
    <section aria-label={t.crashed}>
      <div className="set-row">
        <div>
          <h2 className="hstack">
            <Shape shape="failed" />
            {t.crashed}
          </h2>
          <p className="meta">{t.crashedHint(f.instant(crash.at))}</p>
        </div>
        <Button icon="copy" onClick={() => void actions.copy(crash.report, t.reportCopied)}>
          {t.copyReport}
        </Button>
        <Button tone="quiet" disabled={!live} onClick={() => void forget()}>
          {t.crashedForget}
        </Button>
      </div>
    </section>
  )
}
