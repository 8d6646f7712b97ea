import { defaultStopMessageText } from '../../markers/goals/default-text.ts'
import type { ClearedBy, PauseReason } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { OutboxTransaction } from '../../terminals/outbox/listener.ts'
import type { StopMessageDeps } from './deps.ts'
import type { ScopeEntry, ScopeStore } from './persistence/scope-store.ts'
import { armingOf, isElsewhere } from './reducer/state.ts'
import type { GoalController } from './types.ts'

export interface ArmOrder {
  sessionId: string | null
  /** null or blank: the default text of the language, fixed now */
  text: string | null
  /** null: unbounded */
  max: number | null
  review: boolean
  by: 'marker' | 'user'
}

/**
 * Orders of a person, a marker or a model. Errors are OnwardErrors; the message of `store-failed` says which part holds
 * all the same.
 */
export interface GoalCommands {
  /** Sets a new goal: rounds count from zero, texts queued for the last setting are superseded. */
  arm(scope: Scope, order: ArmOrder): Promise<void>
  clear(scope: Scope, by: Extract<ClearedBy, 'marker' | 'user'>): Promise<void>
  /** Brings back what the last clear took. @throws `nothing-to-rearm` */
  rearm(scope: Scope): Promise<void>
  /**
   * Types the first followup of the armed goal now: the agent is idle, or has never been spoken to. If a turn runs, its
   * end does that. @throws `nothing-armed`, `store-failed`
   */
  startNow(scope: Scope): Promise<void>
  /**
   * A goal that was set in another conversation of the terminal continues in the one it shows now: its next followup is
   * typed at once. @throws `no-left-goal`, `store-failed`
   */
  carryOn(scope: Scope, sessionId: string | null): Promise<void>
  /** @throws `nothing-armed` */
  addRounds(scope: Scope, rounds: number): Promise<void>
  /**
   * Changes a goal while it runs; a review or a queued followup made for the old goal is dropped. @throws
   * `nothing-armed`
   */
  edit(scope: Scope, change: { text?: string; max?: number | null; review?: boolean }): Promise<void>
  /** The permissions of checks in a folder changed: a goal that waited for just that goes on. */
  checksChanged(folder: string): Promise<void>
  pause(scope: Scope): Promise<void>
  /** Decides the last ended turn again. */
  resume(scope: Scope): Promise<void>
  /** The question of a guard was not answered until `at`: the goal goes on, if it still waits for that answer. */
  resumeUnanswered(scope: Scope, at: number): Promise<void>
  pauseAll(): Promise<void>
  resumeAll(): Promise<void>
}

export interface GoalCommandsDeps extends StopMessageDeps {
  scopeStore: ScopeStore
  controller: GoalController
  tellEngine(scope: Scope | null, error: unknown): void
}

export const createGoalCommands = (deps: GoalCommandsDeps): GoalCommands => ({
  ...settingGoals(deps),
  ...pausing(deps),
})

type Pausing = 'checksChanged' | 'pause' | 'resume' | 'resumeUnanswered' | 'pauseAll' | 'resumeAll'

