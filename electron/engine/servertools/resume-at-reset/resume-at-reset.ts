import type { RecordEvent } from '../../../../shared/events.ts'
import type { SessionLimit } from '../../../../shared/routing.ts'
import type { NoticeFact } from '../../../../shared/sentences/types.ts'
import type { EngineStatus } from '../../../../shared/state.ts'
import type { Language, Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Document, Store } from '../../store/types.ts'
import { keep } from '../../store/kept.ts'
import { findFollowups, putFollowup, takeBack } from '../../terminals/outbox/followups.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import { serial } from '../../base/serial.ts'
import { apply, type ResumeEvent, type ResumeEffect } from './apply.ts'
import { createRounds } from './rounds.ts'
import { isOver } from './schedule.ts'
import {
  emptyState,
  fromFile,
  resumeSpec,
  toFile,
  type LimitedSession,
  type ProviderLimit,
  type ResumeFile,
  type ResumeState,
} from './state.ts'
import { failureText, followupText, type FailureCode } from './texts.ts'

type Nameless<T> = T extends { name: string } ? Omit<T, 'name'> : T
export type ResumeNotice = Extract<Nameless<NoticeFact>, { class: 'limit' | 'injection-failed' }>

export interface ResumeAtResetDeps {
  store: Store
  outboxes: Outboxes
  clock: Clock
  random: Random
  record: RecordEvent
  notify(where: { sessionId: string | null; scope: Scope | null }, notice: ResumeNotice): void
  language(): Language
  /** where the session's agent can be typed to, else why it can't */
  scopeOf(sessionId: string): Scope | 'no-terminal' | 'terminal-gone'
  /** what viewers show of the session changed; null: of the providers' limits */
  onChange(sessionId: string | null): void
  /** when the disk refused: try again after */
  writeAgainMs?: number
}

/**
 * Continues sessions that ended at a provider's limit when it lifts, once: where a person switched it on, and where a
 * goal goes on after failures.
 */
export interface ResumeAtReset {
  /** Asks `goesOn` where the switch is off: at a limit, and before it continues. */
  alsoWhere(goesOn: (sessionId: string) => boolean): void
  /** After `outboxes.load()`, and when `alsoWhere` can be asked. Continues the sessions that became due meanwhile. */
  start(): Promise<void>
  /**
   * The whole provider is at its limit, however that was noticed; `limited` is for sessions. Repeating it changes
   * nothing.
   */
  reached(provider: string, limit: ProviderLimit): void
  /** A main turn of the session was answered with the refusal of a limit. */
  limited(sessionId: string, limit: ProviderLimit & { provider: string }): void
  /** A main turn of the session was answered. Costs nothing where no limit stands. */
  wentOn(sessionId: string): void
  /** The provider answered a turn: a limit without a stated time is over. Costs nothing where there is none. */
  answered(provider: string): void
  /** The provider is known to answer again, whatever time it stated. */
  lifted(provider: string): void
  /** @throws OnwardError `store-failed` */
  set(sessionId: string, on: boolean): Promise<void>
  /** Takes back the continuation that waits; the switch stays as it is. @throws OnwardError `nothing-waits` */
  cancel(sessionId: string): Promise<void>
  isOn(sessionId: string): boolean
  limitOf(sessionId: string): SessionLimit | null
  limits(): NonNullable<EngineStatus['limits']>
  dispose(): void
}

