import { defaultStopMessageText } from '../../markers/default-text.ts'
import type { ClearedBy, PauseReason } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { OutboxListener } from '../../terminals/outbox/listener.ts'
import { serial } from '../../base/serial.ts'
import { createScopeStore, type ScopeEntry } from './persistence/scope-store.ts'
import type { RoundView } from '../../../../shared/review.ts'
import type { EndedTurn, OpenCallFacts } from './ended-turn.ts'
import { WRITE_AGAIN_MS } from './firing.ts'
import { createListener } from './listen.ts'
import { moveScope } from './persistence/move-scope.ts'
import { createGoalController, decideWithoutScope } from './goal-controller.ts'
import { type StopMessageDeps } from './deps.ts'
import { isUnanswered, reconcile } from './persistence/reconcile.ts'
import { armingOf, isElsewhere } from './reducer/state.ts'
import { oncePerKey } from './once-per-key.ts'
import type { TurnExcerpt } from './review/turn-excerpt.ts'
import { viewOf, type StopMessageViews } from './view.ts'

export interface ArmOrder {
  sessionId: string | null
  /** null or blank: the default text of the language, fixed now */
  text: string | null
  /** null: unbounded */
  max: number | null
  review: boolean
  by: 'marker' | 'user'
}

/** stopMessage of all scopes. Errors are OnwardErrors; `store-failed` says what of it holds all the same. */
export interface StopMessage {
  /** Whom the scope's outbox tells; hand it to `outboxes.use`. */
  listenerOf(scope: Scope): OutboxListener
  /** After `outboxes.load()` and before `outboxes.start()`: reads the states and makes both files agree. */
  start(): Promise<void>
  /**
   * After everything else has started: stops that a crash left between their end and their followup are looked at
   * again.
   */
  lookAnew(): Promise<void>
  /** Sets it anew: rounds begin at none, what was queued for the last setting is superseded. */
  arm(scope: Scope, order: ArmOrder): Promise<void>
  clear(scope: Scope, by: Extract<ClearedBy, 'marker' | 'user'>): Promise<void>
  /** Brings back what the last clear took. @throws `nothing-to-rearm` */
  rearm(scope: Scope): Promise<void>
  /**
   * Types the first followup of what is armed now: the agent is idle, or nothing was ever said to it. While a turn runs
   * its end does that. @throws `nothing-armed`, `store-failed`
   */
  startNow(scope: Scope): Promise<void>
  /**
   * A goal that was set in another conversation of the terminal goes on in this one, which it shows now: its next
   * followup is typed at once. @throws `no-left-goal`, `store-failed`
   */
  carryOn(scope: Scope, sessionId: string | null): Promise<void>
  /** @throws `nothing-armed` */
  addRounds(scope: Scope, rounds: number): Promise<void>
  /**
   * Changes what it is about while it runs; a review or a queued followup made for the old goal is dropped. @throws
   * `nothing-armed`
   */
  edit(scope: Scope, change: { text?: string; max?: number | null; review?: boolean }): Promise<void>
  /** What may run in a folder changed: a goal that waited for just that goes on. */
  checksChanged(folder: string): Promise<void>
  /** Newest first. */
  rounds(scope: Scope): readonly RoundView[]
  pause(scope: Scope): Promise<void>
  /** Looks at the last ended turn again. */
  resume(scope: Scope): Promise<void>
  pauseAll(): Promise<void>
  resumeAll(): Promise<void>
  /** A request ended, after its answer was written. Never rejects. `scope`: null where the request has none */
  turnEnded(scope: Scope | null, turn: EndedTurn, excerpt: TurnExcerpt | null): Promise<void>
  /** reenter mode: a main turn of the session began */
  reenterBegun(sessionId: string, byPerson: boolean): Promise<void>
  /**
   * reenter mode, after each exchange: what to send next in the same response, counted already; null: no more. Never
   * rejects
   */
  reenterText(
    turn: EndedTurn,
    excerpt: TurnExcerpt | null,
    openCall?: OpenCallFacts,
  ): Promise<{ text: string; round: number } | null>
  /** Rebinding, together with the outbox; bears being repeated. @returns whether there was anything to move */
  move(from: Scope, to: Scope): Promise<boolean>
  /** Nobody took over the dead terminal's state: it goes, and the timeline says so. */
  clean(scope: Scope): Promise<void>
  view(scope: Scope): StopMessageViews
  /** something is set here and not done */
  isArmed(scope: Scope): boolean
  /** state or waiting followups stand under this scope */
  inUse(scope: Scope): boolean
  /** scopes with a state or an outbox */
  scopes(): readonly Scope[]
  /** scopes whose followup a reviewer is asked about now */
  reviewing(): readonly Scope[]
  dispose(): void
}

