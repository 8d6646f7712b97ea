import type { Spend } from '../../../../shared/cost/cost.ts'
import { isOpen, type AskingDrive, type DriveAsk, type DriveLimits, type OwnDrive } from '../../../../shared/drives.ts'
import type { Disposable } from '../../base/disposable.ts'
import { putNewest } from '../../base/newest.ts'
import { profileOf } from '../../sessions/clients/index.ts'
import { boundOf, newlyReached } from '../../sessions/drives/bounds.ts'
import { mayShowDrive } from '../../sessions/drives/may-show-drive.ts'
import { happened, observe, withHistory, type DriveEvent, type Observation } from '../../sessions/drives/reduce.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import { stepsIn } from '../request/turn-excerpt.ts'
import type { Turn, TurnEnd } from '../turn.ts'
import { createDriveOrders, type DriveOrders, type DriveOrdersDeps } from './drive-orders.ts'
import { keptDrives, type Drives, type KeptDrives } from './kept-drives.ts'
import type { RecordEvent } from '../../../../shared/events.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { graceMs, missedAt, missedOf } from '../../sessions/drives/missed.ts'

/** Sees in requests and answers what agents set themselves to go on by, and keeps it with their sessions. */
export interface DriveWatch extends DriveOrders, Disposable {
  /** a turn, a compaction or a request of a sub-agent begins; its body is still there */
  began(turn: Turn): void
  ended(turn: Turn, end: TurnEnd, spend: Spend): void
  agentEnded(sessionId: string): void
  /** its last turn failed for good */
  failed(sessionId: string): void
  /** Looks from now on for what does not come at its time. */
  start(): void
}

export interface DriveWatchDeps
  extends Omit<DriveOrdersDeps, 'clock' | 'sessions'>, Omit<MissedDrivesDeps, 'sessions'> {
  sessions: Pick<SessionStore, 'get' | 'note' | 'list' | 'flush'>
  budgets(): DriveLimits
  /** a bound is reached, of all or of one of them: a person is asked */
  asks(sessionId: string, bound: DriveAsk & { drive?: AskingDrive }): void
}

/** How many sessions' places in their conversations are remembered; of a forgotten one all is read again. */
const mostPlaces = 2000

export function createDriveWatch(deps: DriveWatchDeps): DriveWatch {
  const { clock, sessions } = deps
  const missed = createMissedDrives(deps, () => drives)
  const drives = keptDrives(sessions, missed.changed)
  /** how many items of its conversation were read */
  const places = new Map<string, number>()

  const seenNow = (turn: Turn | null): Observation => ({
    at: clock.now(),
    live: true,
    version: turn && (/\/v?(\d+\.\d+\.\d+)/.exec(turn.call.headers['user-agent'] ?? '')?.[1] ?? null),
  })
  const happens = (sessionId: string, event: DriveEvent, seen = seenNow(null)) => {
    if (event.type === 'sub-agent' || drives.of(sessionId).length > 0)
      drives.change(sessionId, (all) => happened(all, event, seen))
  }

  function read(turn: Turn, sessionId: string): void {
    const { identity, call, draft } = turn
    const { client } = identity
    const { lens } = draft
    const items = lens.items()
    const asked = lens.asked()[0]?.start ?? 0
    // The agent's calls stand before what is asked.
    const answer = Math.max(0, items.findIndex(({ start }) => start >= asked) - 1)
    const before = places.get(sessionId)
    const from = before === undefined || before > items.length ? answer : Math.min(before, answer)
    putNewest(places, sessionId, items.length, mostPlaces)
    const bytes = (first: number, last: number) =>
      lens.body.subarray(items[first]?.start ?? 0, items[last - 1]?.end ?? 0)
    const steps = (part: Buffer) => stepsIn(call.entry, call.path, part)
    const seen = seenNow(turn)
    const fresh = bytes(from, items.length)
    const known = drives.of(sessionId)
    if (before === undefined && from > 0 && mayShowDrive(client, bytes(0, from))) {
      // A call and its result may stand on both sides, so all of it is read at once.
      const all = steps(bytes(0, items.length))
      const older = all
        .slice(0, all.length - steps(fresh).length)
        .reduce<Drives>((list, step) => observe(client, list, step, { ...seen, live: false }), [])
      drives.change(sessionId, (list) => withHistory(list, older))
    }
    if (known.length > 0 || mayShowDrive(client, fresh))
      drives.change(sessionId, (list) => steps(fresh).reduce((all, step) => observe(client, all, step, seen), list))
  }

  /** Towards the budgets of what goes on by itself. */
  function count(sessionId: string, more: { turns: number; tokens: number; costUsd: number | null }): void {
    if (!drives.of(sessionId).some(isOpen)) return
    const before = sessions.get(sessionId)?.driven ?? {
      since: clock.now(),
      turns: 0,
      tokens: 0,
      costUsd: null,
      asked: null,
    }
    const costUsd = more.costUsd === null ? before.costUsd : (before.costUsd ?? 0) + more.costUsd
    const driven = { ...before, turns: before.turns + more.turns, tokens: before.tokens + more.tokens, costUsd }
    const asked = driven.asked ?? boundOf(driven, deps.budgets(), clock.now())
    sessions.note(sessionId, () => ({ driven: { ...driven, asked } }))
    if (asked && !driven.asked) ask(sessionId, asked)
  }

  function ask(sessionId: string, bound: DriveAsk & { drive?: AskingDrive }): void {
    deps.record({ sessionId }, { type: 'drives-ask', ...bound })
    deps.asks(sessionId, bound)
  }

  /** Their own bounds. */
  function askAtBounds(sessionId: string): void {
    for (const drive of drives.of(sessionId)) {
      const { id, kind, what, bound } = drive
      const asked = newlyReached(drive, clock.now())
      if (!bound || !asked) continue
      drives.change(sessionId, (all) =>
        all.map((one) => (one === drive ? { ...one, bound: { ...bound, asked } } : one)),
      )
      ask(sessionId, { ...asked, drive: { id, kind, what } })
    }
  }

  return {
    ...createDriveOrders(deps, drives),
    began(turn) {
      const { sessionId, kind, subagent, client, retry } = turn.identity
      if (sessionId === null || retry) return
      if (kind === 'subagent')
        happens(sessionId, { type: 'sub-agent', id: subagent ?? 'sub-agent', goesOn: true }, seenNow(turn))
      if (kind === 'compaction') happens(sessionId, { type: 'goal-doubted', why: 'compaction' })
      if (kind !== 'turn') return
      if (profileOf(client).waitsForSubagents) happens(sessionId, { type: 'sub-agents-over' })
      read(turn, sessionId)
      // One whose time is up may be refused before it asks for anything.
      askAtBounds(sessionId)
    },
    ended({ identity: { sessionId, kind, subagent } }, { summary: { usage, finish, complete } }, spend) {
      if (sessionId === null || (kind !== 'turn' && kind !== 'subagent')) return
      const id = kind === 'subagent' ? (subagent ?? 'sub-agent') : null
      const tokens = usage ? usage.input + usage.output : 0
      const stops = complete && finish !== 'tool-calls' && finish !== 'pause-turn'
      if (id !== null || drives.of(sessionId).some(({ works }) => works))
        count(sessionId, { turns: stops && id === null ? 1 : 0, tokens, costUsd: spend.costUsd })
      const turns = id !== null || stops ? 1 : 0
      if (usage || stops) happens(sessionId, { type: 'spent', subagent: id, turns, tokens, ...spend })
      if (stops) happens(sessionId, id === null ? { type: 'stopped' } : { type: 'sub-agent', id, goesOn: false })
      askAtBounds(sessionId)
    },
    agentEnded: (sessionId) => happens(sessionId, { type: 'agent-ended' }),
    failed: (sessionId) => happens(sessionId, { type: 'goal-doubted', why: 'failed' }),
    start: missed.start,
    dispose: missed.dispose,
  }
}

