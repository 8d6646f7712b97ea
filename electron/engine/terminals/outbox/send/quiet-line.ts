import type { HoldReason } from '../../../../../shared/events.ts'
import type { Clock } from '../../../base/clock.ts'

/** Knows if a person has just written in the composer: a key may still repeat in a line that was emptied. */
export interface QuietLine {
  /**
   * Takes why the terminal holds now (null: not at all) and returns why it holds with the line's quiet time counted.
   */
  saw(reason: HoldReason | null): HoldReason | null
  /** the person's line was sent: a text that stands there from now on is new */
  sent(): void
  /** milliseconds until the line has been quiet long enough; null when it has */
  quietIn(): number | null
}

export function createQuietLine(clock: Clock, quietMs: () => number): QuietLine {
  let last: { at: number; reason: HoldReason } | null = null
  const quietIn = (): number | null => {
    const left = last === null ? 0 : last.at + quietMs() - clock.monotonic()
    return left > 0 ? left : null
  }
  return {
    saw(reason) {
      if (reason && inTheLine(reason)) last = { at: clock.monotonic(), reason }
      return reason ?? (quietIn() === null ? null : (last?.reason ?? null))
    },
    sent() {
      last = null
    },
    quietIn,
  }
}

/** After an Enter that sent the line no key repeats in it: the moment that a person gets after each key is enough. */
const inTheLine = (reason: HoldReason): boolean =>
  reason.code === 'draft' || (reason.code === 'typing' && reason.sent !== true)