export function createResumeAtReset(deps: ResumeAtResetDeps): ResumeAtReset {
  const { store, outboxes, clock, random, record } = deps
  const queue = serial()
  let document: Document<ResumeFile> | null = null
  const write = async (state: ResumeState) => {
    document ??= await store.document(resumeSpec)
    await document.set(toFile(state))
  }
  const kept = keep<ResumeState>(emptyState, write, { clock, retryMs: () => deps.writeAgainMs ?? 5_000, queue })
  let goesOn: (sessionId: string) => boolean = () => false
  /** sessions with work in the queue: what they are is not settled yet */
  const unsettled = new Map<string, number>()

  const commit = async (event: ResumeEvent, how: 'durable' | 'best-effort' = 'best-effort'): Promise<boolean> => {
    const before = kept.value
    const { state, effects } = apply(before, event)
    if (state !== before) await (how === 'durable' ? kept.writeDurable(state) : kept.writeBestEffort(state))
    effects.forEach(tell)
    showChanges(before, state)
    rounds.next(state)
    return state !== before || effects.length > 0
  }
  const tell = (effect: ResumeEffect) => {
    switch (effect.kind) {
      case 'event':
        return record({ sessionId: effect.session }, effect.body)
      case 'notice':
        return deps.notify(
          { sessionId: null, scope: null },
          { class: 'limit', provider: effect.provider, liftsAt: effect.liftsAt, change: effect.change },
        )
      case 'failed':
        return tellFailure(effect.session, effect.why)
    }
  }
  const tellFailure = (sessionId: string, why: FailureCode) => {
    const message = failureText(why, deps.language())
    record({ sessionId }, { type: 'resume-failed', message })
    deps.notify(
      { sessionId, scope: null },
      {
        class: 'injection-failed',
        reason: why === 'terminal-gone' ? { code: 'terminal-gone', why: 'closed' } : { code: 'typing-failed', message },
      },
    )
  }
  const showChanges = (before: ResumeState, after: ResumeState) => {
    for (const session of new Set([...before.limits.keys(), ...after.limits.keys()]))
      if (before.limits.get(session) !== after.limits.get(session)) deps.onChange(session)
    if (before.on !== after.on)
      for (const session of new Set([...before.on.keys(), ...after.on.keys()]))
        if (before.on.has(session) !== after.on.has(session)) deps.onChange(session)
    if (before.providers !== after.providers || before.limits !== after.limits) deps.onChange(null)
  }

  /** @returns whether the session's followup was in the outbox and is not any more */
  const recall = async (sessionId: string, why: 'person' | 'new-turn'): Promise<boolean> => {
    const phase = kept.value.limits.get(sessionId)?.phase
    return phase?.kind === 'continued' && takeBack(outboxes, phase.entryId, why)
  }
  const resume = async (sessionId: string, { id }: LimitedSession): Promise<void> => {
    // Its goal may have ended meanwhile.
    if (!kept.value.on.has(sessionId) && !goesOn(sessionId))
      return void (await commit({ type: 'set', at: clock.now(), session: sessionId, on: false, takenBack: false }))
    const scope = deps.scopeOf(sessionId)
    if (scope === 'no-terminal' || scope === 'terminal-gone')
      return void (await commit({ type: 'failed', session: sessionId, why: scope }))
    const entryId = await putFollowup(outboxes, scope, {
      sessionId,
      group: id,
      text: followupText(deps.language()),
      source: 'clock',
    })
    await commit({ type: 'continued', at: clock.now(), session: sessionId, entryId })
  }
  /** A crash may have come between the two writes: the outbox was written first, and is right. */
  const reconcile = async (): Promise<void> => {
    const waiting = Array.from(kept.value.limits).filter(([, limit]) => limit.phase.kind === 'waits')
    const found = await findFollowups(outboxes, new Set(waiting.map(([, { id }]) => id)))
    for (const [session, { id }] of waiting) {
      const entryId = found.get(id)
      if (entryId !== undefined) await commit({ type: 'continued', at: clock.now(), session, entryId })
    }
  }
  const rounds = createRounds({
    clock,
    queue,
    state: () => kept.value,
    pass: () => commit({ type: 'time', at: clock.now() }),
    resume,
    problem: (sessionId, error) => tellEngine(sessionId, error),
  })

  const tellEngine = (sessionId: string | null, error: unknown) =>
    record(
      { sessionId },
      {
        type: 'engine-problem',
        code: OnwardError.isInstance(error) ? error.code : 'resume-at-reset',
        message: messageOf(error),
      },
    )
  /** Runs work that no client waits for: the client has its answer. */
  const later = (sessionId: string | null, work: () => Promise<unknown>): void => {
    if (sessionId !== null) unsettled.set(sessionId, (unsettled.get(sessionId) ?? 0) + 1)
    const settled = () => {
      if (sessionId === null) return
      const left = (unsettled.get(sessionId) ?? 1) - 1
      if (left === 0) unsettled.delete(sessionId)
      else unsettled.set(sessionId, left)
    }
    queue(work)
      .catch((error: unknown) => tellEngine(sessionId, error))
      .finally(settled)
  }

  return {
    alsoWhere(asked) {
      goesOn = asked
    },
    start: () =>
      queue(async () => {
        try {
          document = await store.document(resumeSpec)
          const file = document.get()
          if (file) kept.keepInMemory(fromFile(file))
          await reconcile()
        } catch (error) {
          // A file of a newer Onward, say: nothing is continued then, and a switch set now is refused.
          record(
            {},
            {
              type: 'store-problem',
              file: resumeSpec.path,
              code: OnwardError.isInstance(error) ? error.code : 'store-failed',
              message: messageOf(error),
            },
          )
        }
        rounds.start()
      }),
    reached: (provider, { since, lifts }) =>
      later(null, () => commit({ type: 'reached', at: clock.now(), provider, since, lifts })),
    limited: (sessionId, { provider, since, lifts }) =>
      later(sessionId, async () => {
        const takenBack = await recall(sessionId, 'new-turn')
        await commit({
          type: 'limited',
          at: clock.now(),
          session: sessionId,
          id: random.uuid(),
          provider,
          since,
          lifts,
          takenBack,
          wanted: goesOn(sessionId),
        })
      }),
    wentOn(sessionId) {
      if (!kept.value.limits.has(sessionId) && !unsettled.has(sessionId)) return
      later(sessionId, async () => {
        await commit({ type: 'went-on', session: sessionId, takenBack: await recall(sessionId, 'new-turn') })
      })
    },
    answered(provider) {
      if (kept.value.providers.get(provider)?.lifts === null)
        later(null, () => commit({ type: 'lifted', at: clock.now(), provider }))
    },
    lifted(provider) {
      if (kept.value.limits.size > 0 || kept.value.providers.has(provider))
        later(null, () => commit({ type: 'lifted', at: clock.now(), provider }))
    },
    set: (sessionId, on) =>
      queue(async () => {
        const takenBack = !on && (await recall(sessionId, 'person'))
        await commit({ type: 'set', at: clock.now(), session: sessionId, on, takenBack }, 'durable')
      }),
    cancel: (sessionId) =>
      queue(async () => {
        const changed = await commit({
          type: 'cancel',
          session: sessionId,
          takenBack: await recall(sessionId, 'person'),
        })
        if (!changed)
          throw new OnwardError('nothing-waits', 'No continuation waits in this session: there is nothing to cancel.', {
            status: 409,
          })
        await kept.flush().catch((error: unknown) => {
          throw new OnwardError(
            'store-failed',
            'Cancelled, but that could not be saved: it may be continued ' +
              `when Onward is started again. ${messageOf(error)}`,
            { cause: error },
          )
        })
      }),
    isOn: (sessionId) => kept.value.on.has(sessionId),
    limitOf(sessionId) {
      const limit = kept.value.limits.get(sessionId)
      if (!limit) return null
      const { provider, since, lifts, phase } = limit
      // If its followup is in the outbox, its limit is over. An entry kept only because it failed so often has no limit
      // any more either.
      if (phase.kind === 'continued' || (phase.kind === 'stands' && isOver(limit, clock.now()))) return null
      return {
        provider,
        since,
        lifts,
        resume: phase.kind === 'waits',
        resumeAt: phase.kind === 'waits' ? phase.resumeAt : null,
      }
    },
    limits() {
      const waiting = Array.from(kept.value.limits.values()).filter((limit) => limit.phase.kind === 'waits')
      return Array.from(kept.value.providers, ([provider, { since, lifts }]) => ({
        provider,
        since,
        lifts,
        resuming: waiting.filter((w) => w.provider === provider).length,
      }))
    },
    dispose() {
      rounds.dispose()
      kept.dispose()
    },
  }
}
