import type { Spend } from '../../../../shared/cost/cost.ts'
import { isOpen, type OwnDrive } from '../../../../shared/drives.ts'
import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
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
  /**
   * A person stops these of a session's drives, null: all. @returns those that its agent is to be told of
   * @throws `drive-unknown`
   */
  stop(sessionId: string, drive: string | null): readonly OwnDrive[]
  /** @throws `drive-stopped`: the turn is of a drive that a person stopped, and the config has such turns refused */
  refuse(turn: Turn): void
}

type Drives = readonly OwnDrive[]

/** How many sessions' places in their conversations are remembered; of a forgotten one all is read again. */
const mostPlaces = 2000

export function createDriveWatch({
  clock,
  sessions,
  refuses,
  paused,
}: {
  clock: Pick<Clock, 'now'>
  sessions: Pick<SessionStore, 'get' | 'note'>
  /** turns of what a person stopped are answered with an error */
  refuses(): boolean
  paused(sessionId: string): boolean
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
    stop(sessionId, wanted) {
      const chosen = (sessions.get(sessionId)?.drives ?? []).filter(
        (drive) => isOpen(drive) && (wanted === null || drive.id === wanted),
      )
      if (chosen.length === 0)
        throw new OnwardError(
          'drive-unknown',
          wanted === null
            ? 'Nothing besides Onward keeps this agent going, as far as its requests show.'
            : `Nothing of the agent that goes on is called ${wanted}. “onward drives” lists what does.`,
          { status: 404 },
        )
      change(sessionId, (drives) =>
        drives.map((drive) =>
          chosen.includes(drive)
            ? { ...drive, state: { is: 'stopping', at: clock.now(), ...(refuses() && { refuses: true as const }) } }
            : drive,
        ),
      )
      return chosen
    },
    refuse({ identity: { sessionId, kind } }) {
      if (sessionId === null || kind !== 'turn' || !refuses()) return
      const held = paused(sessionId)
      const drive = sessions
        .get(sessionId)
        ?.drives.find(({ works, state }) => works && (held || state.is === 'stopping' || state.is === 'stopped'))
      if (!drive) return
      const what = drive.what === null ? '' : ` (“${drive.what}”)`
      if (drive.state.is !== 'stopping' && drive.state.is !== 'stopped')
        throw new OnwardError(
          'drive-paused',
          `Onward refuses this turn: the session is paused, and the agent’s own ${drive.kind} began it${what}. ` +
            'Resume it, or turn “drives.refuse” off in the config.',
          { status: 400 },
        )
      change(sessionId, (drives) => happened(drives, { type: 'refused', id: drive.id }, lookAt(null)))
      throw new OnwardError(
        'drive-stopped',
        `Onward refuses this turn: a person stopped what began it${what}. ` +
          'Your next message is answered; “drives.refuse” in the config turns this off.',
        { status: 400 },
      )
    },
  }
}

const sameDrives = (a: Drives, b: Drives): boolean => a.length === b.length && a.every((drive, i) => drive === b[i])