function settingGoals(deps: GoalCommandsDeps): Omit<GoalCommands, Pausing> {
  const { clock, random, goal, scopeStore, controller, tellEngine } = deps
  /** Shown beside the goal as soon as they are known. */
  const readChecks = (scope: Scope) => {
    const folder = goal.folderOf(scope)
    if (folder !== null)
      goal.checks.of(folder).then(
        () => deps.onChange(scope),
        (error: unknown) => tellEngine(scope, error),
      )
  }
  /** what every arming begins with */
  const beginning = (transaction: OutboxTransaction | null, sessionId: string | null) => ({
    at: clock.now(),
    armId: random.uuid(),
    paused: transaction?.paused() ?? null,
    totals: goal.totalsOf(sessionId),
  })
  const rearm = (scopeEntry: ScopeEntry, transaction: OutboxTransaction | null, more: number) => {
    const began = beginning(transaction, scopeEntry.kept.value.last?.sessionId ?? null)
    return controller.commit(scopeEntry, transaction, { type: 'rearm', more, ...began }, 'durable')
  }

  return {
    arm: (scope, { sessionId, text, max, review, by }) =>
      scopeStore.exclusive(scope, async (scopeEntry, transaction) => {
        const was = scopeEntry.kept.value.state
        const hadAsked = was.kind === 'paused' && was.reason.code !== 'by-user'
        const waited = controller.waitsNoLonger(scopeEntry)
        const unanswered = hadAsked || Boolean(transaction?.pendingAutomation()) || waited
        await transaction?.supersede('re-arm')
        // The stop that the old goal's followup, or its question, was about has no answer now: this goal gives it, or,
        // if it can't be saved, the goal that a person sets then.
        if (unanswered) scopeEntry.memory.behind = true
        const wanted = text === null || text.trim() === '' ? defaultStopMessageText(deps.config().language) : text
        const began = beginning(transaction, sessionId)
        const event = { type: 'arm', ...began, by, sessionId, text: wanted, max, review } as const
        await controller.commit(scopeEntry, transaction, event, 'durable')
        if (review) readChecks(scope)
        if (unanswered) await controller.answerInstead(scopeEntry, transaction)
      }),
    clear: (scope, by) =>
      scopeStore.exclusive(scope, async (scopeEntry, transaction) => {
        controller.waitsNoLonger(scopeEntry)
        await transaction?.supersede('clear')
        await controller.commit(scopeEntry, transaction, { type: 'clear', at: clock.now(), by })
        await saved(scopeEntry, 'Cleared, but that could not be saved: it is armed again when Onward is started again.')
      }),
    rearm: (scope) =>
      scopeStore.exclusive(scope, async (scopeEntry, transaction) => {
        const before = scopeEntry.kept.value.state
        if (!(await rearm(scopeEntry, transaction, 0)))
          throw conflict('nothing-to-rearm', 'There is no earlier message to arm again here. Set a new one.')
        // The stop whose followup failed is still unanswered, unless the agent itself is another one now.
        const gone =
          before.kind === 'failed' && (before.reason.code === 'terminal-gone' || before.reason.code === 'agent-gone')
        if (before.kind === 'failed' && !gone) await controller.decideAgain(scopeEntry, transaction)
      }),
    startNow: (scope) =>
      scopeStore.exclusive(scope, async (scopeEntry, transaction) => {
        if (!armingOf(scopeEntry.kept.value.state))
          throw conflict('nothing-armed', 'Nothing is armed here that could start. Set a message first.')
        if (transaction) await controller.startNow(scopeEntry, transaction)
      }),
    carryOn: (scope, sessionId) =>
      scopeStore.exclusive(scope, async (scopeEntry, transaction) => {
        const arming = armingOf(scopeEntry.kept.value.state)
        if (
          !transaction ||
          sessionId === null ||
          transaction.conversation() !== sessionId ||
          !arming ||
          !isElsewhere(arming, sessionId)
        )
          throw conflict('no-left-goal', 'No goal of another conversation waits here to be carried on.')
        controller.waitsNoLonger(scopeEntry)
        await transaction.supersede('re-arm')
        const event = { type: 'carry-on', sessionId, ...beginning(transaction, sessionId) } as const
        await controller.commit(scopeEntry, transaction, event, 'durable')
        // A turn or followup under way finishes first, and then the last stop is answered.
        if (transaction.pendingAutomation() || transaction.running())
          await controller.answerInstead(scopeEntry, transaction)
        else await controller.startNow(scopeEntry, transaction)
      }),
    addRounds: (scope, rounds) =>
      scopeStore.exclusive(scope, async (scopeEntry, transaction) => {
        const { state, last } = scopeEntry.kept.value
        if (armingOf(state))
          await controller.commit(scopeEntry, transaction, { type: 'add-rounds', at: clock.now(), rounds }, 'durable')
        else if (last?.clearedBy === 'rounds-used') {
          await rearm(scopeEntry, transaction, rounds)
          await controller.decideAgain(scopeEntry, transaction)
        } else
          throw conflict('nothing-armed', 'Nothing is armed here that rounds could be added to. Set a message first.')
      }),
    edit: (scope, change) =>
      scopeStore.exclusive(scope, async (scopeEntry, transaction) => {
        const before = armingOf(scopeEntry.kept.value.state)
        if (!before) throw conflict('nothing-armed', 'Nothing is armed here that could be changed. Set a goal first.')
        const event = { type: 'edit', at: clock.now(), ...change } as const
        if (!(await controller.commit(scopeEntry, transaction, event, 'durable'))) return
        const after = armingOf(scopeEntry.kept.value.state)
        if (after?.text === before.text && after.review === before.review) return
        controller.waitsNoLonger(scopeEntry)
        await transaction?.supersede('re-arm')
        if (after?.review) readChecks(scope)
        const { kind } = scopeEntry.kept.value.state
        if (kind === 'armed') await controller.decideAgain(scopeEntry, transaction)
        // Being typed right now: it gets no Enter, and then its stop is still unanswered.
        else if (kind === 'injecting') scopeEntry.memory.owed = true
      }),
  }
}

