import { useApp, useLive, useWords } from '../../app-context.ts'
import { TwoAnswers } from '../../parts/two-answers.tsx'
import type { SessionView } from '../../../shared/state.ts'

/** A person's possible answers where a goal was set in another conversation of the terminal. */
export function LeftGoalActions({ session, small = false }: { session: SessionView; small?: boolean }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  return (
    <TwoAnswers
      live={live}
      small={small}
      first={{
        does: 'carryOnStopMessage',
        label: w.card.carryOn,
        hint: w.card.carryOnHint,
        onClick: () => void actions.carryOn(session.id),
      }}
      other={{ does: 'clearStopMessage', label: w.card.endGoal, onClick: () => void actions.clear(session.id) }}
    />
  )
}
