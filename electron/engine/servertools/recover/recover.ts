import type { RecordEvent } from '../../../../shared/events.ts'
import { providerOfTarget } from '../../../../shared/outage.ts'
import type { RecoverView, TurnFailure } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { problemOf } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import { serial } from '../../base/work.ts'
import { keepDocument } from '../../store/kept.ts'
import type { Store } from '../../store/types.ts'
import { putUnlessPending, takeBack } from '../../terminals/outbox/followups.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import { freeSlot } from '../resume-at-reset/schedule.ts'
import { emptyState, fromFile, recoverSpec, toFile, type Recovery } from './state.ts'

export interface RecoverSettings {
  when: 'armed' | 'always' | 'never'
  text: string
  mostPerOutage: number
  mostPerDay: number
}

export interface RecoverDeps {
  store: Store
  outboxes: Outboxes
  clock: Clock
  random: Random
  record: RecordEvent
  settings(): RecoverSettings
  /** where the session's agent can be typed to, else why it can't */
  scopeOf(sessionId: string): Scope | 'no-terminal' | 'terminal-gone'
  /** a goal or a followup is set there, and not paused */
  isArmed(scope: Scope): boolean
  paused(sessionId: string): boolean
  /** what makes room in its agent's context; null: nothing has to be typed for that */
  compactOf(sessionId: string): string | null
  /** Onward has a key of its own for the provider */
  canAsk(provider: string): boolean
  /** Asks these now and then, until `heard` reports that one answers. Replaces all targets of before. */
  ask(targets: ReadonlySet<string>): void
  onChange(sessionId: string): void
  /** when the disk refused: try again after */
  writeAgainMs?: number
}

/**
 * Sessions whose last turn failed for good go on when one of the models they asked answers again: the session's text is
 * typed, once, and does not count as a round. If models can only be asked with the client's own login, one session
 * after the other tries. If the context was full, the agent's own command makes room first, without waiting for a
 * model.
 */
export interface Recover {
  /** After `outboxes.load()`. */
  start(): Promise<void>
  /**
   * The agent stops asking. `stopped`: a person broke the turn off, or writes.
   * @returns whether it will go on by itself; false: a person is needed
   */
  gaveUp(sessionId: string, failure: TurnFailure, stopped: boolean): boolean
  /** a main turn of the session begins: ours, or the session went on without us */
  began(sessionId: string): void
  /** a main turn of the session was answered */
  wentOn(sessionId: string): void
  /** its agent has asked for a summary of the conversation, whatever came of it */
  compacted(sessionId: string): void
  /** a call to `provider.model` ended */
  heard(target: string, good: boolean): void
  /** @throws OnwardError `store-failed` */
  set(sessionId: string, on: boolean): Promise<void>
  of(sessionId: string): RecoverView
  forget(sessionId: string): void
  dispose(): void
}

/** the wait before each try of its own, if no model can be asked */
const TRIAL_MS = [15_000, 60_000, 120_000, 300_000] as const
const DAY_MS = 24 * 3_600_000

