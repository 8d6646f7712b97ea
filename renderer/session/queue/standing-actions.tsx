import { useApp, useLive, useWords } from '../../app-context.ts'
import { TwoAnswers } from '../../parts/two-answers.tsx'
import type { OutboxEntryView } from '../../../shared/state.ts'

/** The actions on a text of ours that stands in the agent's input line. */
export function StandingActions({ entry, small = false }: { entry: OutboxEntryView; small?: boolean }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  return (
    <TwoAnswers
      live={live}
      small={small}
      first={{
        does: 'sendEntryNow',
        label: w.queue.sendIt,
        hint: w.queue.sendItHint,
        onClick: () => void actions.sendEntryNow(entry.id),
      }}
      other={{
        does: 'cancelEntry',
        label: w.queue.takeOut,
        hint: w.queue.takeOutHint,
        onClick: () => void actions.cancelEntry(entry),
      }}
    />
  )
}
