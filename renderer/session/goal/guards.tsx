import { useEngine, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Ticking } from '../../time/ticking.tsx'
import type { Words } from '../../i18n/index.ts'
import type { StopMessageView } from '../../../shared/state.ts'
import { guardsOf, type Guard } from './guards-left.ts'

/** When it stops by itself to ask, what is left of that, and what the reviewer took on its own account. */
export function Guards({ goal }: { goal: StopMessageView }) {
  const words = useWords()
  const { w, f } = words
  const budgets = useEngine((s) => s.status?.budgets)
  const guards = guardsOf(goal, budgets)
  const since = goal.goal?.from.at ?? goal.armedAt
  const asks = guards.length > 0 ? w.goal.asks(guards.map((guard) => limitOf(guard, words)).reduce(w.goal.either)) : ''
  const over = goal.status.kind === 'done' || goal.status.kind === 'failed'
  const reviewer = goal.goal?.reviewSpent
  const spent = reviewer && reviewer.tokens > 0 ? w.goal.spent(f.tokens(reviewer.tokens), reviewer.costUsd === null ? null : f.money(reviewer.costUsd)) : null
  return (
    <ul className="check-list meta">
      {!over && <li><Icon name="alarm" />{asks !== '' && <span className="grow cut" title={asks}>{asks}</span>}<Ticking className="num" title={f.instant(since)} text={(now) => w.goal.sinceArmed(f.span(now - since))} /></li>}
      {((!over && guards.length > 0) || spent !== null) && (
        <li className="under-icon">
          <ul className="left-of" aria-label={w.goal.left}>
            {!over && guards.map((guard) => <li key={guard.kind} className={`num${nearly(guard) ? ' needs' : ''}`}><Left guard={guard} /></li>)}
            {spent !== null && <li className="num">{w.goal.reviewSpent(spent)}</li>}
          </ul>
        </li>
      )}
    </ul>
  )
}

function Left({ guard }: { guard: Guard }) {
  const { w, f } = useWords()
  switch (guard.kind) {
    case 'hours': return <Ticking title={f.instant(guard.until)} text={(now) => w.goal.leftTime(f.span(guard.until - now))} />
    case 'rounds': return w.goal.leftRounds(guard.left)
    case 'no-progress': return w.goal.stuckRounds(guard.stuck, guard.limit)
    case 'tokens': return w.goal.leftTokens(f.tokens(guard.left))
    case 'cost': return w.goal.leftCost(f.money(guard.left))
  }
}

/** One round more without progress, and it asks. */
const nearly = (guard: Guard): boolean => guard.kind === 'no-progress' && guard.stuck > 0 && guard.stuck >= guard.limit - 1

function limitOf(guard: Guard, { w, f }: Words): string {
  switch (guard.kind) {
    case 'hours': return w.goal.hours(guard.limit)
    case 'rounds': return w.goal.roundsLimit(guard.limit)
    case 'no-progress': return w.goal.noProgress(guard.limit)
    case 'tokens': return w.goal.tokensLimit(f.tokens(guard.limit))
    case 'cost': return f.money(guard.limit)
  }
}