export function createRecover(deps: RecoverDeps): Recover {
  const { outboxes, clock, random, record } = deps
  const all = keepRecoveries(deps, (sessionId, recovery) => type(sessionId, recovery))
  const { schedule, put, end, isWanted, later } = all

  const type = async (sessionId: string, recovery: Recovery): Promise<void> => {
    const scope = deps.scopeOf(sessionId)
    if (!isPlace(scope)) return end(sessionId, 'no-terminal')
    if (!isWanted(sessionId, scope)) return end(sessionId, 'switched-off')
    if (deps.paused(sessionId)) return schedule.later(sessionId)
    const command = recovery.compact === 'first' ? deps.compactOf(sessionId) : null
    const entryId = await putUnlessPending(outboxes, scope, {
      sessionId,
      group: recovery.id,
      text: command ?? deps.settings().text,
      source: 'recover',
      writtenBy: command === null ? 'person' : 'onward',
    })
    // Another text already continues the session, and once is enough.
    if (entryId === null) return end(sessionId, 'went-on')
    const now = clock.now()
    schedule.tried(recovery)
    // A turn may have begun meanwhile: its text is taken back then.
    if (all.get(sessionId) !== recovery) return void (await takeBack(outboxes, entryId, 'new-turn'))
    put(sessionId, {
      ...recovery,
      tries: recovery.tries + 1,
      typed: [...typedToday(recovery, now), now],
      phase: { kind: 'typed', entryId, at: now },
    })
  }
  const takeBackTyped = (sessionId: string, phase: Recovery['phase'] | undefined) => {
    if (phase?.kind === 'typed') later(sessionId, () => takeBack(outboxes, phase.entryId, 'new-turn'))
  }

  return {
    ...all,
    gaveUp(sessionId, failure, stopped) {
      const before = all.get(sessionId)
      const scope = deps.scopeOf(sessionId)
      // Room was made, and the context is full again: its beginning alone may be too long.
      const mayPass = failure.full ? before?.compact === undefined : isPassing(failure.status)
      if (stopped || !mayPass || !isPlace(scope) || !isWanted(sessionId, scope)) {
        if (before) put(sessionId, { ...before, phase: { kind: 'rests' } })
        return false
      }
      const now = clock.now()
      const { mostPerOutage, mostPerDay } = deps.settings()
      const tries = before?.tries ?? 0
      const targets = new Set(failure.tried.map(({ provider, model }) => `${provider}.${model}`))
      if (tries > 0) for (const target of before?.targets ?? []) targets.add(target)
      const next: Recovery = {
        id: random.uuid(),
        targets: [...targets],
        since: tries > 0 ? (before?.since ?? now) : now,
        tries,
        typed: typedToday(before, now),
        compact: !failure.full ? undefined : deps.compactOf(sessionId) === null ? 'done' : 'first',
        phase: { kind: 'rests' },
      }
      if (tries >= mostPerOutage || next.typed.length >= mostPerDay) {
        record({ sessionId }, { type: 'recover-ended', why: 'too-often' })
        put(sessionId, next)
        return false
      }
      const canAsk = next.targets.some((target) => deps.canAsk(providerOfTarget(target)))
      const inMs = failure.full ? 0 : (TRIAL_MS[Math.min(tries, TRIAL_MS.length - 1)] ?? 0)
      const trialAt = canAsk && !failure.full ? null : now + inMs
      if (failure.full) schedule.readyAt(sessionId, now)
      record({ sessionId }, { type: 'recover-waits', targets: next.targets, trialAt })
      put(sessionId, { ...next, phase: { kind: 'waits', trialAt } })
      return true
    },
    began(sessionId) {
      const phase = all.get(sessionId)?.phase
      end(sessionId, 'went-on')
      takeBackTyped(sessionId, phase)
    },
    wentOn(sessionId) {
      const recovery = all.get(sessionId)
      if (!recovery) return
      const typed = typedToday(recovery, clock.now())
      const answered: Recovery = { ...recovery, tries: 0, typed, compact: undefined, phase: { kind: 'rests' } }
      put(sessionId, typed.length === 0 ? null : answered)
    },
    compacted(sessionId) {
      const recovery = all.get(sessionId)
      if (recovery?.compact !== 'first' || recovery.phase.kind === 'rests') return
      takeBackTyped(sessionId, recovery.phase)
      const now = clock.now()
      schedule.readyAt(sessionId, now)
      put(sessionId, { ...recovery, id: random.uuid(), compact: 'done', phase: { kind: 'waits', trialAt: now } })
    },
    heard(target, good) {
      if (good) schedule.answers(target)
    },
  }
}

