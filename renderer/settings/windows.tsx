import { useApp, useLive, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { WithCode } from '../parts/with-code.tsx'

/** Ends the access of every window, this one's too. */
export function Windows() {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const t = w.settings
  return (
    <section aria-label={t.windows}>
      <div className="set-row">
        <div>
          <h2>{t.windows}</h2>
          <p className="meta">
            <WithCode text={t.windowsHint} />
          </p>
        </div>
        <Button disabled={!live} onClick={() => void actions.signOutWindows()}>
          {t.signOut}
        </Button>
      </div>
    </section>
  )
}
