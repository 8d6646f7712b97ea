import { useState } from 'react'
import { useWords } from '../app-context.ts'
import { shellTakeOver, shellUpdate } from '../control/shell.ts'
import { useShellState } from '../control/shell-state.ts'
import { Shape } from '../icons/shape.tsx'
import { Button } from '../parts/button.tsx'

/** The desktop's banners about the whole window: an older engine that could be replaced, a new version. */
export function ShellBanner() {
  const { w } = useWords()
  const state = useShellState()
  const [later, setLater] = useState<string | null>(null)
  if (!state) return null
  const t = w.updates
  const { older, update } = state
  if (older && later !== older.engine)
    return (
      <div className="banner plain" role="status">
        <Shape shape="held" />
        <span className="grow cut">
          <b>{t.older(older.engine, older.app)}</b> <span className="t2">{t.olderText}</span>
        </span>
        <Button small tone="primary" onClick={shellTakeOver}>
          {t.takeOver}
        </Button>
        <Button small tone="quiet" onClick={() => setLater(older.engine)}>
          {t.later}
        </Button>
      </div>
    )
  if (update.kind !== 'available' && update.kind !== 'ready') return null
  if (
    (later === update.version && !(update.kind === 'ready' && update.whenIdle)) ||
    (update.kind === 'ready' && update.atQuit)
  )
    return null
  const waits = update.kind === 'ready' && update.whenIdle
  return (
    <div className="banner plain" role="status">
      <Shape shape={update.kind === 'ready' && !waits ? 'done' : 'held'} />
      <span className="grow cut">
        <b>
          {waits
            ? t.whenIdle(update.version)
            : update.kind === 'ready'
              ? t.ready(update.version)
              : t.available(update.version)}
        </b>{' '}
        <span className="t2">{update.notes.split('\n', 1)[0]?.replace(/^[-*#\s]+/, '')}</span>
      </span>
      {update.kind === 'ready' ? (
        <>
          <Button small tone="primary" onClick={() => shellUpdate('restart')}>
            {waits ? t.restartNow : t.restart}
          </Button>
          <Button small onClick={() => shellUpdate(waits ? 'not-when-idle' : 'at-quit')}>
            {waits ? t.notWhenIdle : t.whenQuitting}
          </Button>
        </>
      ) : (
        <Button small tone="primary" onClick={() => shellUpdate('download')}>
          {t.download}
        </Button>
      )}
      {!waits && (
        <Button small tone="quiet" onClick={() => setLater(update.version)}>
          {t.later}
        </Button>
      )}
    </div>
  )
}