/** The sessions with a failure and the persons' switches, as they are kept. `type`: the time of a session has come. */
function keepRecoveries(deps: RecoverDeps, type: (sessionId: string, recovery: Recovery) => Promise<void>) {
  const { store, clock, record } = deps
  const queue = serial()
  const kept = keepDocument(
    { store, spec: recoverSpec, empty: emptyState, toFile, fromFile },
    { clock, retryMs: () => deps.writeAgainMs ?? 5_000, queue },
  )
  const recoveries = () => kept.value.sessions
  const tellEngine = (sessionId: string | null, error: unknown) =>
    record({ sessionId }, { type: 'engine-problem', ...problemOf(error, 'recover') })
  const later = (sessionId: string | null, work: () => Promise<unknown>) => {
    queue(work).catch((error: unknown) => tellEngine(sessionId, error))
  }
  const schedule = createSchedule(clock, recoveries, () => later(null, look))
  const look = async (): Promise<void> => {
    for (const [sessionId, recovery] of schedule.waiting()) {
      // The one before it may have been of the same provider.
      if (schedule.readyIn(sessionId, recovery) > 0) continue
      try {
        await type(sessionId, recovery)
      } catch (error) {
        tellEngine(sessionId, error)
        schedule.later(sessionId)
      }
    }
    schedule.plan()
  }
  const ask = () =>
    deps.ask(new Set(schedule.waiting().flatMap(([, { targets, phase }]) => (isAsked(phase) ? targets : []))))
  const put = (sessionId: string, next: Recovery | null) => {
    const sessions = new Map(recoveries())
    sessions.delete(sessionId)
    if (next) sessions.set(sessionId, next)
    if (next?.phase.kind !== 'waits') schedule.forget(sessionId)
    kept.writeLater({ ...kept.value, sessions })
    later(sessionId, kept.writeOwed)
    ask()
    deps.onChange(sessionId)
    schedule.plan()
  }
  const end = (sessionId: string, why: 'went-on' | 'switched-off' | 'no-terminal') => {
    const recovery = recoveries().get(sessionId)
    if (!recovery || recovery.phase.kind === 'rests') return
    // A typed text ends with its turn, and a command of the agent's own begins no turn.
    if (recovery.phase.kind === 'typed' && recovery.compact !== 'first') return
    record({ sessionId }, { type: 'recover-ended', why })
    put(sessionId, { ...recovery, phase: { kind: 'rests' } })
  }
  const isWanted = (sessionId: string, scope: Scope): boolean => {
    const { when } = deps.settings()
    return kept.value.switches.get(sessionId) ?? (when === 'always' || (when === 'armed' && deps.isArmed(scope)))
  }

  return {
    schedule,
    later,
    put,
    end,
    isWanted,
    get: (sessionId: string) => recoveries().get(sessionId),
    start: () =>
      queue(async () => {
        try {
          await kept.load()
        } catch (error) {
          // A file of a newer Onward, say: nothing goes on by itself then, and a switch set now is refused.
          record({}, { type: 'store-problem', file: recoverSpec.path, ...problemOf(error, 'store-failed') })
          return
        }
        ask()
        schedule.start()
      }),
    set: (sessionId: string, on: boolean) =>
      queue(async () => {
        await kept.writeDurable({ ...kept.value, switches: new Map(kept.value.switches).set(sessionId, on) })
        const phase = recoveries().get(sessionId)?.phase
        if (!on && phase?.kind === 'typed') await takeBack(deps.outboxes, phase.entryId, 'person')
        if (!on) end(sessionId, 'switched-off')
        deps.onChange(sessionId)
      }),
    of(sessionId: string): RecoverView {
      const recovery = recoveries().get(sessionId)
      const scope = deps.scopeOf(sessionId)
      return {
        on: isPlace(scope) && isWanted(sessionId, scope),
        waits:
          recovery?.phase.kind === 'waits'
            ? { targets: recovery.targets, tryAt: recovery.phase.trialAt, tries: recovery.tries }
            : null,
      }
    },
    forget(sessionId: string) {
      if (!recoveries().has(sessionId) && !kept.value.switches.has(sessionId)) return
      const switches = new Map(kept.value.switches)
      switches.delete(sessionId)
      kept.writeLater({ ...kept.value, switches })
      put(sessionId, null)
    },
    dispose() {
      schedule.dispose()
      kept.dispose()
    },
  }
}

