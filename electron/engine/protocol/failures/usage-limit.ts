import type { EntryProtocol } from '../../../../shared/words.ts'

/** A subscription's or quota's limit as clients learn of it, whichever vendor has it. `lifts`: epoch milliseconds */
export interface UsageLimit {
  /** as the vendor names it, `5h` */
  window: string | null
  lifts: number | null
  /** the time of the answer that reports it, epoch milliseconds */
  now: number
}

/**
 * Members of an error by which Codex tells a limit from a 429 that passes: `UsageErrorBody` of codex-rs
 * (codex-api/src/api_bridge.rs). ChatGPT sends both times.
 */
export const codexLimit = ({ lifts, now }: UsageLimit) => ({
  type: 'usage_limit_reached',
  ...(lifts === null
    ? {}
    : { resets_at: Math.ceil(lifts / 1000), resets_in_seconds: Math.max(0, Math.ceil((lifts - now) / 1000)) }),
})

/** Claims of Claude's plans that Claude Code 2.1.332 has words for, by their window. */
const claims: Readonly<Partial<Record<string, string>>> = {
  '5h': 'five_hour',
  '7d': 'seven_day',
  '7d_opus': 'seven_day_opus',
  '7d_sonnet': 'seven_day_sonnet',
  '7d_oi': 'seven_day_overage_included',
}

/** Headers by which a client of this protocol knows a limit: Claude Code reads a plan's. */
export function limitHeaders(entry: EntryProtocol, { window, lifts }: UsageLimit): Record<string, string> {
  if (entry !== 'messages') return {}
  const claim = claims[window ?? '']
  return {
    'anthropic-ratelimit-unified-status': 'rejected',
    ...(lifts === null ? {} : { 'anthropic-ratelimit-unified-reset': String(Math.ceil(lifts / 1000)) }),
    ...(claim === undefined ? {} : { 'anthropic-ratelimit-unified-representative-claim': claim }),
  }
}
