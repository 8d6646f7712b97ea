import { createHash } from 'node:crypto'
import type { HoldReason } from '../../../shared/events.ts'
import type { FailedAttempt, TurnFailure } from '../../../shared/state.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { createLeftSignal, type LeftSignal } from '../terminals/left-signal.ts'
import { byScreen, type FindTarget, type TerminalReading } from '../terminals/types.ts'
import type { SessionStore } from './session-store.ts'

/** A main turn's request that ended in an error. */
export interface FailedRequest {
  /** null: no provider was asked */
  provider: string | null
  /** what the client got; 200: the answer broke off */
  status: number
  message: string
  /** the attempts made for it, in order */
  tried: readonly FailedAttempt[]
  /** the context window is full */
  full?: true | undefined
  /** names the turn that it began; undefined: it went on with one, after tools */
  turn?: string | undefined
}

/**
 * Sessions whose last main request failed. Agents ask again by themselves after most errors and say so on their screen
 * alone: until the screen shows that an agent has given up, its next try is waited for. The failure is stored with the
 * session, so that it is known after a restart as well.
 */
export interface Failures {
  /** those of earlier runs whose agents may still ask again */
  start(): void
  failed(sessionId: string, terminalId: string | null, request: FailedRequest): void
  /** an answer came, or the request's end is not to be reported */
  over(sessionId: string): void
  /** the next main request began */
  began(sessionId: string): void
  /** its answer begins, however it ends */
  answered(sessionId: string): void
  /** nothing came yet for the request under way, nor did for the one before */
  inVain(sessionId: string): boolean
  of(sessionId: string): TurnFailure | null
  /** the turn that failed last, of an earlier run as well, is this one */
  isOf(sessionId: string, turn: string): boolean
  dispose(): void
}

/** Where failures are kept: with their sessions. */
export interface KeptFailures {
  get(sessionId: string): TurnFailure | null
  set(sessionId: string, failure: TurnFailure | null): void
  /** sessions that have one, with their terminals */
  list(): readonly { sessionId: string; terminalId: string | null; failure: TurnFailure }[]
}

export interface FailuresDeps {
  clock: Clock
  log: Log
  findTarget: FindTarget
  kept: KeptFailures
  onChange(sessionId: string): void
  /**
   * It asks no more, or only a person can help: called once for each turn. `stopped`: a person broke it off, or writes.
   */
  onGaveUp(sessionId: string, failure: TurnFailure, stopped: boolean): void
}

const CHECK_MS = 2_000
/** One reading may come between the error and the agent's own message about it. */
const IDLE_READINGS = 2
/** an agent whose screen says nothing has given up after this long */
const GIVES_UP_MS = 5 * 60_000
/** so has a program without a terminal */
const UNSEEN_MS = 60_000

/** Some providers answer errors with whole pages, and a session's file is read at every start. */
const LONGEST_MESSAGE = 2_000
const MOST_TRIED = 20

/** An agent whose next try is waited for. `timer` null: the try is under way. */
interface Waiting {
  idleReadings: number
  signal: LeftSignal
  timer: Disposable | null
}

