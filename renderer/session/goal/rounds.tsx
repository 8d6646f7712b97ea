import type { CSSProperties } from 'react'
import { useWords } from '../../app-context.ts'
import type { StopMessageView } from '../../../shared/state.ts'

/** Rounds are countable up to here; above that a plain bar (design README). */
const mostTicks = 40

export function Rounds({ goal, quiet }: { goal: StopMessageView; quiet: boolean }) {
  const { w, s } = useWords()
  const { used, max, status } = goal
  const running = status.kind === 'injecting' || status.kind === 'reviewing'
  const said = status.kind === 'paused' ? s.pause(status.reason) : status.kind === 'done' ? s.done(status.reason) : status.kind === 'failed' ? s.fail(status.reason) : null
  return (
    <>
      <Gauge used={used} max={max} running={running} quiet={quiet} label={w.goal.used(used, max)} round={w.goal.round} />
      <div className="hstack meta under-bar"><span className="num"><b>{w.goal.ofRounds(used, max)}</b> {w.goal.rounds}</span>{said && <span className="grow cut" style={{ textAlign: 'right' }} title={said}>{said}</span>}</div>
    </>
  )
}

function Gauge({ used, max, running, quiet, label, round }: { used: number; max: number | null; running: boolean; quiet: boolean; label: string; round: (n: number) => string }) {
  const look = quiet ? ' quiet' : ''
  // Unbounded has no end to be near to, so it has no value either.
  if (max === null) return <div className={`bar open${look}`} role="img" aria-label={label} />
  const progress = { role: 'progressbar', 'aria-valuemin': 0, 'aria-valuemax': max, 'aria-valuenow': used, 'aria-label': label } as const
  if (max > mostTicks) {
    const fill: CSSProperties & { '--p': number } = { '--p': Math.min(1, used / max) }
    return <div className={`bar${look}`} style={fill} {...progress} />
  }
  return <div className={`ticks${look}`} {...progress}>{Array.from({ length: max }, (_, i) => <i key={i} className={i < used ? 'u' : i === used && running ? 'c' : undefined} title={round(i + 1)} />)}</div>
}
