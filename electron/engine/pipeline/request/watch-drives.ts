import type { Spend } from '../../../../shared/cost/cost.ts'
import { isOpen, type OwnDrive } from '../../../../shared/drives.ts'
import type { RecordEvent } from '../../../../shared/events.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { putNewest } from '../../base/newest.ts'
import { profileOf } from '../../sessions/clients/index.ts'
import { boundOf, type DriveBudgets } from '../../sessions/drives/bounds.ts'
import { missedAt, missedOf } from '../../sessions/drives/missed.ts'
import { mayShowDrive } from '../../sessions/drives/may-show-drive.ts'
import { happened, kept, observe, withHistory, type DriveEvent, type Look } from '../../sessions/drives/reduce.ts'
import type { Driven } from '../../sessions/session-state.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { Turn, TurnEnd } from '../turn.ts'
import { stepsIn } from './turn-excerpt.ts'

/** Sees in requests and answers what agents set themselves to go on by, and keeps it with their sessions. */
export interface DriveWatch extends Disposable {
  /** a turn, or a request of a sub-agent, begins; its body is still there */
  began(turn: Turn): void
  ended(turn: Turn, end: TurnEnd, spend: Spend): void
  agentEnded(sessionId: string): void
  /** its last turn failed for good */
  failed(sessionId: string): void
  /**
   * A person stops these of a session's drives, null: all. @returns those that its agent is to be told of
   * @throws `drive-unknown`
   */
  stop(sessionId: string, drive: string | null): readonly OwnDrive[]
  /** A person lets all of a session's go on, past a bound: they count anew. */
  letGoOn(sessionId: string): void
  /** Looks from now on for what does not come at its time. */
  start(): void
  /** @throws `drive-stopped`: the turn is of a drive that a person stopped, and the config has such turns refused */
  refuse(turn: Turn): void
}

type Drives = readonly OwnDrive[]

/** How many sessions' places in their conversations are remembered; of a forgotten one all is read again. */
const mostPlaces = 2000

export interface DriveWatchDeps {
  clock: Pick<Clock, 'now' | 'after'>
  sessions: Pick<SessionStore, 'get' | 'list' | 'note' | 'flush'>
  /** turns of what a person stopped, or of what goes on while all is paused, are answered with an error */
  refuses(): boolean
  budgets(): DriveBudgets
  paused(sessionId: string): boolean
  /** a turn of it is under way */
  works(sessionId: string): boolean
  record: RecordEvent
  /** a bound is reached: a person is asked */
  asks(sessionId: string, bound: NonNullable<Driven['asked']>): void
  /** Sets an alarm in the place of one that did not come. */
  rescue(sessionId: string, drive: OwnDrive): void
  rescues(drive: OwnDrive): boolean
  log: Log
}

/** Longer ones are looked at again on the way. */
const mostWaitMs = 3_600_000

