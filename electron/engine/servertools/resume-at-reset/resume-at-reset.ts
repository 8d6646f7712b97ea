import type { RecordEvent } from '../../../../shared/events.ts'
import type { SessionLimit } from '../../../../shared/routing.ts'
import type { NoticeFact } from '../../../../shared/sentences/types.ts'
import type { EngineStatus } from '../../../../shared/state.ts'
import type { Language, Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf, OnwardError, problemOf } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Store } from '../../store/types.ts'
import { keepDocument, type Kept } from '../../store/kept.ts'
import { findFollowups, putFollowup, takeBack } from '../../terminals/outbox/followups.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import { serial, type Serial } from '../../base/work.ts'
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
  type ResumeState,
} from './state.ts'
import { failureText, followupText } from './texts.ts'

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
  /**
   * A main turn of the session was answered, or begins without a person (`byItself`, asked only where a limit stands).
   */
  wentOn(sessionId: string, byItself?: () => boolean): void
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
  const { store, clock, random, record } = deps
  const queue = serial()
  const kept = keepDocument(
    { store, spec: resumeSpec, empty: emptyState, toFile, fromFile },
    { clock, retryMs: () => deps.writeAgainMs ?? 5_000, queue },
  )
  let goesOn: (sessionId: string) => boolean = () => false

  const commit = async (event: ResumeEvent, how: 'durable' | 'best-effort' = 'best-effort'): Promise<boolean> => {
    const before = kept.value
    const { state, effects } = apply(before, event)
    if (state !== before) await (how === 'durable' ? kept.writeDurable(state) : kept.writeBestEffort(state))
    for (const effect of effects) tell(deps, effect)
    for (const session of changedSessions(before, state)) deps.onChange(session)
    if (before.providers !== state.providers || before.limits !== state.limits) deps.onChange(null)
    rounds.next(state)
    return state !== before || effects.length > 0
  }
  const { recall, resume, reconcile } = continuing(deps, kept, commit, (sessionId) => goesOn(sessionId))
  const rounds = createRounds({
    clock,
    queue,
    state: () => kept.value,
    pass: () => commit({ type: 'time', at: clock.now() }),
    resume,
    problem: (sessionId, error) => tellEngine(sessionId, error),
  })

  const tellEngine = (sessionId: string | null, error: unknown) =>
    record({ sessionId }, { type: 'engine-problem', ...problemOf(error, 'resume-at-reset') })
  const { later, isUnsettled } = inBackground(queue, tellEngine)

  return {
    alsoWhere(asked) {
      goesOn = asked
    },
    start: () =>
      queue(async () => {
        try {
          await kept.load()
          await reconcile()
        } catch (error) {
          // A file of a newer Onward, say: nothing is continued then, and a switch set now is refused.
          record({}, { type: 'store-problem', file: resumeSpec.path, ...problemOf(error, 'store-failed') })
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
    wentOn(sessionId, byItself = () => true) {
      if ((!kept.value.limits.has(sessionId) && !isUnsettled(sessionId)) || !byItself()) return
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
      return limit ? shownLimit(limit, clock.now()) : null
    },
    limits: () => shownProviders(kept.value),
    dispose() {
      rounds.dispose()
      kept.dispose()
    },
  }
}

/** The followups of sessions that go on. */
function continuing(
  { outboxes, clock, language, scopeOf }: ResumeAtResetDeps,
  kept: Kept<ResumeState>,
  commit: (event: ResumeEvent) => Promise<boolean>,
  goesOn: (sessionId: string) => boolean,
) {
  return {
    /** @returns whether the session's followup was in the outbox and is not any more */
    async recall(sessionId: string, why: 'person' | 'new-turn'): Promise<boolean> {
      const phase = kept.value.limits.get(sessionId)?.phase
      return phase?.kind === 'continued' && takeBack(outboxes, phase.entryId, why)
    },
    async resume(sessionId: string, { id }: LimitedSession): Promise<void> {
      // Its goal may have ended meanwhile.
      if (!kept.value.on.has(sessionId) && !goesOn(sessionId))
        return void (await commit({ type: 'set', at: clock.now(), session: sessionId, on: false, takenBack: false }))
      const scope = scopeOf(sessionId)
      if (scope === 'no-terminal' || scope === 'terminal-gone')
        return void (await commit({ type: 'failed', session: sessionId, why: scope }))
      const followup = { sessionId, group: id, text: followupText(language()), source: 'clock' } as const
      const entryId = await putFollowup(outboxes, scope, followup)
      await commit({ type: 'continued', at: clock.now(), session: sessionId, entryId })
    },
    /** A crash may have come between the two writes: the outbox was written first, and is right. */
    async reconcile(): Promise<void> {
      const waiting = Array.from(kept.value.limits).filter(([, limit]) => limit.phase.kind === 'waits')
      const found = await findFollowups(outboxes, new Set(waiting.map(([, { id }]) => id)))
      for (const [session, { id }] of waiting) {
        const entryId = found.get(id)
        if (entryId !== undefined) await commit({ type: 'continued', at: clock.now(), session, entryId })
      }
    },
  }
}

/** Runs work that no client waits for: the client has its answer. */
function inBackground(queue: Serial, problem: (sessionId: string | null, error: unknown) => void) {
  /** sessions with work in the queue: what they are is not settled yet */
  const unsettled = new Map<string, number>()
  const count = (sessionId: string | null, by: 1 | -1) => {
    if (sessionId === null) return
    const left = (unsettled.get(sessionId) ?? 0) + by
    if (left === 0) unsettled.delete(sessionId)
    else unsettled.set(sessionId, left)
  }
  return {
    isUnsettled: (sessionId: string) => unsettled.has(sessionId),
    later(sessionId: string | null, work: () => Promise<unknown>): void {
      count(sessionId, 1)
      queue(work)
        .catch((error: unknown) => problem(sessionId, error))
        .finally(() => count(sessionId, -1))
    },
  }
}

function tell(deps: ResumeAtResetDeps, effect: ResumeEffect): void {
  switch (effect.kind) {
    case 'event':
      return deps.record({ sessionId: effect.session }, effect.body)
    case 'notice':
      return deps.notify(
        { sessionId: null, scope: null },
        { class: 'limit', provider: effect.provider, liftsAt: effect.liftsAt, change: effect.change },
      )
    case 'failed': {
      const { session: sessionId, why } = effect
      const message = failureText(why, deps.language())
      deps.record({ sessionId }, { type: 'resume-failed', message })
      const reason =
        why === 'terminal-gone'
          ? ({ code: 'terminal-gone', why: 'closed' } as const)
          : ({ code: 'typing-failed', message } as const)
      return deps.notify({ sessionId, scope: null }, { class: 'injection-failed', reason })
    }
  }
}

/** Those whose limit, and then those whose switch is another one. */
function changedSessions(before: ResumeState, after: ResumeState): readonly string[] {
  const keysOf = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>) =>
    new Set([...a.keys(), ...b.keys()])
  return [
    ...[...keysOf(before.limits, after.limits)].filter((id) => before.limits.get(id) !== after.limits.get(id)),
    ...(before.on === after.on ? [] : [...keysOf(before.on, after.on)]).filter(
      (id) => before.on.has(id) !== after.on.has(id),
    ),
  ]
}

function shownLimit(limit: LimitedSession, now: number): SessionLimit | null {
  const { provider, since, lifts, phase } = limit
  // If its followup is in the outbox, its limit is over. An entry kept only because it failed so often has no limit
  // any more either.
  if (phase.kind === 'continued' || (phase.kind === 'stands' && isOver(limit, now))) return null
  const resumeAt = phase.kind === 'waits' ? phase.resumeAt : null
  return { provider, since, lifts, resume: phase.kind === 'waits', resumeAt }
}

function shownProviders({ limits, providers }: ResumeState): NonNullable<EngineStatus['limits']> {
  const waiting = Array.from(limits.values()).filter((limit) => limit.phase.kind === 'waits')
  return Array.from(providers, ([provider, { since, lifts }]) => ({
    provider,
    since,
    lifts,
    resuming: waiting.filter((w) => w.provider === provider).length,
  }))
}
