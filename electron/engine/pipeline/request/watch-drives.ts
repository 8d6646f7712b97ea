import type { Spend } from '../../../../shared/cost/cost.ts'
import type { OwnDrive } from '../../../../shared/drives.ts'
import type { Clock } from '../../base/clock.ts'
import { putNewest } from '../../base/newest.ts'
import { profileOf } from '../../sessions/clients/index.ts'
import { mayShowDrive } from '../../sessions/drives/may-show-drive.ts'
import { happened, kept, observe, withHistory, type DriveEvent, type Look } from '../../sessions/drives/reduce.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { Turn, TurnEnd } from '../turn.ts'
import { stepsIn } from './turn-excerpt.ts'

/** Sees in requests and answers what agents set themselves to go on by, and keeps it with their sessions. */
export interface DriveWatch {
  /** a turn, or a request of a sub-agent, begins; its body is still there */
  began(turn: Turn): void
  ended(turn: Turn, end: TurnEnd, spend: Spend): void
  agentEnded(sessionId: string): void
}

type Drives = readonly OwnDrive[]

/** How many sessions' places in their conversations are remembered; of a forgotten one all is read again. */
const mostPlaces = 2000

export function createDriveWatch({
  clock,
  sessions,
}: {
  clock: Pick<Clock, 'now'>
  sessions: Pick<SessionStore, 'get' | 'note'>
}): DriveWatch {
  /** how many items of its conversation were read */
  const places = new Map<string, number>()

  function change(sessionId: string, next: (drives: Drives) => Drives): void {
    const before = sessions.get(sessionId)?.drives
    if (!before) return
    const drives = kept(next(before))
    if (drives !== before && !sameDrives(drives, before)) sessions.note(sessionId, () => ({ drives }))
  }
  const happens = (sessionId: string, event: DriveEvent, look = lookAt(null)) => {
    if (event.type === 'sub-agent' || (sessions.get(sessionId)?.drives.length ?? 0) > 0)
      change(sessionId, (drives) => happened(drives, event, look))
  }
  const lookAt = (turn: Turn | null): Look => ({
    at: clock.now(),
    live: true,
    version: turn && (/\/v?(\d+\.\d+\.\d+)/.exec(turn.call.headers['user-agent'] ?? '')?.[1] ?? null),
  })

  function read(turn: Turn, sessionId: string): void {
    const { identity, call, draft } = turn
    const { client } = identity
    const { lens } = draft
    const items = lens.items()
    const asked = lens.asked()[0]?.start ?? 0
    // The agent's calls stand before what is asked.
    const answer = Math.max(0, items.findIndex(({ start }) => start >= asked) - 1)
    const read = places.get(sessionId)
    const from = read === undefined || read > items.length ? answer : Math.min(read, answer)
    putNewest(places, sessionId, items.length, mostPlaces)
    const bytes = (first: number, last: number) =>
      lens.body.subarray(items[first]?.start ?? 0, items[last - 1]?.end ?? 0)
    const steps = (part: Buffer) => stepsIn(call.entry, call.path, part)
    const look = lookAt(turn)
    const history = read === undefined && from > 0 ? bytes(0, from) : null
    const drives = sessions.get(sessionId)?.drives ?? []
    if (history && mayShowDrive(client, history)) {
      const past = { ...look, live: false }
      const seen = steps(history).reduce<Drives>((list, step) => observe(client, list, step, past), [])
      change(sessionId, (known) => withHistory(known, seen))
    }
    const fresh = bytes(from, items.length)
    if (drives.length > 0 || mayShowDrive(client, fresh))
      change(sessionId, (known) => steps(fresh).reduce((list, step) => observe(client, list, step, look), known))
  }

  return {
    began(turn) {
      const { sessionId, kind, subagent, client, retry } = turn.identity
      if (sessionId === null || retry) return
      if (kind === 'subagent')
        happens(sessionId, { type: 'sub-agent', id: subagent ?? 'sub-agent', goesOn: true }, lookAt(turn))
      if (kind !== 'turn') return
      if (profileOf(client).waitsForSubagents) happens(sessionId, { type: 'sub-agents-over' })
      read(turn, sessionId)
    },
    ended({ identity: { sessionId, kind, subagent } }, { summary: { usage, finish, complete } }, spend) {
      if (sessionId === null || (kind !== 'turn' && kind !== 'subagent')) return
      const id = kind === 'subagent' ? (subagent ?? 'sub-agent') : null
      if (usage) happens(sessionId, { type: 'spent', subagent: id, tokens: usage.input + usage.output, ...spend })
      if (!complete || finish === 'tool-calls' || finish === 'pause-turn') return
      happens(sessionId, id === null ? { type: 'stopped' } : { type: 'sub-agent', id, goesOn: false })
    },
    agentEnded: (sessionId) => happens(sessionId, { type: 'agent-ended' }),
  }
}

const sameDrives = (a: Drives, b: Drives): boolean => a.length === b.length && a.every((drive, i) => drive === b[i])
