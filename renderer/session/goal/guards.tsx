import { useEngine, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Ticking } from '../../time/ticking.tsx'
import type { StopMessageView } from '../../../shared/state.ts'

/** When it stops by itself to ask, and what stands in for the reviewer. */
export function Guards({ goal }: { goal: StopMessageView }) {
  const { w, f } = useWords()
  const budgets = useEngine((s) => s.status?.budgets)
  const limits = [
    budgets?.hours ? w.goal.hours(budgets.hours) : '',
    // Rounds a person wrote down are not clamped; only an unbounded goal asks after a number of them.
    goal.max === null && budgets?.rounds ? w.goal.roundsLimit(budgets.rounds) : '',
    budgets?.noProgressRounds ? w.goal.noProgress(budgets.noProgressRounds) : '',
  ].filter(Boolean)
  const asks = limits.length > 0 ? w.goal.asks(limits.join(w.goal.or)) : ''
  return (
    <ul className="check-list meta">
      {goal.review && <li><Icon name="reviewer" /><span className="grow cut" title={w.goal.reviewPending}>{w.goal.reviewPending}</span></li>}
      <li><Icon name="alarm" /><span className="grow cut" title={asks}>{asks}</span><Ticking className="num" title={f.instant(goal.armedAt)} text={(now) => w.goal.sinceArmed(f.span(now - goal.armedAt))} /></li>
    </ul>
  )
}
