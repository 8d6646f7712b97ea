import { useEffect, useMemo, useState } from 'react'
import { useApp, useEngine } from '../app-context.ts'
import type { ControlClient } from '../control/socket.ts'
import { atMostEvery } from './at-most-every.ts'

export interface Ranged<View> {
  /** null: it is not here yet, or could not be had */
  view: View | null
  problem: string | null
  reload(): void
}

export interface RangeQuery<Range, View> {
  /** while turns end one after the other, it is asked for once in this time; milliseconds */
  paceMs: number
  query(client: ControlClient, range: Range): Promise<View>
}

/**
 * The engine's data on a range: asked for when it is chosen, when the link comes to life, and after turns that end. An
 * answer for a range that is no longer shown is dropped; a failure leaves the earlier data of the same range.
 */
export function useRange<Range, View>(range: Range, { paceMs, query }: RangeQuery<Range, View>): Ranged<View> {
  const { actions, engine } = useApp()
  const [known, setKnown] = useState<{ range: Range; view: View | null; problem: string | null } | null>(null)
  const snapshots = useEngine((s) => s.snapshots)
  const fresh = useEngine((s) => s.freshTurns)
  const paced = useMemo(
    () =>
      atMostEvery(paceMs, () => {
        void actions
          .ask((client) => query(client, range))
          .then((outcome) =>
            setKnown((before) =>
              outcome.ok
                ? { range, view: outcome.value, problem: null }
                : { range, view: before?.range === range ? before.view : null, problem: outcome.problem.message },
            ),
          )
      }),
    [actions, range, paceMs, query],
  )
  useEffect(() => () => paced.dispose(), [paced])
  // Every link that comes to life begins with a snapshot.
  useEffect(() => {
    if (snapshots > 0 && engine.getState().link.kind === 'live') paced.ask()
  }, [snapshots, fresh, engine, paced])
  const mine = known?.range === range ? known : null
  return { view: mine?.view ?? null, problem: mine?.problem ?? null, reload: paced.ask }
}
