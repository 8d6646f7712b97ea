import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { messageOf } from '../base/errors.ts'
import type { PeerFinder } from './peer.ts'
import type { NewTerminal, PaneRef } from './terminal.ts'

/** A tmux pane in which an agent runs, as it is registered when it was started by hand. */
export interface FoundPane extends NewTerminal {
  kind: 'tmux'
  home: 'pane'
  pane: PaneRef
}

/** What tmux can be asked; implemented by terminals/. */
export interface PaneSource {
  /** panes in which an agent runs in front; by exact session name or `$id`, and by exact pane id where given */
  agentPanes(session: string | null, paneId: string | null): Promise<readonly FoundPane[]>
  /** the pane whose terminal device this is, when an agent runs in front */
  paneOfTty(tty: string): Promise<FoundPane | null>
}

/** The pane of a hand-started client: exactly one answer, or none. */
export interface PaneLookup {
  bySession(session: string | null, paneId: string | null): Promise<FoundPane | null>
  byPeer(remotePort: number): Promise<FoundPane | null>
}

/** An answer holds for this long (milliseconds): an agent asks many times in a row, and asking tmux costs a process. */
const holdsFor = 5000

export function createPaneLookup(deps: {
  panes: PaneSource
  peers: PeerFinder | null
  clock: Clock
  log: Log
}): PaneLookup {
  const { panes, peers, clock, log } = deps
  const recent = new Map<string, { at: number; found: FoundPane | null }>()

  const looked = async (key: string, look: () => Promise<FoundPane | null>): Promise<FoundPane | null> => {
    const last = recent.get(key)
    if (last && clock.monotonic() - last.at < holdsFor) return last.found
    const found = await look().catch((error: unknown) => {
      // a request is never refused for this; it has no scope then, and says so
      log.warn({ why: messageOf(error) }, 'the terminal of a client could not be looked for')
      return null
    })
    if (recent.size >= 1000) recent.clear()
    recent.set(key, { at: clock.monotonic(), found })
    return found
  }

  return {
    bySession: (session, paneId) =>
      looked(`${session ?? ''} ${paneId ?? ''}`, async () => {
        const found = await panes.agentPanes(session, paneId)
        return found.length === 1 ? (found[0] ?? null) : null
      }),
    byPeer: (remotePort) =>
      looked(`port ${remotePort}`, async () => {
        const peer = await peers?.find(remotePort)
        return peer?.tty ? panes.paneOfTty(peer.tty) : null
      }),
  }
}
