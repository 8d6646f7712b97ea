import { useEffect } from 'react'
import { useApp } from '../app-context.ts'
import type { ActivityView } from '../../shared/state.ts'
import { useRange, type Ranged, type RangeQuery } from './use-range.ts'

export type Hours = ActivityView['hours']

const figures: RangeQuery<Hours, ActivityView> = {
  paceMs: 2000,
  query: (client, hours) => client.activity.query(hours),
}

/** The figures of a range, asked for again when an hour begins. */
export function useActivity(hours: Hours): Ranged<ActivityView> {
  const { clock } = useApp()
  const ranged = useRange(hours, figures)
  const { reload } = ranged
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const arm = () => {
      timer = setTimeout(
        () => {
          reload()
          arm()
        },
        untilNextHour(clock.now()) + 500,
      )
    }
    arm()
    return () => clearTimeout(timer)
  }, [reload, clock])
  return ranged
}

/** By the person's clock, which is not everywhere a whole hour from UTC. */
function untilNextHour(now: number): number {
  const date = new Date(now)
  return new Date(now).setHours(date.getHours() + 1, 0, 0, 0) - now
}
