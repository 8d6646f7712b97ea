import { useApp, useUi, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { GoalCard } from '../session/goal/goal-card.tsx'
import { SayForm } from '../session/queue/say-form.tsx'
import type { SessionView } from '../../shared/state.ts'

/** Before the first turn: a message to begin with, and a goal to keep going by. `session` has the terminal's id. */
export function FirstMessage({ session }: { session: SessionView }) {
  const { ui } = useApp()
  const { w } = useWords()
  const open = useUi((s) => s.editingGoal === session.id)
  return (
    <aside className="first" aria-label={w.terminal.firstMessage}>
      {(open || session.stopMessage !== null) && <GoalCard session={session} />}
      <div className="first-line">
        <SayForm session={session} placeholder={w.terminal.firstMessage} />
        {!open && session.stopMessage === null && (
          <Button icon="goal" onClick={() => ui.setState({ editingGoal: session.id })}>
            {w.goal.title}
          </Button>
        )}
      </div>
    </aside>
  )
}
