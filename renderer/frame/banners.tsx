import { useApp, useEngine, useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import { Button } from '../parts/button.tsx'
import { CommandLine } from '../parts/copy-line.tsx'
import { ConfigBanner } from './config-banner.tsx'
import { NewLink, refusal } from './gate.tsx'
import { ShellBanner } from './shell-banner.tsx'
import { Ticking } from '../time/ticking.tsx'

/** Banners about the whole window: no engine, a config that was refused, everything paused. The worst one only. */
export function Banners() {
  const { actions, retryNow } = useApp()
  const { w, f } = useWords()
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
