import { useCallback, useEffect, useMemo, useState } from 'react'
import type { App } from '../app-context.ts'
import type { ControlClient } from '../control/socket.ts'
import { atMostEvery } from './at-most-every.ts'

export interface Ranged<View> {
  /** null: it is not here yet, or could not be had */
  view: View | null
  problem: string | null
}

export interface RangeQuery<Range, View> {
  /** while turns end one after the other, it is asked for once in this time; milliseconds */
  paceMs: number
  query(client: ControlClient, range: Range): Promise<View>
}

interface Known<Range, View> {
  range: Range
  view: View | null
  problem: string | null
}

/**
 * The data of each engine on a range, in their order: asked for when it is chosen, when the link comes to life, and
 * after turns that end there. An answer for a range that is no longer shown is dropped; a failure leaves the earlier
 * data of the same range, and so does an engine that goes away.
 */
export function useRanges<Range, View>(
  apps: readonly App[],
  range: Range,
  { paceMs, query }: RangeQuery<Range, View>,
): { each: readonly Ranged<View>[]; reload: () => void } {
  const [known, setKnown] = useState<ReadonlyMap<App, Known<Range, View>>>(new Map())
  const paced = useMemo(
    () =>
      apps.map((app) =>
        atMostEvery(paceMs, () => {
          void app.actions
            .ask((client) => query(client, range))
            .then((outcome) =>
              setKnown((all) => {
                const before = all.get(app)
                const view = outcome.ok ? outcome.value : before?.range === range ? before.view : null
                return new Map(all).set(app, { range, view, problem: outcome.ok ? null : outcome.problem.message })
              }),
            )
        }),
      ),
    [apps, range, paceMs, query],
  )
  useEffect(() => {
    const ends = apps.map(({ engine }, i) => {
      // Every link that comes to life begins with a snapshot.
      const look = () => {
        const { snapshots, link } = engine.getState()
        if (snapshots > 0 && link.kind === 'live') paced[i]?.ask()
      }
      look()
      return engine.subscribe((now, before) => {
        if (now.snapshots !== before.snapshots || now.freshTurns !== before.freshTurns) look()
      })
    })
    return () => {
      for (const end of ends) end()
      for (const one of paced) one.dispose()
    }
  }, [apps, paced])
  const reload = useCallback(() => paced.forEach((one) => one.ask()), [paced])
  const each = apps.map((app) => {
    const mine = known.get(app)
    const held = mine?.range === range ? mine : null
    return { view: held?.view ?? null, problem: held?.problem ?? null }
  })
  return { each, reload }
}
