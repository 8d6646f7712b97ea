import { useEffect } from 'react'
import { useApp, useEngine, useMay, useUi, useWords } from '../app-context.ts'
import { Mark } from '../icons/icon.tsx'
import { Shape } from '../icons/shape.tsx'
import { Button } from '../parts/button.tsx'
import { home } from '../state/place.ts'
import { AgentsStep } from './agents-step.tsx'
import { DemoStep } from './demo-step.tsx'
import { ModelsStep } from './models-step.tsx'

/** From nothing to a session that is continued. It can be left at any point and is found again as it was. */
export function FirstRunView() {
  const { navigation } = useApp()
  const { w } = useWords()
  const t = w.firstRun
  const address = useEngine((s) => (s.status ? `${s.status.host}:${s.status.port}` : null))
  const maySetUp = useMay('useAccess')
  // Before the engine has said who this is, nothing is asked for that it may refuse.
  const known = useEngine((s) => s.status !== null)
  useFocusedStep()
  return (
    <div className="first-run">
      <header className="first-run-top">
        <span className="hstack">
          <Mark />
          <b>Onward</b>
        </span>
        <span className="grow" />
        <Button tone="quiet" onClick={() => navigation.go(home)}>
          {t.leave}
        </Button>
      </header>
      <main className="first-run-main" data-pane-stop>
        <h1>{t.title}</h1>
        <p className="t2 lead">{maySetUp ? t.lead : w.phone.notHere}</p>
        {known && maySetUp && (
          <>
            <ModelsStep />
            <AgentsStep />
            <DemoStep />
          </>
        )}
      </main>
      <footer className="first-run-foot meta">
        {address !== null && (
          <>
            <Shape shape="working" />
            <span className="num">{t.engineOn(address)}</span>
          </>
        )}
        <span className="grow" />
        <span>{t.foot}</span>
      </footer>
    </div>
  )
}

/** The keyboard follows to the step that opened, and is where a person looks. */
function useFocusedStep(): void {
  const open = useUi((s) => s.firstRun.open)
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body)
      document.querySelector<HTMLElement>('.step.on h2 button')?.focus({ preventScroll: true })
  }, [open])
}
