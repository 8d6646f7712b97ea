import type { Clock } from './clock.ts'

/** IANA name of this computer's zone, as it is now: Node looks again when `TZ` is written or removed, else never. */
export function localZone(): string {
  if (process.env.TZ === undefined) delete process.env.TZ
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

const keptMs = 60_000

/** The same for callers that ask with every request: a change of zone on a journey is seen within a minute. */
export function keptZone(clock: Pick<Clock, 'monotonic'>, ask: () => string = localZone): () => string {
  let kept: { zone: string; until: number } | null = null
  return () => {
    const now = clock.monotonic()
    if (kept === null || now >= kept.until) kept = { zone: ask(), until: now + keptMs }
    return kept.zone
  }
}
