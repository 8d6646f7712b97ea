/** No client may ask more often (RFC 4330, 10), even if the clock is set again and again. */
export const leastGapMs = 15_000
const firstRetryMs = 30_000

/**
 * Until the next round: `failures` rounds in a row had no answer. `fraction` spreads it by a tenth to either side, so
 * that not all computers ask at once.
 */
export function waitFor({
  failures,
  refreshMs,
  fraction,
}: {
  failures: number
  refreshMs: number
  fraction: number
}): number {
  const wait = failures === 0 ? refreshMs : Math.min(refreshMs, firstRetryMs * 2 ** (failures - 1))
  return wait * (0.9 + 0.2 * fraction)
}
