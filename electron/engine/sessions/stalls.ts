import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { FindTarget } from '../terminals/types.ts'

/**
 * Agents that have been busy on their own screens for so long, with no request open, that a person should look: a tool
 * may hang. Nothing is typed into them; they go on by themselves, or a person deals with it.
 */
export interface Stalls {
  /** a main turn of the session ended; `works`: its agent runs tools now */
  ended(sessionId: string, terminalId: string | null, works: boolean): void
  /** its next main request began, or it is at rest */
  over(sessionId: string): void
  /** some other sign of life, from a sub-agent for instance */
  alive(sessionId: string): void
  /** since when it has been silent; null: it does not stall */
  of(sessionId: string): { since: number } | null
  dispose(): void
}

export interface StallsDeps {
  clock: Clock
  log: Log
  findTarget: FindTarget
  onChange(sessionId: string): void
  /** called once each time it stalls, and once, with null, when it no longer does */
  onStalled(sessionId: string, since: number | null): void
}

/** Longer than the test suites that agents run, shorter than an evening that a hanging tool would cost. */
export const STALLS_MS = 20 * 60_000
const LOOK_MS = 30_000

interface Watched {
  terminalId: string
  since: number
  stalled: boolean
  timer: Disposable
}

export function createStalls({ clock, log, findTarget, onChange, onStalled }: StallsDeps): Stalls {
  const watched = new Map<string, Watched>()

  const over = (sessionId: string) => {
    const entry = watched.get(sessionId)
    entry?.timer.dispose()
    if (watched.delete(sessionId) && entry?.stalled) moves(sessionId)
  }
  const moves = (sessionId: string) => {
    onChange(sessionId)
    onStalled(sessionId, null)
  }
  const plan = (sessionId: string, terminalId: string) => {
    watched.get(sessionId)?.timer.dispose()
    const entry: Watched = {
      terminalId,
      since: clock.now(),
      stalled: false,
      timer: clock.after(STALLS_MS, () => void look(sessionId, entry)),
    }
    watched.set(sessionId, entry)
  }
  const look = async (sessionId: string, entry: Watched): Promise<void> => {
    let busy: boolean | null = null
    try {
      const reading = await findTarget(entry.terminalId)?.read()
      busy = reading?.kind === 'hold' && reading.reason.code === 'agent-busy'
    } catch (error) {
      log.warn({ terminalId: entry.terminalId, error: messageOf(error) }, 'could not look whether an agent hangs')
    }
    // Its next request may have begun while the terminal was read.
    if (watched.get(sessionId) !== entry) return
    if (busy === false) return over(sessionId)
    if (busy && !entry.stalled) {
      entry.stalled = true
      onChange(sessionId)
      onStalled(sessionId, entry.since)
    }
    entry.timer = clock.after(LOOK_MS, () => void look(sessionId, entry))
  }

  return {
    ended(sessionId, terminalId, works) {
      if (works && terminalId !== null) plan(sessionId, terminalId)
      else over(sessionId)
    },
    over,
    alive(sessionId) {
      const entry = watched.get(sessionId)
      if (!entry) return
      plan(sessionId, entry.terminalId)
      if (entry.stalled) moves(sessionId)
    },
    of(sessionId) {
      const entry = watched.get(sessionId)
      return entry?.stalled ? { since: entry.since } : null
    },
    dispose() {
      for (const { timer } of watched.values()) timer.dispose()
      watched.clear()
    },
  }
}
