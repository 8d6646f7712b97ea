import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import type { OutboxEntryView } from '../../../shared/state.ts'

/** What can be done with a text of ours that stands in the agent's input line. */
export function StandingActions({ entry, small = false }: { entry: OutboxEntryView; small?: boolean }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  return (
    <>
      <Button
        small={small}
        tone={small ? undefined : 'primary'}
        title={w.queue.sendItHint}
        disabled={!live}
        onClick={() => void actions.sendEntryNow(entry.id)}
      >
        {w.queue.sendIt}
      </Button>
      <Button
        small={small}
        tone="quiet"
        title={w.queue.takeOutHint}
        disabled={!live}
        onClick={() => void actions.cancelEntry(entry)}
      >
        {w.queue.takeOut}
      </Button>
    </>
  )
}
