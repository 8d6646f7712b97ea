import { createHash, timingSafeEqual } from 'node:crypto'
import type { Scope } from '../../../../shared/words.ts'
import type { Random } from '../../base/ids.ts'
import type { Terminal, PaneRef } from './terminal.ts'

export type FoundTerminal =
  | { kind: 'found'; terminal: Terminal }
  | { kind: 'refused'; code: 'terminal-unknown' | 'terminal-ambiguous' | 'terminal-gone'; message: string }

type Alive = (terminal: Terminal) => boolean

/**
 * Finds by a tmux session's name (never a prefix of it), an exact pane id, or both. One living terminal, or a refusal.
 */
export function findByTmux(
  terminals: Iterable<Terminal>,
  alive: Alive,
  session: string | null,
  paneId: string | null,
): FoundTerminal {
  const what = `tmux ${[session, paneId].filter((part) => part !== null).join(' ')}`
  return only(
    [...terminals].filter(
      ({ pane }) =>
        pane && (session === null || pane.tmuxSession === session) && (paneId === null || pane.paneId === paneId),
    ),
    alive,
    what,
  )
}

export const findByDaemon = (terminals: Iterable<Terminal>, alive: Alive, daemonId: string): FoundTerminal =>
  only(
    [...terminals].filter((terminal) => terminal.daemonId === daemonId),
    alive,
    `daemon ${daemonId}`,
  )

/** Returns the registration of a pane that has not ended. */
export const findByPane = (terminals: Iterable<Terminal>, socket: string, paneId: string): Terminal | null =>
  [...terminals].find(
    (terminal) => terminal.endedAt === null && terminal.pane?.socket === socket && terminal.pane.paneId === paneId,
  ) ?? null

function only(candidates: readonly Terminal[], alive: Alive, what: string): FoundTerminal {
  const living = candidates.filter(alive)
  const [terminal] = living
  if (terminal && living.length === 1) return { kind: 'found', terminal }
  if (terminal) {
    return {
      kind: 'refused',
      code: 'terminal-ambiguous',
      message:
        `${what} has ${living.length} agents (` +
        `${living.map((one) => one.pane?.paneId ?? one.terminalId).join(', ')}), so Onward can't ` +
        'tell which one asks. Start them with "onward", which gives each a key of its own.',
    }
  }
  return candidates.length > 0
    ? { kind: 'refused', code: 'terminal-gone', message: `The terminal ${what} has ended.` }
    : {
        kind: 'refused',
        code: 'terminal-unknown',
        message: `No agent is known in ${what}. Start it with "onward", or register it with "onward register".`,
      }
}

/**
 * Returns the scope of a new terminal, for the life of its registration. A tmux session's first agent has the bare
 * name; while that is taken, by another agent or by state that still waits to be taken over, the pane id is added.
 */
export function assignScope(
  terminal: { terminalId: string; pane: PaneRef | null },
  taken: (scope: Scope) => boolean,
): Scope {
  if (!terminal.pane) return `pty:${terminal.terminalId}`
  const { tmuxSession, paneId, socket } = terminal.pane
  const bare: Scope = `tmux:${tmuxSession}`
  if (!taken(bare)) return bare
  const exact: Scope = `${bare}:${paneId}`
  if (!taken(exact)) return exact
  // the same name and pane id on another tmux server
  const server: Scope = `${exact}@${createHash('sha256').update(socket).digest('hex').slice(0, 8)}`
  for (let n = 2, scope = server; ; n++) {
    if (!taken(scope)) return scope
    scope = `${server}#${n}`
  }
}

/** Lets a person see what it is, and lets logs be searched for a key that slipped in. */
export const keyPrefix = 'owk_'

/** A local key of one terminal: authenticates its client and names the terminal. */
export const mintKey = (random: Random): string => `${keyPrefix}${random.token(24)}`

export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

export function sameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
