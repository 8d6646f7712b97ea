/** How each round went, as its tick shows it. Pure. */
import type { StopMessageView } from '../../../shared/state.ts'

/** `progress` full, `none` low, `now` hatched, `free` still to come */
export type Tick = 'progress' | 'none' | 'now' | 'free'

export function ticksOf({ used, max, status, goal }: StopMessageView): Tick[] {
  const stuck = new Set(withoutProgress(goal?.rounds ?? []))
  const running = status.kind === 'injecting' || status.kind === 'reviewing'
  return Array.from({ length: max ?? 0 }, (_, i) =>
    i < used ? (stuck.has(i + 1) ? 'none' : 'progress') : i === used && running ? 'now' : 'free',
  )
}

export const withoutProgress = (rounds: readonly { n: number; progress: boolean | null }[]): number[] =>
  rounds.flatMap(({ n, progress }) => (progress === false ? [n] : []))
