import { useApp, useEngine, useLive, useUi, useWords } from '../app-context.ts'
import { useShellState } from '../control/shell-state.ts'
import { Shape } from '../icons/shape.tsx'
import { Button } from '../parts/button.tsx'
import { CommandLine } from '../parts/copy-line.tsx'
import { NewLink, refusal } from './gate.tsx'
import { Ticking } from '../time/ticking.tsx'
import { shellOpen, shellTakeOver, shellUpdate } from '../control/shell.ts'
import { useState } from 'react'

/** Banners about the whole window: no engine, a config that was refused, everything paused. The worst one only. */
export function Banners() {
  const { actions, retryNow } = useApp()
  const { w, f, s } = useWords()
  const unruled = useEngine((e) => e.status?.policy?.trouble ?? null)
  const link = useEngine((s) => s.link)
  const known = useEngine((s) => s.status !== null)
  const problem = useEngine((s) => s.status?.configProblem ?? null)
  const paused = useEngine((s) => s.status?.paused ?? false)
  if (link.kind === 'stopped') {
    return (
      <div className="banner failed" role="alert">
        <Shape shape="failed" name={w.status.offline} />
        <span className="grow cut">
          <b>{known ? w.banner.stopped(f.minute(link.at)) : w.banner.never}</b>{' '}
          <span className="t2">{w.banner.stoppedText}</span>
        </span>
        <CommandLine text={w.banner.startLine} />
        <Button small tone="primary" onClick={retryNow}>
          {w.banner.tryNow}
        </Button>
      </div>
    )
  }
  if (link.kind === 'lost') {
    return (
      <div className="banner held" role="status">
        <Shape shape="held" name={w.status.lost} />
        <span className="grow cut">
          {w.banner.lost} <Ticking className="num" text={(now) => w.banner.retryIn(f.left(link.retryAt, now))} />{' '}
          {known && <span className="t2">{w.banner.from(f.time(link.at))}</span>}
        </span>
        <Button small onClick={retryNow}>
          {w.banner.now}
        </Button>
      </div>
    )
  }
  if (link.kind === 'refused') {
    const { title, text } = refusal(w.gate, link.token)
    return (
      <div className="banner failed" role="alert">
        <Shape shape="failed" />
        <span className="grow cut">
          <b>{title}.</b> <span className="t2">{text}</span>
        </span>
        <NewLink token={link.token} />
      </div>
    )
  }
  if (unruled) {
    return (
      <div className="banner failed" role="alert">
        <Shape shape="failed" />
        <p className="grow wrap">
          <b>{w.policy.broken}</b> <span className="t2">{s.policyTrouble(unruled)}</span>
        </p>
      </div>
    )
  }
  if (problem !== null) return <ConfigBanner problem={problem} />
  if (paused) {
    return (
      <div className="banner plain" role="status">
        <Shape shape="paused" />
        <span className="grow cut">{w.banner.paused}</span>
        <Button does="resume" small keys="Shift P" onClick={() => void actions.resume(null)}>
          {w.session.resume}
        </Button>
      </div>
    )
  }
  return <ShellBanner />
}

/** A config file that was not taken over: where, why, what runs meanwhile, and the ways out. Shown here only. */
function ConfigBanner({ problem }: { problem: string }) {
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

/** Puts the last config that was right back; the wrong text is kept beside it, and its path is shown. */
function usePutBack(): { undo: () => void; busy: boolean } {
  const { actions } = useApp()
  const [busy, setBusy] = useState(false)
  const undo = async () => {
    setBusy(true)
    await actions.putBackConfig()
    setBusy(false)
  }
  return { undo: () => void undo(), busy }
}

/** The desktop's banners about the whole window: an older engine that could be replaced, a new version. */
function ShellBanner() {
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
