import { useEngine, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Ticking } from '../../time/ticking.tsx'
import type { Words } from '../../i18n/index.ts'
import type { StopMessageView } from '../../../shared/state.ts'
import { guardsOf, type Guard } from '../../../shared/guards.ts'

/**
 * When it stops by itself to ask, how much of that is left, and the costs of agent and reviewer, each on its own
 * account.
 */
export function Guards({ goal }: { goal: StopMessageView }) {
  const words = useWords()
  const { w, s, f } = words
  const budgets = useEngine((s) => s.status?.budgets)
  const since = goal.goal?.from.at ?? goal.armedAt
  // The time that is left ticks by itself, below.
  const guards = guardsOf(goal, budgets, since).toSorted((a, b) => order.indexOf(a.budget) - order.indexOf(b.budget))
  const asks = guards.length > 0 ? w.goal.asks(guards.map((guard) => limitOf(guard, words)).reduce(w.goal.either)) : ''
  const over = goal.status.kind === 'done' || goal.status.kind === 'failed'
  const spent = [
    { by: w.goal.agentSpent, of: goal.goal?.spent },
    { by: w.goal.reviewSpent, of: goal.goal?.reviewSpent },
  ].flatMap(({ by, of }) => (of && of.tokens > 0 ? [{ text: by(s.used(of)), title: s.spent(of) ?? undefined }] : []))
  return (
    <ul className="check-list meta">
      {!over && (
        <li>
          <Icon name="alarm" />
          {asks !== '' && (
            <span className="grow cut" title={asks}>
              {asks}
            </span>
          )}
          <Ticking className="num" title={f.instant(since)} text={(now) => w.goal.sinceArmed(f.span(now - since))} />
        </li>
      )}
      {((!over && guards.length > 0) || spent.length > 0) && (
        <li className="under-icon">
          <ul className="left-of" aria-label={w.goal.left}>
            {!over &&
              guards.map((guard) => (
                <li key={guard.budget} className={`num${nearly(guard) ? ' needs' : ''}`}>
                  <Left guard={guard} since={since} />
                </li>
              ))}
            {spent.map(({ text, title }) => (
              <li key={text} className="num" title={title}>
                {text}
              </li>
            ))}
          </ul>
        </li>
      )}
    </ul>
  )
}

function Left({ guard: { budget, limit, used, atLeast }, since }: { guard: Guard; since: number }) {
  const { w, f } = useWords()
  const left = Math.max(0, limit - (used ?? 0))
  switch (budget) {
    case 'time':
      return (
        <Ticking
          title={f.instant(since + limit * HOUR)}
          text={(now) => w.goal.leftTime(f.left(since + limit * HOUR, now))}
        />
      )
    case 'rounds':
      return w.goal.leftRounds(left)
    case 'no-progress':
      return w.goal.stuckRounds(used ?? 0, limit)
    case 'tokens':
      return w.goal.leftTokens(f.tokens(left))
    case 'cost':
      return w.goal.leftCost(`${atLeast ? '≤ ' : ''}${f.money(left)}`)
  }
}

const HOUR = 3_600_000
/** in the order they are read: the most common first */
const order: readonly Guard['budget'][] = ['time', 'rounds', 'no-progress', 'tokens', 'cost']

/** One round more without progress, and it asks. */
const nearly = ({ budget, limit, used }: Guard): boolean =>
  budget === 'no-progress' && used !== null && used > 0 && used >= limit - 1

function limitOf({ budget, limit }: Guard, { w, f }: Words): string {
  switch (budget) {
    case 'time':
      return w.goal.hours(limit)
    case 'rounds':
      return w.goal.roundsLimit(limit)
    case 'no-progress':
      return w.goal.noProgress(limit)
    case 'tokens':
      return w.goal.tokensLimit(f.tokens(limit))
    case 'cost':
      return f.money(limit)
  }
}
