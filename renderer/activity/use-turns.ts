import { useCallback, useEffect, useMemo, useState } from 'react'
import type { App } from '../app-context.ts'
import type { TurnRecord } from '../../shared/state.ts'

export const mostTurns = 1000

interface Turns {
  /** newest first; null: not here yet */
  turns: readonly TurnRecord[] | null
  problem: string | null
}

/**
 * The records of turns of each engine, in their order: asked for when the view opens or the link is back; those that
 * come meanwhile are put on top.
 */
export function useTurns(apps: readonly App[]): { all: readonly Turns[]; reload: () => void } {
  const [known, setKnown] = useState<ReadonlyMap<App, Turns>>(new Map())
  const load = useCallback((app: App) => {
    void app.actions
      .ask((client) => client.turns.query(mostTurns))
      .then((outcome) =>
        setKnown((all) =>
          new Map(all).set(app, {
            // A record that came while the answer was under way may be newer than the answer.
            turns: outcome.ok
              ? withFresh(outcome.value, app.engine.getState().freshTurns)
              : (all.get(app)?.turns ?? null),
            problem: outcome.ok ? null : outcome.problem.message,
          }),
        ),
      )
  }, [])
  useEffect(() => {
    const ends = apps.map((app) => {
      const { engine } = app
      // Every link that comes to life begins with a snapshot.
      const look = () => {
        const { snapshots, link } = engine.getState()
        if (snapshots > 0 && link.kind === 'live') load(app)
      }
      look()
      return engine.subscribe(({ snapshots, freshTurns }, before) => {
        if (snapshots !== before.snapshots) look()
        if (freshTurns === before.freshTurns) return
        setKnown((all) => {
          const had = all.get(app)
          return had?.turns ? new Map(all).set(app, { ...had, turns: withFresh(had.turns, freshTurns) }) : all
        })
      })
    })
    return () => ends.forEach((end) => end())
  }, [apps, load])
  const all = useMemo(() => apps.map((app) => known.get(app) ?? { turns: null, problem: null }), [apps, known])
  return { all, reload: () => apps.forEach(load) }
}

/** Each record once, the newest first; of two with one id the fresh one holds. */
export function withFresh(known: readonly TurnRecord[], fresh: readonly TurnRecord[]): readonly TurnRecord[] {
  const records = new Map([...known, ...fresh].map((turn) => [turn.requestId, turn]))
  return [...records.values()].toSorted((a, b) => b.at - a.at).slice(0, mostTurns)
}
