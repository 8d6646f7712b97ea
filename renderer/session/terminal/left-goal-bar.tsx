import { excerpt } from '../../../shared/sentences/excerpt.ts'
import { useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import type { SessionView } from '../../../shared/state.ts'
import { LeftGoalActions } from '../goal/left-goal-actions.tsx'

/** Below the terminal in which a person began anew: whether the goal of the conversation before goes on. */
export function LeftGoalBar({ session }: { session: SessionView }) {
  const { w } = useWords()
  const goal = session.leftGoal
  if (!goal || session.say.code !== 'left-goal') return null
  return (
    <aside className="held" aria-label={w.card.leftTitle}>
      <Icon name="goal" />
      <div className="grow">
        <p className="cut">
          <b>{w.card.leftTitle}</b>
        </p>
        <p className="meta cut" title={goal.text}>
          “{excerpt(goal.text, 240)}”
        </p>
      </div>
      <LeftGoalActions session={session} small />
    </aside>
  )
}