function pausing(deps: GoalCommandsDeps): Pick<GoalCommands, Pausing> {
  const { outboxes, clock, record, goal, scopeStore, controller, tellEngine } = deps
  const now = ({ kept }: ScopeEntry) => ({
    at: clock.now(),
    totals: goal.totalsOf(armingOf(kept.value.state)?.sessionId ?? null),
  })
  /** `only`: if nothing else has paused it meanwhile; `unanswered`: no person ordered it */
  const resume = (scope: Scope, only?: (reason: PauseReason) => boolean, unanswered = false) =>
    scopeStore.exclusive(scope, async (scopeEntry, transaction) => {
      const { state } = scopeEntry.kept.value
      if (only && !(state.kind === 'paused' && only(state.reason))) return
      const was = transaction?.paused() ?? null
      const passed = was === null && (await controller.passBackground(scopeEntry, transaction))
      const how = unanswered ? { unanswered } : {}
      const changed = await controller.commit(scopeEntry, transaction, { type: 'resume', ...now(scopeEntry), ...how })
      await transaction?.resume()
      if (was !== null || changed || passed)
        record({ sessionId: transaction?.conversation() ?? null, scope }, { type: 'resumed', what: 'session', ...how })
      if (changed && scopeEntry.kept.value.state.kind === 'armed') await controller.decideAgain(scopeEntry, transaction)
      await transaction?.flush()
      await saved(scopeEntry, 'Resumed, but that could not be saved: it is paused again when Onward is started again.')
    })

  return {
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
        if (!waits) await resume(scopeEntry.scope, ({ code }) => code === 'checks-unapproved')
      }
    },
    async pause(scope) {
      // At once, without waiting for a write: in the middle of typing there is no Enter any more.
      outboxes.peek(scope)?.stopTyping()
      await scopeStore.exclusive(scope, async (scopeEntry, transaction) => {
        const was = transaction?.paused() ?? null
        const reason = { code: 'by-user' } as const
        await transaction?.pause(reason)
        const changed = await controller.commit(scopeEntry, transaction, { type: 'pause', reason, ...now(scopeEntry) })
        if (was === null || changed)
          record({ sessionId: transaction?.conversation() ?? null, scope }, { type: 'paused', reason, what: 'session' })
        await transaction?.flush()
        await saved(scopeEntry, 'Paused, but that could not be saved: it ends when Onward ends.')
      })
    },
    resume: (scope) => resume(scope),
    resumeUnanswered: (scope, at) =>
      resume(scope, (reason) => reason.code === 'budget' && reason.goesOnAt === at, true),
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
  }
}

const conflict = (code: string, message: string): OnwardError => new OnwardError(code, message, { status: 409 })

async function saved(scopeEntry: ScopeEntry, otherwise: string): Promise<void> {
  await scopeEntry.kept.flush().catch((error: unknown) => {
    throw new OnwardError('store-failed', `${otherwise} ${messageOf(error)}`, { cause: error })
  })
}
