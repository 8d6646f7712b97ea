import type { Quota } from '../../../../shared/routing.ts'

/** A window of a quota as a vendor's headers describe it. */
export interface Window extends Quota {
  /** nothing is left in it */
  spent: boolean
}

/**
 * Makes a window from the limit and the remainder. Returns null where neither has figures that make sense (Azure sends
 * -1 and 0).
 */
export function windowOf(
  window: string,
  limit: number | null,
  remaining: number | null,
  resetsAt: number | null,
): Window | null {
  if (remaining === null || remaining < 0 || (limit !== null && limit < 0)) return null
  const known = limit !== null && limit > 0 && remaining <= limit
  if (!known && remaining > 0) return null
  return { window, usedPercent: known ? percent(1 - remaining / limit) : null, resetsAt, spent: remaining === 0 }
}

/** Returns a share in percent, to a tenth; a window can be used beyond its limit, which shows as full. */
export const percent = (share: number): number => Math.min(100, Math.max(0, Math.round(share * 1000) / 10))

/** The spent window that comes back last decides: before that, nothing is answered. */
export function lastSpent(windows: readonly Window[]): Window | null {
  return windows.filter(({ spent }) => spent).toSorted((a, b) => (b.resetsAt ?? 0) - (a.resetsAt ?? 0))[0] ?? null
}
