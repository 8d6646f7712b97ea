import type { RecordEvent } from '../../../../shared/events.ts'
import { providerOfTarget } from '../../../../shared/outage.ts'
import type { RecoverView, TurnFailure } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import { serial } from '../../base/serial.ts'
import { keep } from '../../store/kept.ts'
import type { Document, Store } from '../../store/types.ts'
import { putFollowup, takeBack } from '../../terminals/outbox/followups.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import { freeSlot } from '../resume-at-reset/schedule.ts'
import {
  emptyState,
  fromFile,
  recoverSpec,
  toFile,
  type Recovery,
  type RecoverFile,
  type RecoverState,
} from './state.ts'

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
/** Between two sessions that come back, so that they don't do so all at once; all of them are back within the other. */
const STAGGER_MS = 3_000
const WITHIN_MS = 10_000
/** so long a try of another session is waited for */
const ANOTHER_TRIES_MS = 60_000
/** a session that is paused is looked at again */
const PAUSED_MS = 15_000
const DAY_MS = 24 * 3_600_000

export function createRecover(deps: RecoverDeps): Recover {
  const { store, outboxes, clock, random, record } = deps
  const queue = serial()
  let document: Document<RecoverFile> | null = null
  const write = async (state: RecoverState) => {
    document ??= await store.document(recoverSpec)
    await document.set(toFile(state))
  }
  const kept = keep<RecoverState>(emptyState, write, { clock, retryMs: () => deps.writeAgainMs ?? 5_000, queue })
  /** epoch ms from which on a waiting session may be typed to: what it waited for answered */
  const ready = new Map<string, number>()
  const lastOf = new Map<string, number>()
  let timer: Disposable | null = null
  let started = false

  const tellEngine = (sessionId: string | null, error: unknown) =>
    record(
      { sessionId },
      {
        type: 'engine-problem',
        code: OnwardError.isInstance(error) ? error.code : 'recover',
        message: messageOf(error),
      },
    )
  const recoveries = () => kept.value.sessions
  const waiting = () => [...recoveries()].filter(([, { phase }]) => phase.kind === 'waits')
  const put = (sessionId: string, next: Recovery | null) => {
    const sessions = new Map(recoveries())
    sessions.delete(sessionId)
    if (next) sessions.set(sessionId, next)
    if (next?.phase.kind !== 'waits') ready.delete(sessionId)
    kept.writeLater({ ...kept.value, sessions })
    queue(kept.writeOwed).catch((error: unknown) => tellEngine(sessionId, error))
    deps.ask(new Set(waiting().flatMap(([, { targets, phase }]) => (isAsked(phase) ? targets : []))))
    deps.onChange(sessionId)
    plan()
  }
  const isWanted = (sessionId: string, scope: Scope): boolean => {
    const { when } = deps.settings()
    return kept.value.switches.get(sessionId) ?? (when === 'always' || (when === 'armed' && deps.isArmed(scope)))
  }
  const isPlace = (scope: ReturnType<RecoverDeps['scopeOf']>): scope is Scope =>
    scope !== 'no-terminal' && scope !== 'terminal-gone'

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
      queue(look).catch((error: unknown) => tellEngine(null, error))
    })
  }
  const look = async (): Promise<void> => {
    for (const [sessionId, recovery] of waiting()) {
      // The one before it may have been of the same provider.
      if (readyIn(sessionId, recovery) > 0) continue
      try {
        await type(sessionId, recovery)
      } catch (error) {
        tellEngine(sessionId, error)
        later(sessionId, recovery)
      }
    }
    plan()
  }
  /** it is checked again later, and not together with others: a pause of all ends for all at once */
  const later = (sessionId: string, { phase }: Recovery) => {
    ready.delete(sessionId)
    if (phase.kind === 'waits') ready.set(sessionId, freeSlot([...ready.values()], clock.now() + PAUSED_MS))
  }
  const end = (sessionId: string, why: 'went-on' | 'switched-off' | 'no-terminal') => {
    const recovery = recoveries().get(sessionId)
    if (!recovery || recovery.phase.kind === 'rests') return
    // A typed text ends with its turn, and a command of the agent's own begins no turn.
    if (recovery.phase.kind === 'typed' && recovery.compact !== 'first') return
    record({ sessionId }, { type: 'recover-ended', why })
    put(sessionId, { ...recovery, phase: { kind: 'rests' } })
  }
  const type = async (sessionId: string, recovery: Recovery): Promise<void> => {
    const scope = deps.scopeOf(sessionId)
    if (!isPlace(scope)) return end(sessionId, 'no-terminal')
    if (!isWanted(sessionId, scope)) return end(sessionId, 'switched-off')
    if (deps.paused(sessionId)) return later(sessionId, recovery)
    const command = recovery.compact === 'first' ? deps.compactOf(sessionId) : null
    const followup = {
      sessionId,
      group: recovery.id,
      text: command ?? deps.settings().text,
      source: 'recover',
      writtenBy: command === null ? 'person' : 'onward',
    } as const
    let entryId: string
    try {
      entryId = await putFollowup(outboxes, scope, followup)
    } catch (error) {
      // Another text already continues the session, and once is enough.
      if (OnwardError.isInstance(error) && error.code === 'entry-pending') return end(sessionId, 'went-on')
      throw error
    }
    const now = clock.now()
    for (const target of recovery.targets) lastOf.set(providerOfTarget(target), clock.monotonic())
    // A turn may have begun meanwhile: its text is taken back then.
    if (recoveries().get(sessionId) !== recovery) return void (await takeBack(outboxes, entryId, 'new-turn'))
    put(sessionId, {
      ...recovery,
      tries: recovery.tries + 1,
      typed: [...recovery.typed.filter((at) => at > now - DAY_MS), now],
      phase: { kind: 'typed', entryId, at: now },
    })
  }
  const takeBackTyped = (sessionId: string, entryId: string) => {
    queue(() => takeBack(outboxes, entryId, 'new-turn')).catch((error: unknown) => tellEngine(sessionId, error))
  }
  const isAsked = (phase: Recovery['phase']): boolean => phase.kind === 'waits' && phase.trialAt === null

  return {
    start: () =>
      queue(async () => {
        try {
          document = await store.document(recoverSpec)
          const file = document.get()
          if (file) kept.keepInMemory(fromFile(file))
        } catch (error) {
          // A file of a newer Onward, say: nothing goes on by itself then, and a switch set now is refused.
          record(
            {},
            {
              type: 'store-problem',
              file: recoverSpec.path,
              code: OnwardError.isInstance(error) ? error.code : 'store-failed',
              message: messageOf(error),
            },
          )
          return
        }
        started = true
        deps.ask(new Set(waiting().flatMap(([, { targets, phase }]) => (isAsked(phase) ? targets : []))))
        plan()
      }),
    gaveUp(sessionId, failure, stopped) {
      const before = recoveries().get(sessionId)
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
      const typed = before?.typed.filter((at) => at > now - DAY_MS) ?? []
      const targets = new Set(failure.tried.map(({ provider, model }) => `${provider}.${model}`))
      if (tries > 0) for (const target of before?.targets ?? []) targets.add(target)
      const next: Recovery = {
        id: random.uuid(),
        targets: [...targets],
        since: tries > 0 ? (before?.since ?? now) : now,
        tries,
        typed,
        compact: !failure.full ? undefined : deps.compactOf(sessionId) === null ? 'done' : 'first',
        phase: { kind: 'rests' },
      }
      if (tries >= mostPerOutage || typed.length >= mostPerDay) {
        record({ sessionId }, { type: 'recover-ended', why: 'too-often' })
        put(sessionId, next)
        return false
      }
      const canAsk = next.targets.some((target) => deps.canAsk(providerOfTarget(target)))
      const inMs = failure.full ? 0 : (TRIAL_MS[Math.min(tries, TRIAL_MS.length - 1)] ?? 0)
      const trialAt = canAsk && !failure.full ? null : now + inMs
      if (failure.full) ready.set(sessionId, now)
      record({ sessionId }, { type: 'recover-waits', targets: next.targets, trialAt })
      put(sessionId, { ...next, phase: { kind: 'waits', trialAt } })
      return true
    },
    began(sessionId) {
      const phase = recoveries().get(sessionId)?.phase
      end(sessionId, 'went-on')
      if (phase?.kind === 'typed') takeBackTyped(sessionId, phase.entryId)
    },
    wentOn(sessionId) {
      const recovery = recoveries().get(sessionId)
      if (!recovery) return
      const typed = recovery.typed.filter((at) => at > clock.now() - DAY_MS)
      const answered: Recovery = { ...recovery, tries: 0, typed, compact: undefined, phase: { kind: 'rests' } }
      put(sessionId, typed.length === 0 ? null : answered)
    },
    compacted(sessionId) {
      const recovery = recoveries().get(sessionId)
      if (recovery?.compact !== 'first' || recovery.phase.kind === 'rests') return
      const { phase } = recovery
      if (phase.kind === 'typed') takeBackTyped(sessionId, phase.entryId)
      const now = clock.now()
      ready.set(sessionId, now)
      put(sessionId, { ...recovery, id: random.uuid(), compact: 'done', phase: { kind: 'waits', trialAt: now } })
    },
    heard(target, good) {
      if (!good) return
      const back = waiting().filter(([id, { targets }]) => targets.includes(target) && !ready.has(id))
      const stagger = Math.min(STAGGER_MS, WITHIN_MS / back.length)
      back.forEach(([id], i) => ready.set(id, clock.now() + i * stagger))
      plan()
    },
    set: (sessionId, on) =>
      queue(async () => {
        await kept.writeDurable({ ...kept.value, switches: new Map(kept.value.switches).set(sessionId, on) })
        const phase = recoveries().get(sessionId)?.phase
        if (!on && phase?.kind === 'typed') await takeBack(outboxes, phase.entryId, 'person')
        if (!on) end(sessionId, 'switched-off')
        deps.onChange(sessionId)
      }),
    of(sessionId) {
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
    forget(sessionId) {
      if (!recoveries().has(sessionId) && !kept.value.switches.has(sessionId)) return
      const switches = new Map(kept.value.switches)
      switches.delete(sessionId)
      kept.writeLater({ ...kept.value, switches })
      put(sessionId, null)
    },
    dispose() {
      timer?.dispose()
      kept.dispose()
    },
  }
}

/** Worth another try later: the failure was not due to the conversation itself. 200: the answer broke off. */
const isPassing = (status: number): boolean =>
  status < 400 || status === 408 || status === 409 || status === 429 || (status >= 500 && status !== 501)
