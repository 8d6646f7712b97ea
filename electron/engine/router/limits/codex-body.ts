import { asNumber } from '../../protocol/values.ts'
import type { PlainHeaders } from './headers.ts'
import { codexWindows } from './codex-headers.ts'
import { afterMs, atSeconds } from './instants.ts'
import type { Refusal } from './refusal.ts'
import type { StatedLimit } from './stated-limit.ts'
import { lastSpent } from './windows.ts'

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
