import { useCallback, useEffect, useState } from 'react'
import { useApp, useEngine } from '../app-context.ts'
import type { TurnRecord } from '../../shared/state.ts'

export const mostTurns = 1000

/**
 * The records of turns, newest first: asked for when the view opens or the link is back; those that come meanwhile are
 * put on top.
 */
export function useTurns(): { turns: readonly TurnRecord[] | null; problem: string | null; reload: () => void } {
  const { actions, engine } = useApp()
  const [turns, setTurns] = useState<readonly TurnRecord[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const snapshots = useEngine((s) => s.snapshots)
  const load = useCallback(() => {
    void actions
      .ask((client) => client.turns.query(mostTurns))
      .then((outcome) => {
        // A record that came while the answer was under way may be newer than the answer.
        if (outcome.ok) setTurns(withFresh(outcome.value, engine.getState().freshTurns))
        setProblem(outcome.ok ? null : outcome.problem.message)
      })
  }, [actions, engine])
  // Every link that comes to life begins with a snapshot.
  useEffect(() => {
    if (snapshots > 0 && engine.getState().link.kind === 'live') load()
  }, [snapshots, engine, load])
  useEffect(
    () =>
      engine.subscribe(({ freshTurns }, before) => {
        if (freshTurns !== before.freshTurns) setTurns((known) => known && withFresh(known, freshTurns))
      }),
    [engine],
  )
  return { turns, problem, reload: load }
}

/** Each record once, the newest first; of two with one id the fresh one holds. */
export function withFresh(known: readonly TurnRecord[], fresh: readonly TurnRecord[]): readonly TurnRecord[] {
  const records = new Map([...known, ...fresh].map((turn) => [turn.requestId, turn]))
  return [...records.values()].toSorted((a, b) => b.at - a.at).slice(0, mostTurns)
}
