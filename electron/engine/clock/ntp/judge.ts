import type { Reply } from './packet.ts'

/** A larger correction is not believed: the server is more likely to be wrong. */
export const mostOffsetMs = 24 * 3_600_000
/** an answer's own times may contradict ours by this much, for clocks that tick coarsely */
const coarseMs = 50

/**
 * One question by this computer's clock, epoch milliseconds; `heard` is `sent` and the monotonic time until the answer.
 */
export interface Asked {
  sent: number
  heard: number
}

export type Judged = { kind: 'offset'; offsetMs: number; delayMs: number } | { kind: 'refused'; why: string }

/**
 * Derives the offset of this computer's clock from an answer. The true offset is at most half the delay away (RFC 4330,
 * 5).
 */
export function judge({ received, answered }: Extract<Reply, { kind: 'time' }>, { sent, heard }: Asked): Judged {
  const offsetMs = (received - sent + (answered - heard)) / 2
  const delayMs = heard - sent - (answered - received)
  if (answered < received || delayMs < -coarseMs) return { kind: 'refused', why: 'its answer contradicts itself' }
  if (Math.abs(offsetMs) > mostOffsetMs) {
    return {
      kind: 'refused',
      why:
        "it says that this computer's time is off by " +
        `${(Math.abs(offsetMs) / 3_600_000).toFixed(1)} hours; more than 24 are not believed`,
    }
  }
  return { kind: 'offset', offsetMs, delayMs: Math.max(0, delayMs) }
}
