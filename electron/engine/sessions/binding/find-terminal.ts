import type { Terminal } from './terminal.ts'

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
