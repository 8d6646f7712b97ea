import type { ClientKind } from '../../../shared/words.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { agents } from './agents/index.ts'
import type { FindTarget, TerminalReading } from './types.ts'

/**
 * Finds agents that answer while none of their calls comes to Onward, whatever led the calls elsewhere: texts that wait
 * for the end of a turn would wait there for ever. A terminal is read until its first call.
 */
export interface CallsWatch extends Disposable {
  /** its agent starts, or was found running */
  begin(terminal: { terminalId: string; client: ClientKind; command: string; origin: 'launched' | 'found' }): void
  /** a call of it came, or it ended */
  end(terminalId: string): void
  /** it answered, and no call came */
  elsewhere(terminalId: string): boolean
}

export interface CallsWatchDeps {
  clock: Clock
  log: Log
  findTarget: FindTarget
  onChange(terminalId: string, elsewhere: boolean): void
}

const LOOK_MS = 3_000
/** how long after an answer its call may come: the provider may end it late, or the machine be slow to report it */
const CALL_WITHIN_MS = 20_000

interface Watched {
  timer: Disposable
  /** a line that shows something said by either side */
  said: RegExp | null
  /** it has waited for a message */
  waited: boolean
  /** the words on its screen were said since it started */
  since: boolean
  answeredAt: number | null
}

export function createCallsWatch({ clock, log, findTarget, onChange }: CallsWatchDeps): CallsWatch {
  const watched = new Map<string, Watched>()
  const past = new Set<string>()

  const look = async (terminalId: string, entry: Watched): Promise<void> => {
    const reading = await findTarget(terminalId)?.read()
    // a call may have come meanwhile
    if (watched.get(terminalId) !== entry) return
    if (reading) note(entry, reading, clock.now())
    if (entry.answeredAt !== null && clock.now() - entry.answeredAt >= CALL_WITHIN_MS) {
      watched.delete(terminalId)
      past.add(terminalId)
      return onChange(terminalId, true)
    }
    entry.timer = clock.after(LOOK_MS, () => void check(terminalId, entry))
  }
  const check = (terminalId: string, entry: Watched): Promise<void> =>
    look(terminalId, entry).catch((error: unknown) => {
      log.debug({ terminalId, error: messageOf(error) }, 'a terminal without calls could not be read')
      if (watched.get(terminalId) === entry) entry.timer = clock.after(LOOK_MS, () => void check(terminalId, entry))
    })
  const end = (terminalId: string) => {
    watched.get(terminalId)?.timer.dispose()
    watched.delete(terminalId)
    if (past.delete(terminalId)) onChange(terminalId, false)
  }
  return {
    begin({ terminalId, client, command, origin }) {
      end(terminalId)
      const entry: Watched = {
        timer: clock.after(LOOK_MS, () => void check(terminalId, entry)),
        said: agents[client].screen?.fresh.said ?? null,
        waited: false,
        since: origin === 'launched' && !goesOn(client, command),
        answeredAt: null,
      }
      watched.set(terminalId, entry)
    },
    end,
    elsewhere: (terminalId) => past.has(terminalId),
    dispose() {
      for (const { timer } of watched.values()) timer.dispose()
      watched.clear()
    },
  }
}

/** A resumed conversation stands on the screen from the start: only after work is there a new answer. */
function note(entry: Watched, reading: TerminalReading, now: number): void {
  if (reading.kind === 'hold' && reading.reason.code === 'agent-busy') entry.since ||= entry.waited
  if (reading.kind !== 'ready') return
  entry.waited = true
  if (reading.answered || (entry.since && reading.above?.some((line) => entry.said?.test(line))))
    entry.answeredAt ??= now
}

/** `-c` is Codex's for its configuration. */
const goesOn = (client: ClientKind, command: string): boolean =>
  /(?:^|[ -])(?:resume|continue|session|fork)|(?:^| )-[rsS](?: |$)/.test(command) ||
  (client !== 'codex' && /(?:^| )-[cC](?: |$)/.test(command))
