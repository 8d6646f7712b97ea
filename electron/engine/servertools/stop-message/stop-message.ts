import type { RoundView } from '../../../../shared/review.ts'
import type { Scope } from '../../../../shared/words.ts'
import { atTime, type Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { problemOf } from '../../base/errors.ts'
import { serial } from '../../base/work.ts'
import type { OutboxListener } from '../../terminals/outbox/listener.ts'
import type { StopMessageDeps } from './deps.ts'
import type { EndedTurn, OpenCallFacts, TurnFacts } from './ended-turn.ts'
import { WRITE_AGAIN_MS } from './firing/followups.ts'
import { createGoalCommands, type GoalCommands } from './goal-commands.ts'
import { createGoalController } from './goal-controller.ts'
import { createListener } from './listen.ts'
import { moveScope } from './persistence/move-scope.ts'
import { isUnanswered, reconcile } from './persistence/reconcile.ts'
import { createScopeStore, type ScopeEntry, type ScopeStore } from './persistence/scope-store.ts'
import { decideStopMessage } from './reducer/decide.ts'
import { armingOf, emptyScope, type StopMessageState } from './reducer/state.ts'
import type { TurnExcerpt } from './turn-excerpt.ts'
import { viewOf, type StopMessageViews } from './view.ts'

/**
 * stopMessage of all scopes. Errors are OnwardErrors; the message of `store-failed` says which part holds all the same.
 */
export interface StopMessage extends GoalCommands {
  /** The listener for the scope's outbox; hand it to `outboxes.use`. */
  listenerOf(scope: Scope): OutboxListener
  /** After `outboxes.load()` and before `outboxes.start()`: reads the states and makes both files agree. */
  start(): Promise<void>
  /** After everything else has started: decides stops again that a crash left between their end and their followup. */
  decideAfterCrash(): Promise<void>
  /** Newest first. */
  rounds(scope: Scope): readonly RoundView[]
  /** A request ended, after its answer was written. Never rejects. `scope`: null where the request has none */
  turnEnded(scope: Scope | null, turn: EndedTurn, excerpt: TurnExcerpt | null): Promise<void>
  /** A request of the scope ended that is no session's: a stop that waited for its end is answered. Never rejects. */
  requestEnded(scope: Scope): Promise<void>
  /** reenter mode: a main turn of the session began */
  reenterBegun(sessionId: string, byPerson: boolean): Promise<void>
  /**
   * reenter mode, after each round: what to send next in the same response, counted already; null: no more. Never
   * rejects
   */
  reenterText(
    turn: EndedTurn,
    excerpt: TurnExcerpt | null,
    openCall?: OpenCallFacts,
  ): Promise<{ text: string; round: number } | null>
  /** Rebinding, together with the outbox; bears being repeated. @returns whether there was anything to move */
  move(from: Scope, to: Scope): Promise<boolean>
  /** Goal and queue of a conversation that goes on under another id; bears being repeated. */
  rename(scope: Scope, from: string, to: string): Promise<void>
  /** The dead terminal's state was not taken over: it is removed, and the timeline says so. */
  clean(scope: Scope): Promise<void>
  view(scope: Scope): StopMessageViews
  /** a goal is set here and not done */
  isArmed(scope: Scope): boolean
  /** state or waiting followups stand under this scope */
  inUse(scope: Scope): boolean
  /** scopes with a state or an outbox */
  scopes(): readonly Scope[]
  /** scopes whose followup a reviewer is asked about now */
  reviewing(): readonly Scope[]
  /** Onward ends: reviewers are not waited for any more, and the next start asks anew */
  endReviews(): void
  dispose(): void
}

export function createStopMessage(given: StopMessageDeps): StopMessage {
  const deps: StopMessageDeps = {
    ...given,
    onChange(scope) {
      given.onChange(scope)
      unanswered.look(scope)
    },
  }
  const { store, outboxes, clock, record, random } = deps
  const controller = createGoalController(deps)
  const scopeStore = createScopeStore({ store, outboxes, clock, retryMs: deps.writeAgainMs ?? WRITE_AGAIN_MS })
  const moves = serial()
  const firstWithoutScope = oncePerKey()
  const { totalsOf } = deps.goal
  const moving = { scopeStore, controller, outboxes, clock, random, record, totalsOf }
  const cutOff: ScopeEntry[] = []
  const tellEngine = (scope: Scope | null, error: unknown) =>
    record({ scope }, { type: 'engine-problem', ...problemOf(error, 'stop-message') })

  const commands = createGoalCommands({ ...deps, scopeStore, controller, tellEngine })
  const unanswered = createUnanswered({
    clock,
    stateOf: (scope) => scopeStore.peek(scope)?.kept.value.state ?? null,
    resumeUnanswered: (scope, at) =>
      void commands.resumeUnanswered(scope, at).catch((error: unknown) => tellEngine(scope, error)),
  })

  return {
    ...commands,
    ...viewing(deps, scopeStore),
    listenerOf: (scope) => createListener(scope, scopeStore, controller, deps),
    async start() {
      for (const { file, error } of await scopeStore.load())
        record({}, { type: 'store-problem', file, ...problemOf(error, 'store-failed') })
      for (const scopeEntry of scopeStore.all()) {
        const { movedTo } = scopeEntry.kept.value
        try {
          if (movedTo !== null) await moveScope(moving, scopeEntry.scope, movedTo)
          else
            await scopeEntry.exclusive(async (transaction) => {
              const wasReviewing = await controller.commit(scopeEntry, transaction, { type: 'review-dropped' })
              if (transaction) await reconcile(scopeEntry, transaction, controller, clock, 'await')
              if (wasReviewing || (transaction && isUnanswered(scopeEntry.kept.value, transaction.entries())))
                cutOff.push(scopeEntry)
            })
        } catch (error) {
          tellEngine(scopeEntry.scope, error)
        }
      }
    },

    async decideAfterCrash() {
      for (const scopeEntry of cutOff.splice(0))
        await scopeEntry
          .exclusive((transaction) => controller.decideAgain(scopeEntry, transaction))
          .catch((error: unknown) => tellEngine(scopeEntry.scope, error))
      for (const { scope } of scopeStore.all()) unanswered.look(scope)
    },

    async turnEnded(scope, turn, excerpt) {
      try {
        if (scope === null) decideWithoutScope(deps, turn, firstWithoutScope)
        else
          await scopeStore.exclusive(scope, (scopeEntry, transaction) =>
            controller.ended(scopeEntry, transaction, turn, excerpt),
          )
        if (scope !== null) await controller.looked(await scopeStore.of(scope))
      } catch (error) {
        tellEngine(scope, error)
      }
    },
    requestEnded: (scope) =>
      scopeStore
        .exclusive(scope, (scopeEntry, transaction) => controller.takeUp(scopeEntry, transaction))
        .catch((error: unknown) => tellEngine(scope, error)),
    reenterBegun: (sessionId, byPerson) =>
      scopeStore.exclusive(`session:${sessionId}`, (scopeEntry, transaction) =>
        controller.begun(scopeEntry, transaction, byPerson),
      ),
    async reenterText(turn, excerpt, openCall = {}) {
      if (turn.sessionId === null) return null
      const scopeEntry = await scopeStore.of(`session:${turn.sessionId}`)
      try {
        return await controller.within(scopeEntry, turn, excerpt, openCall)
      } catch (error) {
        tellEngine(scopeEntry.scope, error)
        return null
      }
    },

    move: (from, to) =>
      moves(async () => {
        const moved = await moveScope(moving, from, to)
        for (const scope of [from, to]) unanswered.look(scope)
        return moved
      }),
    rename: (scope, from, to) =>
      scopeStore.exclusive(scope, async (scopeEntry, transaction) => {
        await transaction?.rename(from, to)
        await controller.commit(scopeEntry, transaction, { type: 'renamed', from, to }, 'durable')
      }),
    clean: (scope) =>
      moves(async () => {
        await scopeStore.exclusive(scope, (scopeEntry, transaction) =>
          controller.commit(scopeEntry, transaction, { type: 'clear', at: clock.now(), by: 'orphaned' }),
        )
        await outboxes.peek(scope)?.gone({ code: 'terminal-gone', why: 'nobody took over the closed terminal' })
        await outboxes.forget(scope)
        await scopeStore.remove(scope)
        deps.onChange(scope)
      }),
    endReviews: controller.endReviews,
    dispose() {
      unanswered.dispose()
      controller.dispose()
      scopeStore.dispose()
    },
  }
}

function viewing(deps: StopMessageDeps, scopeStore: ScopeStore) {
  const { outboxes, clock, goal } = deps
  const stateOf = (scope: Scope) => scopeStore.peek(scope)?.kept.value.state ?? ({ kind: 'none' } as const)
  return {
    view: (scope: Scope) =>
      viewOf(scopeStore.peek(scope)?.kept.value ?? null, (arming) => {
        const folder = goal.folderOf(scope)
        return {
          totals: arming ? goal.totalsOf(arming.sessionId) : null,
          now: clock.now(),
          backgroundWaitMs: deps.config().backgroundWaitMs,
          checks: folder === null ? null : goal.checks.peek(folder),
        }
      }),
    rounds: (scope: Scope) => (armingOf(stateOf(scope))?.progress.rounds ?? []).toReversed(),
    isArmed: (scope: Scope) => armingOf(stateOf(scope)) !== null,
    inUse: (scope: Scope) =>
      stateOf(scope).kind !== 'none' ||
      (outboxes.peek(scope)?.list() ?? []).some(
        ({ state }) => state === 'queued' || state === 'typing' || state === 'submitted',
      ),
    scopes: () => Array.from(new Set([...scopeStore.all().map((d) => d.scope), ...outboxes.all().map((o) => o.scope)])),
    reviewing: () =>
      scopeStore
        .all()
        .filter(({ kept }) => kept.value.state.kind === 'reviewing')
        .map(({ scope }) => scope),
  }
}

/** Remembers, in this run of the engine, for which keys something was already reported; the oldest are forgotten. */
export function oncePerKey(limit = 5000): (key: string) => boolean {
  const seen = new Set<string>()
  return (key) => {
    if (seen.has(key)) return false
    seen.add(key)
    for (const oldest of seen) {
      if (seen.size <= limit) break
      seen.delete(oldest)
    }
    return true
  }
}

export interface Unanswered extends Disposable {
  /** the question a scope waits for may be another one */
  look(scope: Scope): void
}

/** Continues if a guard asked a person who had set rounds of their own, and got no answer in time. */
function createUnanswered(deps: {
  clock: Clock
  stateOf(scope: Scope): StopMessageState | null
  resumeUnanswered(scope: Scope, at: number): void
}): Unanswered {
  const timers = new Map<Scope, { at: number; timer: Disposable }>()
  const leave = (scope: Scope) => {
    timers.get(scope)?.timer.dispose()
    timers.delete(scope)
  }
  return {
    look(scope) {
      const state = deps.stateOf(scope)
      const at = state?.kind === 'paused' && state.reason.code === 'budget' ? state.reason.goesOnAt : undefined
      if (timers.get(scope)?.at === at) return
      leave(scope)
      if (at === undefined) return
      const timer = atTime(deps.clock, at, () => {
        timers.delete(scope)
        deps.resumeUnanswered(scope, at)
      })
      timers.set(scope, { at, timer })
    },
    dispose() {
      for (const scope of timers.keys()) leave(scope)
    },
  }
}

const nothingArmed = emptyScope('session:').state

/** A decision without a scope to keep anything for. That there is none is reported once per session: it stays so. */
function decideWithoutScope(
  deps: Pick<StopMessageDeps, 'record' | 'clock' | 'config' | 'outboxes'>,
  turn: EndedTurn,
  first: (sessionId: string) => boolean,
): void {
  // Member by member: every turn without a scope makes it (docs/performance.md, copies of objects).
  const facts: TurnFacts = {
    scope: null,
    paused: deps.outboxes.pausedAll() ? 'global' : null,
    terminalGone: null,
    conversation: undefined,
    pendingEntryId: null,
    totals: null,
    requestId: turn.requestId,
    sessionId: turn.sessionId,
    kind: turn.kind,
    reentered: turn.reentered,
    finish: turn.finish,
    clientLeft: turn.clientLeft,
    registeredClientOnly: turn.registeredClientOnly,
    notFinished: turn.notFinished,
    waitsFor: null,
  }
  const decision = decideStopMessage(nothingArmed, facts, deps.clock.now(), deps.config().budgets)
  if (
    decision.kind === 'skip' &&
    (decision.reason.code !== 'no-scope' || turn.sessionId === null || first(turn.sessionId))
  ) {
    deps.record(
      { sessionId: turn.sessionId, scope: null, requestId: turn.requestId },
      { type: 'skipped', reason: decision.reason, steps: decision.steps },
    )
  }
}
