import { useEffect, useMemo, useState } from 'react'
import { useApp, useEngine } from '../app-context.ts'
import type { ActivityView } from '../../shared/state.ts'
import { atMostEvery } from './at-most-every.ts'

/** While turns end one after the other, figures are asked for once in this time. */
const paceMs = 2000

export type Hours = ActivityView['hours']

/** The figures of a range: asked for when it is chosen, after turns that end, and when an hour begins. */
export function useActivity(hours: Hours): { view: ActivityView | null; problem: string | null; reload: () => void } {
  const { actions, clock, engine } = useApp()
  const [known, setKnown] = useState<{ hours: Hours; view: ActivityView | null; problem: string | null }>({
    hours,
    view: null,
    problem: null,
  })
  const snapshots = useEngine((s) => s.snapshots)
  const fresh = useEngine((s) => s.freshTurns)
  const paced = useMemo(
    () =>
      atMostEvery(paceMs, () => {
        void actions
          .ask((client) => client.activity.query(hours))
          .then((outcome) =>
            setKnown((before) => {
              // An answer for a range that is no longer shown; or a failure, which leaves the last figures of this
              // range.
              if (!outcome.ok)
                return { hours, view: before.hours === hours ? before.view : null, problem: outcome.problem.message }
              return { hours, view: outcome.value, problem: null }
            }),
          )
      }),
    [actions, hours],
  )
  useEffect(() => () => paced.dispose(), [paced])
  // Every link that comes to life begins with a snapshot.
  useEffect(() => {
    if (snapshots > 0 && engine.getState().link.kind === 'live') paced.ask()
  }, [snapshots, fresh, engine, paced])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const arm = () => {
      timer = setTimeout(
        () => {
          paced.ask()
          arm()
        },
        untilNextHour(clock.now()) + 500,
      )
    }
    arm()
    return () => clearTimeout(timer)
  }, [paced, clock])
  const mine = known.hours === hours ? known : null
  return { view: mine?.view ?? null, problem: mine?.problem ?? null, reload: () => paced.ask() }
}

/** Of the person's clock, which is not everywhere a whole hour from UTC. */
function untilNextHour(now: number): number {
  const date = new Date(now)
  return new Date(now).setHours(date.getHours() + 1, 0, 0, 0) - now
}
