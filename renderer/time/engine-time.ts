import { useSyncExternalStore } from 'react'
import { useApp, useEngine } from '../app-context.ts'

/** How far the page's clock is off from the engine's corrected one (time sync), in which alarms are shown. */
export const useTimeOffset = (): number => useEngine((s) => s.status?.timeSync?.offsetMs ?? 0)

type Plain = string | number | boolean

/**
 * A value that depends on the page's time; drawn anew only when the value changes. @param read must give a plain value
 */
export function usePageNow<T extends Plain>(read: (now: number) => T): T {
  const { clock } = useApp()
  return useSyncExternalStore(clock.subscribe, () => read(clock.now()))
}

/** The same of the engine's time. */
export function useNow<T extends Plain>(read: (now: number) => T): T {
  const offset = useTimeOffset()
  return usePageNow((now) => read(now + offset))
}

const MINUTE = 60_000

/** The begin of the minute it is. */
export const useMinute = (): number => useNow((now) => Math.floor(now / MINUTE) * MINUTE)
