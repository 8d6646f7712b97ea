import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { FindTarget, TerminalReading } from '../terminals/types.ts'
import type { FailedAttempt, TurnFailure } from '../../../shared/state.ts'

/** What is told of a main turn's request that ended in an error. */
export interface FailedRequest {
  /** null: none was asked */
  provider: string | null
  /** what the client got; 200: the answer broke off */
  status: number
  message: string
  /** what was asked for it, in order */
  tried: readonly FailedAttempt[]
}

/**
 * Sessions whose last main request failed. Agents ask again by themselves after most errors and say so on their screen
 * alone: until the screen shows that this one has given up, its next try is waited for.
 */
export interface Failures {
  failed(sessionId: string, terminalId: string | null, request: FailedRequest): void
  /** an answer came, or nothing is to be told of how the request ended */
  over(sessionId: string): void
  /** the next main request began */
  began(sessionId: string): void
  of(sessionId: string): TurnFailure | null
  dispose(): void
}

export interface FailuresDeps {
  clock: Clock
  log: Log
  findTarget: FindTarget
  onChange(sessionId: string): void
  /** it asks no more: told once for each failure */
  onGaveUp(sessionId: string, failure: TurnFailure): void
}

const LOOK_MS = 2_000
/** One look may come between the error and the agent's own word for it. */
const IDLE_LOOKS = 2
/** an agent whose screen says nothing has given up after this long */
const GIVES_UP_MS = 5 * 60_000
/** so has a program that nobody can look at */
const UNSEEN_MS = 60_000

interface Entry {
  failure: TurnFailure
  idleLooks: number
  timer: Disposable | null
}

export function createFailures({ clock, log, findTarget, onChange, onGaveUp }: FailuresDeps): Failures {
  const sessions = new Map<string, Entry>()

  const forget = (sessionId: string) => {
    sessions.get(sessionId)?.timer?.dispose()
    if (sessions.delete(sessionId)) onChange(sessionId)
  }
  const gaveUp = (sessionId: string, entry: Entry) => {
    entry.timer = null
    entry.failure = { ...entry.failure, retries: false }
    onChange(sessionId)
    onGaveUp(sessionId, entry.failure)
  }
  const look = async (sessionId: string, terminalId: string | null, entry: Entry, until: number): Promise<void> => {
    let reading: TerminalReading | null = null
    try {
      reading = terminalId === null ? null : ((await findTarget(terminalId)?.read()) ?? null)
    } catch (error) {
      log.warn({ terminalId, error: messageOf(error) }, 'could not look whether an agent tries again')
    }
    // Its next request may have begun while the terminal was read.
    if (sessions.get(sessionId) !== entry || entry.timer === null) return
    entry.idleLooks = reading !== null && isIdle(reading) ? entry.idleLooks + 1 : 0
    if (entry.idleLooks >= IDLE_LOOKS || clock.monotonic() >= until) gaveUp(sessionId, entry)
    else plan(sessionId, terminalId, entry, until)
  }
  const plan = (sessionId: string, terminalId: string | null, entry: Entry, until: number) => {
    entry.timer = clock.after(LOOK_MS, () => void look(sessionId, terminalId, entry, until))
  }

  return {
    failed(sessionId, terminalId, { provider, status, message, tried }) {
      const before = sessions.get(sessionId)
      before?.timer?.dispose()
      const at = clock.now()
      const goesOn = before?.failure.retries ? before.failure : null
      const failure: TurnFailure = {
        provider,
        status,
        message,
        tries: (goesOn?.tries ?? 0) + 1,
        since: goesOn?.since ?? at,
        at,
        tried,
        retries: isWorthATry(status),
      }
      const entry: Entry = { failure, idleLooks: 0, timer: null }
      sessions.set(sessionId, entry)
      const waits = terminalId === null ? UNSEEN_MS : GIVES_UP_MS
      if (failure.retries) plan(sessionId, terminalId, entry, clock.monotonic() + waits)
      onChange(sessionId)
      if (!failure.retries) onGaveUp(sessionId, failure)
    },
    over: forget,
    began(sessionId) {
      const entry = sessions.get(sessionId)
      if (!entry) return
      // Given up: this is another turn. Else it is the next try, and the tries before it count.
      if (!entry.failure.retries) return forget(sessionId)
      entry.timer?.dispose()
      entry.timer = null
    },
    of: (sessionId) => sessions.get(sessionId)?.failure ?? null,
    dispose() {
      for (const { timer } of sessions.values()) timer?.dispose()
      sessions.clear()
    },
  }
}

/** Agents ask again where it was not their request that was wrong. */
const isWorthATry = (status: number): boolean =>
  status < 400 || status >= 500 || status === 408 || status === 409 || status === 429

const isIdle = (reading: TerminalReading): boolean =>
  reading.kind !== 'hold' || reading.reason.code === 'draft' || reading.reason.code === 'typing'
