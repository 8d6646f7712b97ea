import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { messageOf } from '../../base/errors.ts'
import type { NewTerminal, PaneRef } from './terminal.ts'
import type { FindProcess } from '../types.ts'

/** A tmux pane in which an agent runs, as it is registered when it was started by hand. */
export interface FoundPane extends NewTerminal {
  kind: 'tmux'
  home: 'pane'
  pane: PaneRef
  /** `$3`: tmux's own id of the session, by which a client may name it as well */
  tmuxSessionId: string
}

/** The questions that tmux can answer; implemented by terminals/. */
export interface PaneSource {
  /** the pane whose terminal device this is, when an agent runs in front; `sockets`: servers to look on besides */
  paneOfTty(tty: string, sockets: readonly string[]): Promise<FoundPane | null>
}

/** The pane of a hand-started client. */
export interface PaneLookup {
  /** where the calling process lives, as the system shows it; the caller's own words don't count */
  ofProcess(find: FindProcess, sockets: readonly string[]): Promise<FoundPane | null>
}

/** An answer holds for this long (milliseconds): an agent asks many times in a row, and asking tmux costs a process. */
const holdsFor = 5000
/** Shorter: an agent may be about to start, or hand its terminal to a tool and back. */
const noneHoldsFor = 500

export function createPaneLookup({ panes, clock, log }: { panes: PaneSource; clock: Clock; log: Log }): PaneLookup {
  const recent = new Map<string, { at: number; found: FoundPane | null }>()

  const paneOf = async (tty: string, sockets: readonly string[]): Promise<FoundPane | null> => {
    const last = recent.get(tty)
    if (last && clock.monotonic() - last.at < (last.found ? holdsFor : noneHoldsFor)) return last.found
    const found = await panes.paneOfTty(tty, sockets)
    if (recent.size >= 1000) recent.clear()
    recent.set(tty, { at: clock.monotonic(), found })
    return found
  }

  return {
    async ofProcess(find, sockets) {
      try {
        const process = await find()
        return process?.tty ? await paneOf(process.tty, sockets) : null
      } catch (error) {
        // a request is never refused for this; it has no scope then, and the log says so
        log.warn({ why: messageOf(error) }, 'the terminal of a client could not be looked for')
        return null
      }
    },
  }
}
