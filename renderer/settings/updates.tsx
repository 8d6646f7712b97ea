import { useWords } from '../app-context.ts'
import { shellUpdate } from '../control/shell.ts'
import { useShellState } from '../control/shell-state.ts'
import { Button } from '../parts/button.tsx'
import { CopyLine } from '../parts/copy-line.tsx'
import type { EngineStatus } from '../../shared/state.ts'
import type { NewVersion, UpdateState } from '../../shared/updates.ts'
import { SettingSwitch } from './setting-switch.tsx'

/** New versions: whether there is one, its news, and its progress. */
export function Updates({ on }: { on: EngineStatus['updates'] }) {
  const { w } = useWords()
  const state = useShellState()?.update ?? null
  const t = w.updates
  if (state === null || state.kind === 'by-hand')
    return (
      <section aria-label={t.title}>
        <h2>{t.title}</h2>
        <p className="meta">{state === null ? t.inBrowser : `${t.byHand[state.how]} ${t.byHandHow}`}</p>
        <CopyLine text={t.line} />
      </section>
    )
  const found = foundIn(state)
  return (
    <section aria-label={t.title}>
      <div className="set-row">
        <div>
          <h2>{t.title}</h2>
          <p className="meta">{t.hint}</p>
        </div>
        <Doing state={state} />
      </div>
      <p role="status" className="num">
        <Said state={state} />
      </p>
      {state.kind === 'downloading' && <progress max={100} value={state.percent} aria-label={t.title} />}
      {found && found.notes !== '' && (
        <details>
          <summary>{t.news(found.version)}</summary>
          <p className="wrap" style={{ whiteSpace: 'pre-wrap' }}>
            {found.notes}
          </p>
        </details>
      )}
      {on && (
        <>
          <SettingSwitch name="updates.check" on={on.check}>
            <span>{t.checkAlways}</span>
          </SettingSwitch>
          {on.check && (
            <SettingSwitch name="updates.download" on={on.download}>
              <span>{t.downloadAlways}</span>
            </SettingSwitch>
          )}
        </>
      )}
    </section>
  )
}

function Said({ state }: { state: UpdateState }) {
  const { w, f } = useWords()
  const t = w.updates
  switch (state.kind) {
    case 'idle':
    case 'by-hand':
      return t.idle
    case 'checking':
      return t.checking
    case 'current':
      return t.current(f.instant(state.at))
    case 'available':
      return t.available(state.version)
    case 'downloading':
      return t.downloading(state.version, state.percent)
    case 'ready':
      return state.whenIdle
        ? t.whenIdle(state.version)
        : state.atQuit
          ? t.atQuit(state.version)
          : t.ready(state.version)
    case 'failed':
      return (
        <>
          {t.why[state.why]} {state.detail !== '' && <span className="meta wrap">{state.detail}</span>}
        </>
      )
  }
}

function Doing({ state }: { state: UpdateState }) {
  const { w } = useWords()
  const t = w.updates
  switch (state.kind) {
    case 'available':
      return (
        <Button tone="primary" onClick={() => shellUpdate('download')}>
          {t.download}
        </Button>
      )
    case 'ready':
      return (
        <div className="hstack">
          {state.whenIdle ? (
            <Button onClick={() => shellUpdate('not-when-idle')}>{t.notWhenIdle}</Button>
          ) : (
            <Button onClick={() => shellUpdate(state.atQuit ? 'not-at-quit' : 'at-quit')}>
              {state.atQuit ? t.notWhenQuitting : t.whenQuitting}
            </Button>
          )}
          <Button tone="primary" onClick={() => shellUpdate('restart')}>
            {state.whenIdle ? t.restartNow : t.restart}
          </Button>
        </div>
      )
    case 'failed':
      return <Button onClick={() => shellUpdate(state.found ? 'download' : 'check')}>{t.again}</Button>
    case 'idle':
    case 'by-hand':
    case 'checking':
    case 'downloading':
    case 'current':
      return (
        <Button busy={state.kind === 'checking' || state.kind === 'downloading'} onClick={() => shellUpdate('check')}>
          {state.kind === 'checking' ? t.checking : t.check}
        </Button>
      )
  }
}

function foundIn(state: UpdateState): NewVersion | null {
  if (state.kind === 'failed') return state.found
  return 'notes' in state ? state : null
}
