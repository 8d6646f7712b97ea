import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import type { SessionView } from '../../../shared/state.ts'

/** What a person may answer where a goal was set in another conversation of the terminal. */
export function LeftGoalActions({ session, small = false }: { session: SessionView; small?: boolean }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  return (
    <>
      <Button
        small={small}
        tone={small ? undefined : 'primary'}
        title={w.card.carryOnHint}
        disabled={!live}
        onClick={() => void actions.carryOn(session.id)}
      >
        {w.card.carryOn}
      </Button>
      <Button small={small} tone="quiet" disabled={!live} onClick={() => void actions.clear(session.id)}>
        {w.card.endGoal}
      </Button>
    </>
  )
}