export function createFailures({ clock, log, findTarget, kept, onChange, onGaveUp }: FailuresDeps): Failures {
  const waiting = new Map<string, Waiting>()
  /** sessions that failed, and whose next answer has begun */
  const answering = new Set<string>()

  const waitNoMore = (sessionId: string) => {
    waiting.get(sessionId)?.timer?.dispose()
    waiting.delete(sessionId)
  }
  const gaveUp = (sessionId: string, reading: TerminalReading | null) => {
    waiting.delete(sessionId)
    const before = kept.get(sessionId)
    if (before === null) return
    const failure = { ...before, retries: false }
    kept.set(sessionId, failure)
    onChange(sessionId)
    onGaveUp(sessionId, failure, reading !== null && isStopped(byScreen(reading)))
  }
  const wait = (sessionId: string, terminalId: string | null) => {
    const entry: Waiting = { idleReadings: 0, signal: createLeftSignal(clock), timer: null }
    waiting.set(sessionId, entry)
    plan(sessionId, terminalId, entry, clock.monotonic() + (terminalId === null ? UNSEEN_MS : GIVES_UP_MS))
  }
  const check = async (sessionId: string, terminalId: string | null, entry: Waiting, until: number): Promise<void> => {
    let reading: TerminalReading | null = null
    try {
      reading = terminalId === null ? null : ((await findTarget(terminalId)?.read()) ?? null)
    } catch (error) {
      log.warn({ terminalId, error: messageOf(error) }, 'could not look whether an agent tries again')
    }
    // Its next request may have begun while the terminal was read.
    if (waiting.get(sessionId) !== entry || entry.timer === null) return
    if (reading) entry.signal.saw(reading)
    const idle = reading !== null && (isIdle(reading) || entry.signal.isOld())
    entry.idleReadings = idle ? entry.idleReadings + 1 : 0
    if (entry.idleReadings >= IDLE_READINGS || clock.monotonic() >= until) gaveUp(sessionId, reading)
    else plan(sessionId, terminalId, entry, until)
  }
  const plan = (sessionId: string, terminalId: string | null, entry: Waiting, until: number) => {
    entry.timer = clock.after(CHECK_MS, () => void check(sessionId, terminalId, entry, until))
  }

  return {
    start() {
      for (const { sessionId, terminalId, failure } of kept.list())
        if (failure.retries && !waiting.has(sessionId)) wait(sessionId, terminalId)
    },
    failed(sessionId, terminalId, { provider, status, message, tried, full, turn }) {
      const before = kept.get(sessionId)
      waitNoMore(sessionId)
      answering.delete(sessionId)
      const at = clock.now()
      const name = turn === undefined ? undefined : inShort(turn)
      const again = before !== null && before.turn === name
      const goesOn = before?.retries || again ? before : null
      const failure: TurnFailure = {
        provider,
        status,
        message: message.slice(0, LONGEST_MESSAGE),
        tries: (goesOn?.tries ?? 0) + 1,
        since: goesOn?.since ?? at,
        at,
        tried: tried.slice(-MOST_TRIED),
        // most compact and ask once more, without a word of their person
        retries: full === true || isWorthATry(status),
        ...(full && { full }),
        ...(name !== undefined && { turn: name }),
      }
      kept.set(sessionId, failure)
      if (failure.retries) wait(sessionId, terminalId)
      onChange(sessionId)
      // Some ask again all the same (Codex after a 401: five times). The person has been notified by then.
      if (!failure.retries && !(again && before?.retries === false)) onGaveUp(sessionId, failure, false)
    },
    over(sessionId) {
      waitNoMore(sessionId)
      answering.delete(sessionId)
      if (kept.get(sessionId) === null) return
      kept.set(sessionId, null)
      onChange(sessionId)
    },
    began(sessionId) {
      // If the agent had given up, this is another turn, and how that one ends is not known yet.
      const entry = waiting.get(sessionId)
      entry?.timer?.dispose()
      if (entry) entry.timer = null
    },
    answered(sessionId) {
      if (kept.get(sessionId) === null || answering.has(sessionId)) return
      answering.add(sessionId)
      onChange(sessionId)
    },
    inVain: (sessionId) => kept.get(sessionId) !== null && !answering.has(sessionId),
    of: kept.get,
    isOf(sessionId, turn) {
      const name = kept.get(sessionId)?.turn
      return name !== undefined && name === inShort(turn)
    },
    dispose() {
      for (const { timer } of waiting.values()) timer?.dispose()
      waiting.clear()
    },
  }
}

/** Kept with the state of the sessions; a session that was removed meanwhile keeps nothing. */
export const failuresIn = (sessions: Pick<SessionStore, 'get' | 'list' | 'note'>): KeptFailures => ({
  get: (id) => sessions.get(id)?.failure ?? null,
  set(id, failure) {
    if (sessions.get(id)) sessions.note(id, () => ({ failure }))
  },
  list: () =>
    sessions.list().flatMap(({ id, terminalId, failure }) => (failure ? [{ sessionId: id, terminalId, failure }] : [])),
})

/** Hashed, because it holds words of the conversation, which have no place in a session's file. */
const inShort = (turn: string): string => createHash('sha256').update(turn).digest('base64')

/** Agents ask again where the request itself was not at fault, so a person need not know before they give up. */
const isWorthATry = (status: number): boolean =>
  status < 400 || status >= 500 || status === 408 || status === 409 || status === 429

const isIdle = (reading: TerminalReading): boolean => reading.kind !== 'hold' || isPersons(reading.reason)

/**
 * True if it says so, or the person's words are back in it: Claude Code and Qwen Code return a message that Esc broke
 * off.
 */
const isStopped = (reading: TerminalReading): boolean =>
  reading.kind === 'composer-holds' ||
  (reading.kind === 'ready' && reading.stopped === true) ||
  (reading.kind === 'hold' && isPersons(reading.reason))

const isPersons = ({ code }: HoldReason): boolean => code === 'draft' || code === 'typing' || code === 'stopped'

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
