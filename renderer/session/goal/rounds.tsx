import type { CSSProperties } from 'react'
import { useWords } from '../../app-context.ts'
import type { Words } from '../../i18n/index.ts'
import type { StopMessageView } from '../../../shared/state.ts'
import { ticksOf, withoutProgress, type Tick } from './ticks.ts'

/** Rounds are countable up to here; above that a plain bar (design README). */
const mostTicks = 40
const look: Record<Tick, string | undefined> = { progress: 'u', none: 'n', now: 'c', free: undefined }

export function Rounds({ goal, quiet }: { goal: StopMessageView; quiet: boolean }) {
  const words = useWords()
  const { w, s } = words
  const { used, max, status } = goal
  const said =
    status.kind === 'paused'
      ? s.pause(status.reason)
      : status.kind === 'done'
        ? s.done(status.reason)
        : status.kind === 'failed'
          ? s.fail(status.reason)
          : stuckSaid(goal, words)
  return (
    <>
      <Gauge goal={goal} quiet={quiet} label={w.goal.used(used, max)} words={words} />
      <div className="hstack meta under-bar">
        <span className="num">
          <b>{w.goal.ofRounds(used, max)}</b> {w.goal.rounds}
        </span>
        {said && (
          <span className="grow cut num" style={{ textAlign: 'right' }} title={said}>
            {said}
          </span>
        )}
      </div>
    </>
  )
}

function stuckSaid({ goal }: StopMessageView, { w }: Words): string | null {
  const rounds = withoutProgress(goal?.rounds ?? [])
  const [first, second] = rounds
  if (first === undefined) return null
  if (second === undefined) return w.goal.noProgressOne(first)
  return rounds.length === 2 ? w.goal.noProgressTwo(first, second) : w.goal.noProgressMany(rounds.length)
}

function Gauge({
  goal,
  quiet,
  label,
  words: { w },
}: {
  goal: StopMessageView
  quiet: boolean
  label: string
  words: Words
}) {
  const { used, max } = goal
  const tone = quiet ? ' quiet' : ''
  // Unbounded has no end to be near to, so it has no value either.
  if (max === null) return <div className={`bar open${tone}`} role="img" aria-label={label} />
  const progress = {
    role: 'progressbar',
    'aria-valuemin': 0,
    'aria-valuemax': max,
    'aria-valuenow': used,
    'aria-label': label,
  } as const
  if (max > mostTicks) {
    const fill: CSSProperties & { '--p': number } = { '--p': Math.min(1, used / max) }
    return <div className={`bar${tone}`} style={fill} {...progress} />
  }
  return (
    <div className={`ticks${tone}`} {...progress}>
      {ticksOf(goal).map((tick, i) => (
        <i
          key={i}
          className={look[tick]}
          title={tick === 'none' ? w.goal.madeNoProgress(i + 1) : w.goal.round(i + 1)}
        />
      ))}
    </div>
  )
}
