import { useApp, useEngine, useLive, useUi, useWords } from '../app-context.ts'
import { shellOpen } from '../control/shell.ts'
import { Shape } from '../icons/shape.tsx'
import { Button } from '../parts/button.tsx'
import { usePutBack } from '../settings/config/use-put-back.ts'

/** A config file that was not taken over: where, why, what runs meanwhile, and the ways out. Shown here only. */
export function ConfigBanner({ problem }: { problem: string }) {
  const { navigation } = useApp()
  const { w, s } = useWords()
  const live = useLive()
  const trouble = useEngine((e) => e.status?.configTrouble)
  const inEditor = useUi(({ place }) => place.view === 'settings' && place.page === 'config')
  const { undo, busy } = usePutBack()
  const t = w.config
  const first = trouble?.problems[0]
  const open = () => {
    if (!shellOpen('config')) navigation.go({ view: 'settings', page: 'config' })
  }
  return (
    <div className="banner failed config-banner" role="alert">
      <Shape shape="failed" />
      <p className="grow wrap">
        <b>{t.refused}</b>{' '}
        {first ? (
          <>
            {t.at(first.line, first.column)}
            {first.path !== '' && (
              <>
                {' '}
                <code className="mono">{first.path}</code>
              </>
            )}
            {': '}
            {s.configProblem(first)} {trouble.total > 1 && t.more(trouble.total - 1)}
          </>
        ) : (
          ((trouble && s.configUnread(trouble)) ?? problem)
        )}{' '}
        {trouble && <span className="t2">{s.meanwhile(trouble.meanwhile)}</span>}
      </p>
      {!inEditor && (
        <Button does="configText" small onClick={open}>
          {t.open}
        </Button>
      )}
      {first && (
        <Button
          does="configText"
          small
          onClick={() => navigation.go({ view: 'settings', page: 'config', line: first.line })}
        >
          {t.showLine(first.line)}
        </Button>
      )}
      {trouble?.canPutBack && (
        <Button does="putBackConfig" small icon="undo" busy={busy} disabled={!live} onClick={undo}>
          {t.undoLast}
        </Button>
      )}
    </div>
  )
}
