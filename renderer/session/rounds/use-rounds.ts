import { useEffect, useState } from 'react'
import { useApp, useEngine, useLive } from '../../app-context.ts'
import type { RoundView } from '../../../shared/review.ts'
import type { SessionView } from '../../../shared/state.ts'

export type Loaded =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'there'; rounds: readonly RoundView[] }

/** The rounds of a session, newest first; asked for again when one is added or ends, and after a reconnect. */
export function useRounds(session: SessionView): { loaded: Loaded; again: () => void } {
  const { actions } = useApp()
  const live = useLive()
  const snapshot = useEngine((s) => s.snapshots)
  const { id } = session
  const changed = session.stopMessage?.goal?.roundsAt ?? 0
  const [asked, ask] = useState(0)
  const [kept, keep] = useState<{ id: string; loaded: Loaded }>({ id, loaded: { kind: 'loading' } })
  useEffect(() => {
    if (!live) return
    let here = true
    void actions.rounds(id).then((outcome) => {
      if (!here) return
      // Shown rounds stay where only asking again failed.
      keep((before) =>
        outcome.ok
          ? { id, loaded: { kind: 'there', rounds: outcome.value } }
          : before.id === id && before.loaded.kind === 'there'
            ? before
            : { id, loaded: { kind: 'failed', message: outcome.problem.message } },
      )
    })
    return () => {
      here = false
    }
  }, [actions, id, live, snapshot, changed, asked])
  return { loaded: kept.id === id ? kept.loaded : { kind: 'loading' }, again: () => ask((n) => n + 1) }
}