export function createDriveWatch(deps: DriveWatchDeps): DriveWatch {
  const { clock, sessions, refuses, paused, record } = deps
  /** how many items of its conversation were read */
  const places = new Map<string, number>()

  function change(sessionId: string, next: (drives: Drives) => Drives): void {
    const before = sessions.get(sessionId)?.drives
    if (!before) return
    const drives = kept(next(before))
    if (drives === before || sameDrives(drives, before)) return
    sessions.note(sessionId, (facts) => ({ drives, driven: drives.some(isOpen) ? facts.driven : null }))
    lookLater()
  }

  function count(sessionId: string, more: { turns: number; tokens: number; costUsd: number | null }): void {
    const state = sessions.get(sessionId)
    if (!state?.drives.some(isOpen)) return
    const before = state.driven ?? { since: clock.now(), turns: 0, tokens: 0, costUsd: null, asked: null }
    const costUsd = more.costUsd === null ? before.costUsd : (before.costUsd ?? 0) + more.costUsd
    const driven = { ...before, turns: before.turns + more.turns, tokens: before.tokens + more.tokens, costUsd }
    const asked = driven.asked ?? boundOf(driven, deps.budgets(), clock.now())
    sessions.note(sessionId, () => ({ driven: { ...driven, asked } }))
    if (!asked || driven.asked) return
    record({ sessionId }, { type: 'drives-ask', ...asked })
    deps.asks(sessionId, asked)
  }

  let timer: Disposable | null = null
  let started = false
  /** One timer for all: it looks when the next of them would count as missed. */
  function lookLater(): void {
    if (!started) return
    timer?.dispose()
    timer = null
    const next = Math.min(
      ...sessions.list().flatMap(({ drives }) => drives.map((drive) => missedAt(drive) ?? Number.POSITIVE_INFINITY)),
    )
    if (next === Number.POSITIVE_INFINITY) return
    const wait = Math.min(mostWaitMs, Math.max(1000, next - clock.now()))
    timer = clock.after(wait, lookForMissed)
  }

  function lookForMissed(): void {
    timer = null
    for (const { id, drives, lastActivityAt } of sessions.list()) {
      // An agent at work comes to it when it is idle.
      if (drives.length === 0 || deps.works(id)) continue
      for (const drive of missedOf(drives, lastActivityAt, clock.now())) missed(id, drive)
    }
    lookLater()
  }

  function missed(sessionId: string, drive: OwnDrive): void {
    const due = ('latest' in drive && drive.latest) || clock.now()
    const rescued = deps.rescues(drive)
    const state = { is: 'missed', due, at: clock.now(), rescued } as const
    change(sessionId, (all) =>
      all.map((one) => (one.id === drive.id ? ({ ...one, next: null, latest: null, state } as OwnDrive) : one)),
    )
    record({ sessionId }, { type: 'drive', did: rescued ? 'rescued' : 'missed', kind: drive.kind, what: drive.what })
    if (!rescued) return
    // It is on the disk first that this was done: once at most, whatever ends the engine.
    sessions
      .flush()
      .then(() => deps.rescue(sessionId, drive))
      .catch((error: unknown) =>
        deps.log.error({ sessionId, error: messageOf(error) }, 'what an agent missed could not become an alarm'),
      )
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
    const drives = sessions.get(sessionId)?.drives ?? []
    const fresh = bytes(from, items.length)
    if (read === undefined && from > 0 && mayShowDrive(client, bytes(0, from))) {
      // A call and its result may stand on both sides, so all of it is read at once.
      const all = steps(bytes(0, items.length))
      const past = { ...look, live: false }
      const seen = all
        .slice(0, all.length - steps(fresh).length)
        .reduce<Drives>((list, step) => observe(client, list, step, past), [])
      change(sessionId, (known) => withHistory(known, seen))
    }
    if (drives.length > 0 || mayShowDrive(client, fresh))
      change(sessionId, (known) => steps(fresh).reduce((list, step) => observe(client, list, step, look), known))
  }

  /** They count anew, and nothing is asked. */
  const settle = (sessionId: string) => {
    if (sessions.get(sessionId)?.driven) sessions.note(sessionId, () => ({ driven: null }))
  }

  return {
    began(turn) {
      const { sessionId, kind, subagent, client, retry } = turn.identity
      if (sessionId === null || retry) return
      if (kind === 'subagent')
        happens(sessionId, { type: 'sub-agent', id: subagent ?? 'sub-agent', goesOn: true }, lookAt(turn))
      if (kind === 'compaction') happens(sessionId, { type: 'goal-doubted', why: 'compaction' })
      if (kind !== 'turn') return
      if (profileOf(client).waitsForSubagents) happens(sessionId, { type: 'sub-agents-over' })
      read(turn, sessionId)
    },
    ended({ identity: { sessionId, kind, subagent } }, { summary: { usage, finish, complete } }, spend) {
      if (sessionId === null || (kind !== 'turn' && kind !== 'subagent')) return
      const id = kind === 'subagent' ? (subagent ?? 'sub-agent') : null
      const tokens = usage ? usage.input + usage.output : 0
      const stops = complete && finish !== 'tool-calls' && finish !== 'pause-turn'
      if (id !== null || sessions.get(sessionId)?.drives.some(({ works }) => works))
        count(sessionId, { turns: stops && id === null ? 1 : 0, tokens, costUsd: spend.costUsd })
      if (usage) happens(sessionId, { type: 'spent', subagent: id, tokens, ...spend })
      else lookLater()
      if (!stops) return
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
      record(
        { sessionId },
        {
          type: 'drive',
          did: 'stop',
          kind: wanted === null ? null : (chosen[0]?.kind ?? null),
          what: wanted === null ? null : (chosen[0]?.what ?? null),
        },
      )
      settle(sessionId)
      return chosen
    },
    letGoOn(sessionId) {
      if (sessions.get(sessionId)?.driven?.asked)
        record({ sessionId }, { type: 'drive', did: 'let', kind: null, what: null })
      settle(sessionId)
    },
    failed: (sessionId) => happens(sessionId, { type: 'goal-doubted', why: 'failed' }),
    start() {
      started = true
      lookForMissed()
    },
    dispose: () => timer?.dispose(),
    refuse({ identity: { sessionId, kind } }) {
      if (sessionId === null || kind !== 'turn' || !refuses()) return
      const held = paused(sessionId) || Boolean(sessions.get(sessionId)?.driven?.asked)
      const drive = sessions
        .get(sessionId)
        ?.drives.find(({ works, state }) => works && (held || state.is === 'stopping' || state.is === 'stopped'))
      if (!drive) return
      const what = drive.what === null ? '' : ` (“${drive.what}”)`
      if (drive.state.is !== 'stopping' && drive.state.is !== 'stopped')
        throw new OnwardError(
          'drive-paused',
          `Onward refuses this turn: the session is paused, or waits for a person’s word on what goes on by itself, ` +
            `and the agent’s own ${drive.kind} began it${what}. Resume it, let it go on, or ` +
            ' turn “drives.refuse” off in the config.',
          { status: 400 },
        )
      change(sessionId, (drives) => happened(drives, { type: 'refused', id: drive.id }, lookAt(null)))
      record({ sessionId }, { type: 'drive', did: 'refused', kind: drive.kind, what: drive.what })
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
