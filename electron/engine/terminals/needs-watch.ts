import type { AskedView } from '../../../shared/state.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { saidOf } from './asking.ts'
import { createLeftSignal, SIGNAL_MS, type LeftSignal } from './left-signal.ts'
import type { FindTarget, TerminalReading } from './types.ts'

/** The question of a terminal: in a few words, and as its screen shows it if that could be read. */
export interface Asking {
  what: string
  asked: AskedView | null
  /** when it was first seen; absent: not looked for on a screen */
  since?: number
}

/**
 * Reads a terminal at the times when dialogs and questions open, which no request shows: between two requests of a
 * turn, when the agent runs its tools, and at its start, when it asks whether it may work in the folder. Often at
 * first, then seldom; not at all while a request is under way.
 */
export interface NeedsWatch {
  /** a response ended with tool calls */
  begin(terminalId: string): void
  /** its agent starts: until it waits for its first message. One that is watched stays as it is. */
  beginStart(terminalId: string): void
  /** a request arrived or the terminal went: it asks nothing any more */
  end(terminalId: string): void
  /** the terminal's question right now; null if there is none */
  asks(terminalId: string): Asking | null
  /** checks at once if the terminal is watched: something was done there */
  check(terminalId: string): Promise<void>
  /** its agent's hook says that it asks: the screen shows it in a moment */
  told(terminalId: string): void
  /** checks at once, and takes no other question or none from a screen that may be half drawn */
  sized(terminalId: string): Promise<void>
  dispose(): void
}

export interface NeedsWatchDeps {
  clock: Clock
  log: Log
  findTarget: FindTarget
  /**
   * @param isNew another question than the one before, or the screen shows none any more; else only its view changed,
   * or the terminal is no longer watched
   */
  onChange(terminalId: string, asking: Asking | null, isNew: boolean): void
  /** its agent came to rest without another request, for instance because a person broke its turn off in a dialog */
  onRest(terminalId: string): void
}

/** an agent runs its hook before it draws the question */
const TOLD_OFTEN_MS = 50
const TOLD_MS = 3_000
const FIRST_CHECK_MS = 1_500
const OFTEN_MS = 1_500
const SELDOM_MS = 6_000
/** an agent draws its whole screen anew after a change of its size; a busy machine takes a second for that */
const REDRAWN_MS = 3_000
/** after this long without a dialog the tool is simply slow */
const OFTEN_CHECKS = 20
/** an agent that shows neither composer nor dialog for this many checks, five minutes, is not checked any longer */
const START_CHECKS = 65

interface Watched {
  asks: Asking | null
  checks: number
  timer: Disposable | null
  starts: boolean
  signal: LeftSignal
  restsSince: number | null
  /** when its screen is whole again after the last change of its size */
  drawnAt: number
}

