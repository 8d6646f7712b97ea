import type { Clock } from '../base/clock.ts'
import type { TerminalReading } from './types.ts'

/**
 * An agent whose turn failed or was broken off may leave its title, or its own report, as they were at work or in a
 * dialog (Codex 0.171.0 after a provider that failed for good). They are believed while the rest of the screen agrees
 * or a request is under way, and for some time after that.
 */
export interface LeftSignal {
  saw(reading: TerminalReading): void
  /** the screen has long been idle but for them, with no request */
  isOld(): boolean
}

/** An agent begins its next request, or shows its work on the screen, within this time. */
export const SIGNAL_MS = 5_000

/** `quietFor`: milliseconds since the last response; null: none ended yet, or one runs, which holds by itself */
export function createLeftSignal(clock: Clock, quietFor: () => number | null = () => null): LeftSignal {
  let since: number | null = null
  return {
    saw(reading) {
      since = reading.kind === 'hold' && reading.screenAlone ? (since ?? clock.monotonic()) : null
    },
    isOld: () => since !== null && clock.monotonic() - since >= SIGNAL_MS && (quietFor() ?? Infinity) >= SIGNAL_MS,
  }
}
