import { asNumber } from '../../protocol/values.ts'
import {
  numberIn,
  type PlainHeaders,
  afterMs,
  atSeconds,
  type StatedLimit,
  percent,
  type Window,
  lastSpent,
} from './parts.ts'
import type { Refusal } from './refusal.ts'

/**
 * Reads the windows of a ChatGPT plan: `x-codex-primary-used-percent` and its like (codex-rs,
 * codex-api/src/rate_limits.rs).
 */
export function codexWindows(headers: PlainHeaders, now: number): readonly Window[] {
  return ['primary', 'secondary'].flatMap((name) => {
    const of = (what: string): number | null => numberIn(headers.get(`x-codex-${name}-${what}`))
    const used = of('used-percent')
    const minutes = of('window-minutes')
    // A plan with one window sends zeroes for the other.
    if (used === null || (used === 0 && minutes === 0)) return []
    const resetsAt = atSeconds(of('reset-at'), now) ?? afterMs(msOf(of('reset-after-seconds')), now)
    return {
      window: minutes === null ? name : (spanOf(minutes) ?? name),
      usedPercent: percent(used / 100),
      resetsAt,
      spent: used >= 100,
    }
  })
}

const msOf = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000)

/** 300 minutes are `5h`, 10 080 are `7d`. */
function spanOf(minutes: number): string | null {
  if (!Number.isInteger(minutes) || minutes <= 0) return null
  if (minutes % 1440 === 0) return `${minutes / 1440}d`
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`
}

/**
 * Reads a ChatGPT plan's limit: `{"error":{"type":"usage_limit_reached","resets_at":…,"resets_in_seconds":…}}`
 * (codex-rs), or a spent window.
 */
export function codexLimit({ names, error }: Refusal, headers: PlainHeaders, now: number): StatedLimit | null {
  const spent = lastSpent(codexWindows(headers, now))
  if (!names.includes('usage_limit_reached') && !spent) return null
  const inSeconds = asNumber(error['resets_in_seconds'])
  const lifts =
    atSeconds(asNumber(error['resets_at']), now) ??
    afterMs(inSeconds === null ? null : inSeconds * 1000, now) ??
    spent?.resetsAt ??
    null
  return { window: spent?.window ?? null, lifts }
}