export function createNeedsWatch(deps: NeedsWatchDeps): NeedsWatch {
  const watched = new Map<string, Watched>()
  /** until when what a hook said is looked for; it may come a moment before its answer is known to have ended */
  const told = new Map<string, number>()
  const saidToAsk = (terminalId: string) => deps.clock.monotonic() < (told.get(terminalId) ?? -Infinity)

  const set = (terminalId: string, asking: Asking | null) => {
    const entry = watched.get(terminalId)
    if (!entry) return
    const before = entry.asks
    const isNew = asking === null || !isSame(before, asking)
    if (isNew && before !== null && deps.clock.monotonic() < entry.drawnAt) return
    const since = isNew ? deps.clock.now() : before?.since
    entry.asks = asking && { ...asking, ...(since !== undefined && { since }) }
    if (shownOf(before) === shownOf(asking)) return
    // One event per question, however much of the screen around it moves.
    deps.onChange(terminalId, asking, isNew)
  }
  const plan = (terminalId: string, ms: number) => {
    const entry = watched.get(terminalId)
    if (!entry) return
    entry.timer?.dispose()
    entry.timer = deps.clock.after(ms, () => {
      void check(terminalId)
    })
  }
  const check = async (terminalId: string) => {
    const before = watched.get(terminalId)
    const target = deps.findTarget(terminalId)
    if (!before) return
    if (target) {
      try {
        const reading = await target.read()
        // A request may have come in while the terminal was read: then the answer is stale.
        if (watched.get(terminalId) !== before) return
        before.signal.saw(reading)
        const old = before.signal.isOld()
        set(
          terminalId,
          !old && reading.kind === 'hold' && reading.reason.code === 'dialog-open'
            ? { what: saidOf(reading.reason.what, reading.asked ?? null), asked: reading.asked ?? null }
            : null,
        )
        before.restsSince = old || isIdle(reading) ? (before.restsSince ?? deps.clock.monotonic()) : null
        const rests = before.restsSince !== null && (old || deps.clock.monotonic() - before.restsSince >= SIGNAL_MS)
        if (rests && !before.starts) {
          deps.onRest(terminalId)
          return end(terminalId)
        }
        if (reading.kind === 'gone' || (before.starts && hasStarted(reading))) return end(terminalId)
      } catch (error) {
        deps.log.warn({ terminalId, error: messageOf(error) }, 'could not look for an open dialog')
      }
    }
    before.checks++
    if (before.starts && before.asks === null && before.checks >= START_CHECKS) return end(terminalId)
    if (before.asks === null && saidToAsk(terminalId)) return plan(terminalId, TOLD_OFTEN_MS)
    const often = before.checks < OFTEN_CHECKS || deps.clock.monotonic() < before.drawnAt
    plan(terminalId, often ? OFTEN_MS : SELDOM_MS)
  }
  const end = (terminalId: string) => {
    const entry = watched.get(terminalId)
    if (!entry) return
    entry.timer?.dispose()
    watched.delete(terminalId)
    if (!saidToAsk(terminalId)) told.delete(terminalId)
    if (entry.asks !== null) deps.onChange(terminalId, null, false)
  }
  const begin = (terminalId: string, starts: boolean) => {
    watched.set(terminalId, {
      asks: null,
      checks: 0,
      timer: null,
      starts,
      signal: createLeftSignal(deps.clock),
      restsSince: null,
      drawnAt: -Infinity,
    })
    plan(terminalId, saidToAsk(terminalId) ? 0 : FIRST_CHECK_MS)
  }
  const checkNow = async (terminalId: string, drawnAt: number) => {
    const entry = watched.get(terminalId)
    if (!entry) return
    entry.drawnAt = drawnAt
    entry.timer?.dispose()
    await check(terminalId)
  }
  return {
    begin(terminalId) {
      end(terminalId)
      begin(terminalId, false)
    },
    beginStart(terminalId) {
      if (!watched.has(terminalId)) begin(terminalId, true)
    },
    end,
    told(terminalId) {
      told.set(terminalId, deps.clock.monotonic() + TOLD_MS)
      plan(terminalId, 0)
    },
    check: (terminalId) => checkNow(terminalId, -Infinity),
    sized: (terminalId) => checkNow(terminalId, deps.clock.monotonic() + REDRAWN_MS),
    asks: (terminalId) => watched.get(terminalId)?.asks ?? null,
    dispose() {
      for (const id of Array.from(watched.keys())) end(id)
    },
  }
}

/** It can be written to, or a person does. */
const hasStarted = (reading: TerminalReading): boolean =>
  reading.kind === 'ready' || (reading.kind === 'hold' && /^(?:draft|typing|stopped)$/.test(reading.reason.code))
const isIdle = (reading: TerminalReading): boolean => reading.kind === 'composer-holds' || hasStarted(reading)

/** The choice that is selected right now is no part of the question. */
const shownOf = (asking: Asking | null): string =>
  JSON.stringify(asking && [questionOf(asking), asking.asked?.about, asking.asked?.choices])
const questionOf = (asking: Asking | null): string =>
  JSON.stringify(asking && [asking.what, asking.asked?.question, asking.asked?.choices.map(({ label }) => label)])

/** In a terminal of another size the same dialog ends its lines at other words, and its first ones may be hidden. */
function isSame(before: Asking | null, asking: Asking): boolean {
  if (before === null) return false
  if (questionOf(before) === questionOf(asking)) return true
  if (before.asked === null || asking.asked === null || kindOf(before) !== kindOf(asking)) return false
  const [a, b] = [wordsOf(before.asked), wordsOf(asking.asked)]
  return labelsOf(before.asked) === labelsOf(asking.asked) && (isWithin(a, b) || isWithin(b, a))
}

const kindOf = ({ what }: Asking): string => what.replace(/^question: .*/s, 'question')
const labelsOf = ({ choices }: AskedView): string => JSON.stringify(choices.map(({ label }) => label))
const wordsOf = ({ question, about }: AskedView): ReadonlySet<string> =>
  new Set(`${question ?? ''} ${about ?? ''}`.split(/\s+/).filter(Boolean))
const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  some.size > 0 && [...some].every((word) => all.has(word))
