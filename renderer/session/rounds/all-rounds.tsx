import { useApp, useWords } from '../../app-context.ts'
import type { SessionView } from '../../../shared/state.ts'

/** Leads to what was done, found and sent in each round. */
export function AllRounds({ session }: { session: SessionView }) {
  const { navigation } = useApp()
  const { w } = useWords()
  const rounds = session.stopMessage?.used ?? session.lastStopMessage?.used ?? 0
  if (rounds === 0) return null
  return (
    <button
      type="button"
      className="link meta"
      onClick={() => navigation.go({ view: 'sessions', selection: { kind: 'session', id: session.id, tab: 'rounds' } })}
    >
      {w.round.all(rounds)}
    </button>
  )
}
