import { rightsAt } from '../../../shared/fleet.ts'
import type { MachineView } from '../../../shared/machines.ts'
import type { FollowedSubject, SessionView } from '../../../shared/state.ts'
import { pause, type Clock } from '../base/clock.ts'
import type { MachineSource } from '../machine-source.ts'

export interface FollowEngineDeps {
  name: string
  /** undefined: it is in the fleet no more */
  view(): MachineView | undefined
  /** @throws as that engine refuses it */
  ask(operation: string): Promise<unknown>
  watch: MachineSource['watch']
  clock: Clock
  /** that alone is followed, without sessions; absent: everything */
  subject?: FollowedSubject | undefined
}

/** between two questions, while something happens there, and while nothing does */
const askMs = 2_000
const askIdleMs = 10_000

const partsOf: Readonly<Record<FollowedSubject | 'all', readonly string[]>> = {
  all: ['status', 'terminals', 'alarms', 'providers', 'routing'],
  alarms: ['status', 'alarms'],
  providers: ['status', 'providers', 'routing'],
  // a page asks for turns by itself, after each snapshot
  turn: ['status'],
}

/**
 * Follows an engine that can only be asked: its sessions come from the hub as they change, the rest with a new snapshot
 * where it is another one.
 */
export async function* followEngine(
  { name, view, ask, watch, clock, subject }: FollowEngineDeps,
  signal: AbortSignal,
): AsyncIterable<unknown> {
  const parts = partsOf[subject ?? 'all']
  let known: ReadonlyMap<string, SessionView> = new Map()
  let before = ''
  /** it had a turn, perhaps, after it was asked */
  let unsaid = false
  let askedAt = -Infinity
  let wake = new AbortController()
  const watched = watch((update) => {
    if ((typeof update.machine === 'string' ? update.machine : update.machine.name) === name) wake.abort()
  })
  try {
    while (!signal.aborted) {
      const now = view()
      const sessions = new Map(now?.sessions.map((session) => [session.id, session]))
      const fresh = [...sessions.values()].filter((session) => known.get(session.id) !== session)
      const gone = [...known.keys()].filter((id) => !sessions.has(id))
      const isBusy = fresh.length + gone.length > 0
      unsaid ||= isBusy && subject === 'turn'
      if (clock.now() - askedAt >= askMs) {
        const told = await Promise.all(parts.map(async (part) => [part, await ask(part)] as const))
        askedAt = clock.now()
        const rights = now?.fleet && rightsAt(now.fleet)
        const all = { terminals: [], ...Object.fromEntries(told), rights }
        const text = JSON.stringify(all)
        const shown = subject === undefined ? [...sessions.values()] : []
        if (text !== before || unsaid || (isBusy && subject === undefined))
          yield { type: 'snapshot', ...all, sessions: shown }
        before = text
        unsaid = false
      } else if (subject === undefined) {
        for (const session of fresh) yield { type: 'session', session }
        for (const id of gone) yield { type: 'session-removed', id }
      }
      known = sessions
      await pause(clock, isBusy ? askMs : askIdleMs, AbortSignal.any([signal, wake.signal]))
      wake = new AbortController()
    }
  } finally {
    watched.dispose()
  }
}
