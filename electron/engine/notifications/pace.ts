/** Slack takes about one message in a second for each address, Discord five in two. */
const GAP_MS = 1_000
/** A person's telephone should not ring more often; what comes beyond is told together. */
const MOST = 10
const WITHIN_MS = 5 * 60_000
/** After a failed try, in order; then the message is given up. */
const TRY_AGAIN_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000] as const

/** How long the next one has to wait. @param sent instants of earlier ones, in order */
export function waitFor(sent: readonly number[], now: number): number {
  const last = sent.at(-1)
  const gap = last === undefined ? 0 : last + GAP_MS - now
  const oldest = sent.at(-MOST)
  const room = oldest === undefined ? 0 : oldest + WITHIN_MS - now
  return Math.max(0, gap, room)
}

/** Those that still count. */
export const recent = (sent: readonly number[]): readonly number[] => sent.slice(-MOST)

/** null: no more. @param tries so far @param told how long the service asked to wait */
export function tryAgainAfter(tries: number, told: number | null): number | null {
  const own = TRY_AGAIN_MS[tries - 1]
  return own === undefined ? null : Math.max(own, told ?? 0)
}
