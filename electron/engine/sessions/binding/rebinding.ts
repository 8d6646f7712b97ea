import type { Terminal } from './terminal.ts'

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
export const orphanedAt = (terminal: Terminal): number | null =>
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
