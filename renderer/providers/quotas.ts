/** A provider's quotas in words and figures. Pure. */
import type { Dictionary } from '../i18n/index.ts'
import type { ProviderView, Quota } from '../../shared/routing.ts'

type Words = Dictionary['providers']

const DAY = 24 * 60 * 60_000

/** The limit a provider rests at, as a quota of its own where the provider reported no such window. */
export function quotasOf(provider: Pick<ProviderView, 'health' | 'quotas'>): readonly Quota[] {
  const { health, quotas } = provider
  if (health.kind !== 'resting' || health.rest.why !== 'limit') return quotas
  const { window, lifts } = health.rest
  const there = quotas.some((quota) => (window === null ? isFull(quota) : quota.window === window))
  return there ? quotas : [{ window: window ?? '', usedPercent: 100, resetsAt: lifts }, ...quotas]
}

export const isFull = (quota: Quota): boolean => quota.usedPercent !== null && quota.usedPercent >= 100

/** `5h`, `7d`, `tokens`, or whatever else a provider calls its window. */
export function quotaName(window: string, t: Words): string {
  const span = /^(\d+)\s*(h|d)$/.exec(window)
  const n = Number(span?.[1])
  if (span?.[2] === 'h') return n === 24 ? t.dayLimit : t.hoursLimit(n)
  if (span?.[2] === 'd') return n === 7 ? t.weekLimit : n === 1 ? t.dayLimit : t.daysLimit(n)
  if (window === 'tokens') return t.tokensLimit
  if (window === 'requests') return t.requestsLimit
  return window === '' ? t.someLimit : t.otherLimit(window.replaceAll(/[_-]+/g, ' '))
}

/** 1:47:36, whose width does not change as it ticks; null where days are left, so seconds do not matter. */
export function countdown(ms: number): string | null {
  if (ms >= DAY) return null
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** From here on it is worth asking whether followups should wait (`limits.pauseAt`), and where they would then. */
const NEAR = 80
export const OFFERED = 90
/** A window that comes back sooner is waited for anyway. */
const SOON_MS = 5 * 60_000

/** The window that is nearly used up, where nothing waits for it so far; null: none is. */
export function nearlyUsed(
  quotas: readonly Quota[],
  { pauseAt }: { pauseAt: number },
  now: number,
): (Quota & { usedPercent: number }) | null {
  if (pauseAt > 0) return null
  return tightest(
    quotas.filter(
      ({ usedPercent, resetsAt }) =>
        usedPercent !== null && usedPercent > NEAR && resetsAt !== null && resetsAt - now > SOON_MS,
    ),
  )
}

/** The fullest window that has a percentage; null: none has. */
export function tightest(quotas: readonly Quota[]): (Quota & { usedPercent: number }) | null {
  let found: (Quota & { usedPercent: number }) | null = null
  for (const quota of quotas)
    if (quota.usedPercent !== null && (found === null || quota.usedPercent > found.usedPercent))
      found = { ...quota, usedPercent: quota.usedPercent }
  return found
}