interface MissedDrivesDeps {
  clock: Pick<Clock, 'now' | 'after'>
  sessions: Pick<SessionStore, 'list' | 'flush'>
  /** a turn of it is under way */
  works(sessionId: string): boolean
  record: RecordEvent
  /** whether an alarm takes the place of such a one, and sets it */
  rescues(drive: OwnDrive): boolean
  rescue(sessionId: string, drive: OwnDrive): void
  log: Log
}

interface MissedDrives extends Disposable {
  /** Looks from now on. */
  start(): void
  /** They changed. */
  changed(): void
}

/** Longer ones are looked at again on the way. */
const mostWaitMs = 3_600_000
/** An agent at work is looked at again then. */
const busyMs = 30_000

/** Notices what does not come at its time: one timer looks when the next of them would count as missed. */
function createMissedDrives(deps: MissedDrivesDeps, drives: () => KeptDrives): MissedDrives {
  const { clock, sessions, works, record } = deps
  let timer: Disposable | null = null
  let started = false

  function changed(): void {
    if (!started) return
    timer?.dispose()
    timer = null
    const now = clock.now()
    const times = sessions.list().flatMap(({ id, drives: all, lastActivityAt }) =>
      all.flatMap((drive) => {
        const at = missedAt(drive)
        return at === null ? [] : [Math.max(at, works(id) ? now + busyMs : lastActivityAt + graceMs)]
      }),
    )
    if (times.length > 0) timer = clock.after(Math.min(mostWaitMs, Math.max(0, Math.min(...times) - now)), look)
  }

  function look(): void {
    timer = null
    for (const { id, drives: all, lastActivityAt } of sessions.list()) {
      // An agent at work comes to it when it is idle.
      if (all.length === 0 || works(id)) continue
      for (const drive of missedOf(all, lastActivityAt, clock.now())) missed(id, drive)
    }
    changed()
  }

  function missed(sessionId: string, drive: OwnDrive): void {
    const due = ('latest' in drive && drive.latest) || clock.now()
    const rescued = deps.rescues(drive)
    const state = { is: 'missed', due, at: clock.now(), rescued } as const
    drives().change(sessionId, (all) =>
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

  return {
    changed,
    start() {
      started = true
      look()
    },
    dispose: () => timer?.dispose(),
  }
}
