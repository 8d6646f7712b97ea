import { useSyncExternalStore } from 'react'
import { useApp, useEngine } from '../app-context.ts'

/** What the page's clock is off from the engine's corrected one (time sync): alarms are told in the latter. */
export const useTimeOffset = (): number => useEngine((s) => s.status?.timeSync?.offsetMs ?? 0)

/** What follows from the engine's time now; drawn anew only when that changes. @param read must give a plain value */
export function useNow<T extends string | number | boolean>(read: (now: number) => T): T {
  const { clock } = useApp()
  const offset = useTimeOffset()
  return useSyncExternalStore(clock.subscribe, () => read(clock.now() + offset))
}

const MINUTE = 60_000

/** The begin of the minute it is. */
export const useMinute = (): number => useNow((now) => Math.floor(now / MINUTE) * MINUTE)