const isPlace = (scope: ReturnType<RecoverDeps['scopeOf']>): scope is Scope =>
  scope !== 'no-terminal' && scope !== 'terminal-gone'

const isAsked = (phase: Recovery['phase']): boolean => phase.kind === 'waits' && phase.trialAt === null

const typedToday = (recovery: Recovery | undefined, now: number): readonly number[] =>
  recovery?.typed.filter((at) => at > now - DAY_MS) ?? []

/** Worth another try later: the failure was not due to the conversation itself. 200: the answer broke off. */
const isPassing = (status: number): boolean =>
  status < 400 || status === 408 || status === 409 || status === 429 || (status >= 500 && status !== 501)

/** Between two sessions that come back, so that they don't do so all at once; all of them are back within the other. */
const STAGGER_MS = 3_000
const WITHIN_MS = 10_000
/** so long a try of another session is waited for */
const ANOTHER_TRIES_MS = 60_000
/** a session that is paused is looked at again */
const PAUSED_MS = 15_000

/** When each session that waits may be typed to, and one timer for the earliest: it calls `look`. */
function createSchedule(clock: Clock, recoveries: () => ReadonlyMap<string, Recovery>, look: () => void) {
  /** epoch ms from which on a waiting session may be typed to: what it waited for answered */
  const ready = new Map<string, number>()
  /** monotonic: the last try at each provider */
  const lastOf = new Map<string, number>()
  let timer: Disposable | null = null
  let started = false

  const waiting = () => [...recoveries()].filter(([, { phase }]) => phase.kind === 'waits')
  /** ms until its text may be typed; Infinity: unknown */
  const readyIn = (sessionId: string, { targets, phase }: Recovery): number => {
    if (phase.kind !== 'waits') return Infinity
    const answeredAt = ready.get(sessionId)
    if (answeredAt !== undefined) return answeredAt - clock.now()
    const last = Math.max(...targets.map((target) => lastOf.get(providerOfTarget(target)) ?? -Infinity))
    return Math.max((phase.trialAt ?? Infinity) - clock.now(), last + ANOTHER_TRIES_MS - clock.monotonic())
  }
  const plan = () => {
    timer?.dispose()
    timer = null
    const delay = Math.min(...waiting().map(([id, one]) => readyIn(id, one)))
    if (!started || delay === Infinity) return
    // No longer than that: after a sleep what it waits for may have come.
    timer = clock.after(Math.max(0, Math.min(delay, PAUSED_MS)), () => {
      timer = null
      look()
    })
  }

  return {
    waiting,
    readyIn,
    plan,
    start() {
      started = true
      plan()
    },
    readyAt: (sessionId: string, at: number) => void ready.set(sessionId, at),
    /** it is checked again later, and not together with others: a pause of all ends for all at once */
    later(sessionId: string) {
      ready.delete(sessionId)
      ready.set(sessionId, freeSlot([...ready.values()], clock.now() + PAUSED_MS))
    },
    /** its text was queued */
    tried({ targets }: Recovery) {
      for (const target of targets) lastOf.set(providerOfTarget(target), clock.monotonic())
    },
    /** one of the models answers again */
    answers(target: string) {
      const back = waiting().filter(([id, { targets }]) => targets.includes(target) && !ready.has(id))
      const stagger = Math.min(STAGGER_MS, WITHIN_MS / back.length)
      back.forEach(([id], i) => ready.set(id, clock.now() + i * stagger))
      plan()
    },
    forget: (sessionId: string) => void ready.delete(sessionId),
    dispose: () => timer?.dispose(),
  }
}
