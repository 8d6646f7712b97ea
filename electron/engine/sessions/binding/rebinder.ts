import type { RecordEvent } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import { atTime, type Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Terminal } from './terminal.ts'
import type { TerminalsRegistry } from './terminals-registry.ts'

/** Moves and removes what is kept under scopes; both calls may be repeated after a crash. */
export interface RebindingEffects {
  /**
   * Copies state, alarms and queue to the new scope, then deletes the old ones; if the target has state, the newer
   * `updatedAt` wins. Repeating a finished move changes nothing. @returns whether there was anything to move
   */
  move(from: Scope, to: Scope): Promise<boolean>
  /** Removes state and queue of a terminal without an heir, and records in the timeline what was removed. */
  clean(scope: Scope): Promise<void>
}

export interface RebinderOptions {
  terminals: TerminalsRegistry
  clock: Clock
  log: Log
  record: RecordEvent
  effects: RebindingEffects
}

export interface Rebinder extends Disposable {
  /** considers the terminal again, which is now known to show another terminal's conversation */
  again(terminalId: string): void
  /** resolves when no terminal is taking over what is bound to another one */
  idle(): Promise<void>
}

/** Carries out rebindings when terminals are registered, end, or show their conversation, and once at the start. */
export function startRebinder({ terminals, clock, log, record, effects }: RebinderOptions): Rebinder {
  const timers = new Map<string, Disposable>()
  /** one after the other: two terminals must not take over the same state */
  let work: Promise<void> = Promise.resolve()

  const queue = (act: () => Promise<void>) => {
    work = work
      .then(act)
      .catch((error: unknown) =>
        log.error({ why: messageOf(error) }, 'a rebinding failed; it is tried again at the next start'),
      )
  }

  const consider = async (terminalId: string) => {
    const to = terminals.get(terminalId)
    const decision = to ? decideRebinding(to, terminals.list(), terminals.alive) : null
    if (decision?.kind !== 'move') return
    const { from } = decision
    // the same scope again needs no move, only an end of the waiting
    const moved = from.scope !== decision.to.scope && (await effects.move(from.scope, decision.to.scope))
    await terminals.settle(from.terminalId, { heir: decision.to.terminalId })
    stopWaiting(from.terminalId)
    if (moved)
      record(
        { scope: decision.to.scope, sessionId: decision.to.sessionId },
        { type: 'rebound', from: from.scope, to: decision.to.scope },
      )
    // an older one of the same client may still wait
    queue(() => consider(terminalId))
  }

  const stopWaiting = (terminalId: string) => {
    timers.get(terminalId)?.dispose()
    timers.delete(terminalId)
  }

  const cleanLater = (terminal: Terminal) => {
    const at = orphanedAt(terminal)
    if (at === null || timers.has(terminal.terminalId)) return
    timers.set(
      terminal.terminalId,
      atTime(clock, at, () => queue(() => clean(terminal.terminalId))),
    )
  }

  const clean = async (terminalId: string) => {
    stopWaiting(terminalId)
    const terminal = terminals.get(terminalId)
    if (!terminal || orphanedAt(terminal) === null) return
    // a later terminal has the same scope: the state there is its own
    const reused = terminals
      .list()
      .some(
        (other) =>
          other.scope === terminal.scope && other.terminalId !== terminalId && other.openedAt >= terminal.openedAt,
      )
    if (!reused) await effects.clean(terminal.scope)
    await terminals.settle(terminalId, { cleanedAt: clock.now() })
  }

  const considerAll = () => {
    for (const terminal of terminals.list()) if (terminal.endedAt === null) queue(() => consider(terminal.terminalId))
  }

  const listening = terminals.onChange((change) => {
    if (change.type === 'registered' || change.type === 'conversation')
      queue(() => consider(change.terminal.terminalId))
    if (change.type === 'ended') {
      considerAll()
      cleanLater(change.terminal)
    }
  })
  // moves a crash interrupted, and waits it cut short
  considerAll()
  for (const terminal of terminals.list()) cleanLater(terminal)

  return {
    again: (terminalId) => queue(() => consider(terminalId)),
    idle: () => work,
    dispose() {
      listening.dispose()
      for (const timer of timers.values()) timer.dispose()
      timers.clear()
    },
  }
}

/** How long a dead terminal's stopMessage state, alarms and queue wait for another to take them over (milliseconds). */
export const orphanWait = 10 * 60 * 1000

export type RebindingDecision =
  | { kind: 'move'; from: Terminal; to: Terminal; why: 'same-daemon' | 'same-conversation' }
  /** the same client, but its old terminal still lives: decided again when that one ends */
  | { kind: 'wait'; from: Terminal; to: Terminal }
  | { kind: 'none' }

/**
 * Decides whether a terminal takes over what was bound to an older one: registered with the same daemon id, or the same
 * client in the same folder with the same conversation after the old terminal died.
 */
export function decideRebinding(
  to: Terminal,
  terminals: readonly Terminal[],
  alive: (terminal: Terminal) => boolean,
): RebindingDecision {
  if (to.endedAt !== null) return { kind: 'none' }
  const older = terminals
    .filter((other) => other.terminalId !== to.terminalId && isFree(other) && other.openedAt <= to.openedAt)
    .toReversed()
  const daemon = older.find((other) => other.daemonId !== null && other.daemonId === to.daemonId)
  if (daemon) return { kind: 'move', from: daemon, to, why: 'same-daemon' }
  const same = older.filter((other) => sameIdentity(other, to))
  const dead = same.find((other) => !alive(other))
  if (dead) return { kind: 'move', from: dead, to, why: 'same-conversation' }
  const [living] = same
  return living ? { kind: 'wait', from: living, to } : { kind: 'none' }
}

/** Returns when an ended terminal's state may be removed; null when there is nothing to remove. */
const orphanedAt = (terminal: Terminal): number | null =>
  terminal.endedAt === null || !isFree(terminal) ? null : terminal.endedAt + orphanWait

/** it has no heir yet, and was not cleaned */
const isFree = (terminal: Terminal) => terminal.heir === null && terminal.cleanedAt === null

/** A conversation's id that Onward made from a scope (`tmux:main#2`) belongs to that terminal and proves nothing. */
const sameIdentity = (one: Terminal, other: Terminal) =>
  one.client === other.client &&
  one.client !== 'other' &&
  one.cwd !== null &&
  one.cwd === other.cwd &&
  one.sessionId !== null &&
  one.sessionId === other.sessionId &&
  !one.sessionId.startsWith(`${one.scope}#`)