export function createStopMessage(deps: StopMessageDeps): StopMessage {
  const { outboxes, clock, record, random } = deps
  const controller = createGoalController(deps)
  const scopeStore = createScopeStore({
    store: deps.store,
    outboxes,
    clock,
    retryMs: deps.writeAgainMs ?? WRITE_AGAIN_MS,
  })
  const moves = serial()
  const firstWithoutScope = oncePerKey()
  const { goal } = deps
  const { totalsOf } = goal
  const moving = { scopeStore, controller, outboxes, clock, random, record, totalsOf }
  const cutOff: ScopeEntry[] = []
  /** Shown beside the goal as soon as they are known. */
  const readChecks = (scope: Scope) => {
    const folder = goal.folderOf(scope)
    if (folder !== null)
      goal.checks.of(folder).then(
        () => deps.onChange(scope),
        (error: unknown) => tellEngine(scope, error),
      )
  }

  const at = async <T>(
    scope: Scope,
    work: (scopeEntry: ScopeEntry, transaction: Parameters<Parameters<ScopeEntry['exclusive']>[0]>[0]) => Promise<T>,
  ): Promise<T> => {
    const scopeEntry = await scopeStore.of(scope)
    return scopeEntry.exclusive((transaction) => work(scopeEntry, transaction))
  }
  const saved = async (scopeEntry: ScopeEntry, otherwise: string) => {
    await scopeEntry.kept.flush().catch((error: unknown) => {
      throw new OnwardError('store-failed', `${otherwise} ${messageOf(error)}`, { cause: error })
    })
  }
  const tellEngine = (scope: Scope | null, error: unknown) =>
    record(
      { scope },
      {
        type: 'engine-problem',
        code: OnwardError.isInstance(error) ? error.code : 'stop-message',
        message: messageOf(error),
      },
    )

  /** `only`: where nothing else has paused it meanwhile */
  const resume = (scope: Scope, only?: PauseReason['code']) =>
    at(scope, async (scopeEntry, transaction) => {
      const { state } = scopeEntry.kept.value
      if (only !== undefined && !(state.kind === 'paused' && state.reason.code === only)) return
      const was = transaction?.paused() ?? null
      const changed = await controller.commit(scopeEntry, transaction, {
        type: 'resume',
        at: clock.now(),
        totals: totalsOf(armingOf(scopeEntry.kept.value.state)?.sessionId ?? null),
      })
      await transaction?.resume()
      if (was !== null || changed)
        record({ sessionId: transaction?.conversation() ?? null, scope }, { type: 'resumed', what: 'session' })
      if (changed && scopeEntry.kept.value.state.kind === 'armed') await controller.decideAgain(scopeEntry, transaction)
      await transaction?.flush()
      await saved(scopeEntry, 'Resumed, but that could not be saved: it is paused again when Onward is started again.')
    })

  const api: StopMessage = {
    listenerOf: (scope) => createListener(scope, scopeStore, controller, deps),
    async start() {
      for (const { file, error } of await scopeStore.load()) {
        record(
          {},
          {
            type: 'store-problem',
            file,
            code: OnwardError.isInstance(error) ? error.code : 'store-failed',
            message: messageOf(error),
          },
        )
      }
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

    async lookAnew() {
      for (const scopeEntry of cutOff.splice(0))
        await scopeEntry
          .exclusive((transaction) => controller.decideAgain(scopeEntry, transaction))
          .catch((error: unknown) => tellEngine(scopeEntry.scope, error))
    },

    arm: (scope, { sessionId, text, max, review, by }) =>
      at(scope, async (scopeEntry, transaction) => {
        const was = scopeEntry.kept.value.state
        const hadAsked = was.kind === 'paused' && was.reason.code !== 'by-user'
        const unanswered = hadAsked || Boolean(transaction?.pendingAutomation()) || controller.waitsBehind(scopeEntry)
        await transaction?.supersede('re-arm')
        // The stop that the old goal's followup, or its question, was about is answered by nobody now: by this goal,
        // or, where it can't be saved, by the one that a person sets then.
        if (unanswered) controller.waitBehind(scopeEntry)
        const wanted = text === null || text.trim() === '' ? defaultStopMessageText(deps.config().language) : text
        await controller.commit(
          scopeEntry,
          transaction,
          {
            type: 'arm',
            at: clock.now(),
            armId: random.uuid(),
            paused: transaction?.paused() ?? null,
            by,
            sessionId,
            text: wanted,
            max,
            review,
            totals: totalsOf(sessionId),
          },
          'durable',
        )
        if (review) readChecks(scope)
        if (unanswered) await controller.answerInstead(scopeEntry, transaction)
      }),
    clear: (scope, by) =>
      at(scope, async (scopeEntry, transaction) => {
        await transaction?.supersede('clear')
        await controller.commit(scopeEntry, transaction, { type: 'clear', at: clock.now(), by })
        await saved(scopeEntry, 'Cleared, but that could not be saved: it is armed again when Onward is started again.')
      }),
    rearm: (scope) =>
      at(scope, async (scopeEntry, transaction) => {
        const before = scopeEntry.kept.value.state
        if (
          !(await controller.commit(
            scopeEntry,
            transaction,
            {
              type: 'rearm',
              at: clock.now(),
              armId: random.uuid(),
              paused: transaction?.paused() ?? null,
              more: 0,
              totals: totalsOf(scopeEntry.kept.value.last?.sessionId ?? null),
            },
            'durable',
          ))
        ) {
          throw new OnwardError('nothing-to-rearm', 'There is no earlier message to arm again here. Set a new one.', {
            status: 409,
          })
        }
        // The stop whose followup failed is still unanswered, unless the agent itself is another one now.
        const gone =
          before.kind === 'failed' && (before.reason.code === 'terminal-gone' || before.reason.code === 'agent-gone')
        if (before.kind === 'failed' && !gone) await controller.decideAgain(scopeEntry, transaction)
      }),
    startNow: (scope) =>
      at(scope, async (scopeEntry, transaction) => {
        if (!armingOf(scopeEntry.kept.value.state))
          throw new OnwardError('nothing-armed', 'Nothing is armed here that could start. Set a message first.', {
            status: 409,
          })
        if (transaction) await controller.startNow(scopeEntry, transaction)
      }),
    carryOn: (scope, sessionId) =>
      at(scope, async (scopeEntry, transaction) => {
        const arming = armingOf(scopeEntry.kept.value.state)
        if (
          !transaction ||
          sessionId === null ||
          transaction.conversation() !== sessionId ||
          !arming ||
          !isElsewhere(arming, sessionId)
        )
          throw new OnwardError('no-left-goal', 'No goal of another conversation waits here to be carried on.', {
            status: 409,
          })
        await transaction.supersede('re-arm')
        await controller.commit(
          scopeEntry,
          transaction,
          {
            type: 'carry-on',
            at: clock.now(),
            armId: random.uuid(),
            sessionId,
            paused: transaction.paused(),
            totals: totalsOf(sessionId),
          },
          'durable',
        )
        // What is under way comes to its end first, and then the last stop is answered.
        if (transaction.pendingAutomation() || transaction.running())
          await controller.answerInstead(scopeEntry, transaction)
        else await controller.startNow(scopeEntry, transaction)
      }),
    addRounds: (scope, rounds) =>
      at(scope, async (scopeEntry, transaction) => {
        const { state, last } = scopeEntry.kept.value
        if (armingOf(state))
          await controller.commit(scopeEntry, transaction, { type: 'add-rounds', at: clock.now(), rounds }, 'durable')
        else if (last?.clearedBy === 'rounds-used') {
          await controller.commit(
            scopeEntry,
            transaction,
            {
              type: 'rearm',
              at: clock.now(),
              armId: random.uuid(),
              paused: transaction?.paused() ?? null,
              more: rounds,
              totals: totalsOf(last.sessionId),
            },
            'durable',
          )
          await controller.decideAgain(scopeEntry, transaction)
        } else
          throw new OnwardError(
            'nothing-armed',
            'Nothing is armed here that rounds could be added to. Set a message first.',
            { status: 409 },
          )
      }),

    edit: (scope, change) =>
      at(scope, async (scopeEntry, transaction) => {
        const before = armingOf(scopeEntry.kept.value.state)
        if (!before)
          throw new OnwardError('nothing-armed', 'Nothing is armed here that could be changed. Set a goal first.', {
            status: 409,
          })
        if (
          !(await controller.commit(scopeEntry, transaction, { type: 'edit', at: clock.now(), ...change }, 'durable'))
        )
          return
        const after = armingOf(scopeEntry.kept.value.state)
        if (after?.text === before.text && after.review === before.review) return
        await transaction?.supersede('re-arm')
        if (after?.review) readChecks(scope)
        const { kind } = scopeEntry.kept.value.state
        if (kind === 'armed') await controller.decideAgain(scopeEntry, transaction)
        // Being typed right now: it gets no Enter, and then the stop it was for is still unanswered.
        else if (kind === 'injecting') controller.owe(scopeEntry)
      }),
    async checksChanged(folder) {
      for (const scopeEntry of scopeStore.all().filter(({ scope }) => goal.folderOf(scope) === folder)) {
        deps.onChange(scopeEntry.scope)
        const { state } = scopeEntry.kept.value
        if (state.kind !== 'paused' || state.reason.code !== 'checks-unapproved') continue
        const { names } = state.reason
        const { checks } = await goal.checks.of(folder)
        const waits = checks.some(
          ({ name, approval }) => names.includes(name) && (approval === 'not-approved' || approval === 'changed'),
        )
        if (!waits) await resume(scopeEntry.scope, 'checks-unapproved')
      }
    },

    async pause(scope) {
      // At once, and not behind what is being written: in the middle of typing there is no Enter any more.
      outboxes.peek(scope)?.stopTyping()
      await at(scope, async (scopeEntry, transaction) => {
        const was = transaction?.paused() ?? null
        const reason = { code: 'by-user' } as const
        await transaction?.pause(reason)
        const changed = await controller.commit(scopeEntry, transaction, {
          type: 'pause',
          at: clock.now(),
          reason,
          totals: totalsOf(armingOf(scopeEntry.kept.value.state)?.sessionId ?? null),
        })
        if (was === null || changed)
          record({ sessionId: transaction?.conversation() ?? null, scope }, { type: 'paused', reason, what: 'session' })
        await transaction?.flush()
        await saved(scopeEntry, 'Paused, but that could not be saved: it ends when Onward ends.')
      })
    },
    resume: (scope) => resume(scope),
    async pauseAll() {
      await outboxes.pauseAll()
      record({}, { type: 'paused', reason: { code: 'by-user' }, what: 'all' })
    },
    async resumeAll() {
      await outboxes.resumeAll()
      record({}, { type: 'resumed', what: 'all' })
      for (const scopeEntry of scopeStore.all()) {
        if (armingOf(scopeEntry.kept.value.state))
          await scopeEntry
            .exclusive((transaction) => controller.decideAgain(scopeEntry, transaction))
            .catch((error: unknown) => tellEngine(scopeEntry.scope, error))
      }
    },

    async turnEnded(scope, turn, excerpt) {
      try {
        if (scope === null) decideWithoutScope(deps, turn, firstWithoutScope)
        else await at(scope, (scopeEntry, transaction) => controller.ended(scopeEntry, transaction, turn, excerpt))
      } catch (error) {
        tellEngine(scope, error)
      }
    },
    reenterBegun: (sessionId, byPerson) =>
      at(`session:${sessionId}`, (scopeEntry, transaction) => controller.begun(scopeEntry, transaction, byPerson)),
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

    move: (from, to) => moves(() => moveScope(moving, from, to)),
    clean: (scope) =>
      moves(async () => {
        await at(scope, (scopeEntry, transaction) =>
          controller.commit(scopeEntry, transaction, { type: 'clear', at: clock.now(), by: 'orphaned' }),
        )
        await outboxes.peek(scope)?.gone({ code: 'terminal-gone', why: 'nobody took over the closed terminal' })
        await outboxes.forget(scope)
        const gone = scopeStore.peek(scope)
        if (gone) controller.forget(gone)
        await scopeStore.remove(scope)
        deps.onChange(scope)
      }),
    view: (scope) =>
      viewOf(scopeStore.peek(scope)?.kept.value ?? null, (arming) => {
        const folder = goal.folderOf(scope)
        return {
          totals: arming ? totalsOf(arming.sessionId) : null,
          checks: folder === null ? null : goal.checks.peek(folder),
        }
      }),
    rounds: (scope) =>
      (armingOf(scopeStore.peek(scope)?.kept.value.state ?? { kind: 'none' })?.progress.rounds ?? []).toReversed(),
    isArmed: (scope) => armingOf(scopeStore.peek(scope)?.kept.value.state ?? { kind: 'none' }) !== null,
    inUse(scope) {
      const waits =
        outboxes
          .peek(scope)
          ?.list()
          .some((e) => e.state === 'queued' || e.state === 'typing' || e.state === 'submitted') ?? false
      return waits || (scopeStore.peek(scope)?.kept.value.state.kind ?? 'none') !== 'none'
    },
    scopes: () => Array.from(new Set([...scopeStore.all().map((d) => d.scope), ...outboxes.all().map((o) => o.scope)])),
    reviewing: () =>
      scopeStore
        .all()
        .filter(({ kept }) => kept.value.state.kind === 'reviewing')
        .map(({ scope }) => scope),
    dispose() {
      controller.dispose()
      scopeStore.dispose()
    },
  }
  return api
}
