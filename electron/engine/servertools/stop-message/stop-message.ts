import { defaultStopMessageText } from '../../markers/default-text.ts'
import type { ClearedBy } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { OutboxListener } from '../../terminals/outbox/listener.ts'
import { serial } from '../../base/serial.ts'
import { decideStopMessage } from './decide.ts'
import { createDesks, type Desk } from './desks.ts'
import type { EndedTurn } from './ended-turn.ts'
import { createListener } from './listen.ts'
import { moveScope } from './move-scope.ts'
import { createOffice, decideWithoutScope, WRITE_AGAIN_MS, type StopMessageDeps } from './office.ts'
import { reconcile } from './reconcile.ts'
import { armingOf } from './state.ts'
import { toldOnce } from './told-once.ts'
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
  /** Sets it anew: rounds begin at none, what was queued for the last setting is superseded. */
  arm(scope: Scope, order: ArmOrder): Promise<void>
  clear(scope: Scope, by: Extract<ClearedBy, 'marker' | 'user'>): Promise<void>
  /** Brings back what the last clear took. @throws `nothing-to-rearm` */
  rearm(scope: Scope): Promise<void>
  /** @throws `nothing-armed` */
  addRounds(scope: Scope, rounds: number): Promise<void>
  pause(scope: Scope): Promise<void>
  /** Looks at the last ended turn again. */
  resume(scope: Scope): Promise<void>
  pauseAll(): Promise<void>
  resumeAll(): Promise<void>
  /** A request ended, after its answer was written. Never rejects. `scope`: null where the request has none */
  turnEnded(scope: Scope | null, turn: EndedTurn): Promise<void>
  /** reenter mode: a main turn of the session began */
  reenterBegun(sessionId: string, byPerson: boolean): Promise<void>
  /** reenter mode, after each exchange: what to send next in the same response, counted already; null: no more. Never rejects */
  reenterText(turn: EndedTurn): Promise<{ text: string; round: number } | null>
  /** Rebinding, together with the outbox; bears being repeated. @returns whether there was anything to move */
  move(from: Scope, to: Scope): Promise<boolean>
  /** Nobody took over the dead terminal's state: it goes, and the timeline says so. */
  clean(scope: Scope): Promise<void>
  view(scope: Scope): StopMessageViews
  /** state or waiting followups stand under this scope */
  inUse(scope: Scope): boolean
  /** scopes with a state or an outbox */
  scopes(): readonly Scope[]
  dispose(): void
}

export function createStopMessage(deps: StopMessageDeps): StopMessage {
  const { outboxes, clock, record, random } = deps
  const office = createOffice(deps)
  const desks = createDesks({ store: deps.store, outboxes, clock, retryMs: deps.writeAgainMs ?? WRITE_AGAIN_MS })
  const moving = { desks, office, outboxes, clock, random, record }
  const moves = serial()
  const firstWithoutScope = toldOnce()

  const at = async <T>(scope: Scope, work: (desk: Desk, inside: Parameters<Parameters<Desk['exclusive']>[0]>[0]) => Promise<T>): Promise<T> => {
    const desk = await desks.of(scope)
    return desk.exclusive((inside) => work(desk, inside))
  }
  const saved = async (desk: Desk, otherwise: string) => {
    await desk.kept.flush().catch((error: unknown) => { throw new OnwardError('store-failed', `${otherwise} ${messageOf(error)}`, { cause: error }) })
  }
  const tellEngine = (scope: Scope | null, error: unknown) =>
    record({ scope }, { type: 'engine-problem', code: OnwardError.isInstance(error) ? error.code : 'stop-message', message: messageOf(error) })

  return {
    listenerOf: (scope) => createListener(scope, desks, office, deps),
    async start() {
      for (const { file, error } of await desks.load()) {
        record({}, { type: 'store-problem', file, code: OnwardError.isInstance(error) ? error.code : 'store-failed', message: messageOf(error) })
      }
      for (const desk of desks.all()) {
        const { movedTo } = desk.kept.value
        try {
          if (movedTo !== null) await moveScope(moving, desk.scope, movedTo)
          else await desk.exclusive(async (inside) => { if (inside) await reconcile(desk, inside, office, clock, 'await') })
        } catch (error) {
          tellEngine(desk.scope, error)
        }
      }
    },

    arm: (scope, { sessionId, text, max, review, by }) => at(scope, async (desk, inside) => {
      await inside?.supersede('re-arm')
      const wanted = text === null || text.trim() === '' ? defaultStopMessageText(deps.config().language) : text
      await office.commit(desk, inside, { type: 'arm', at: clock.now(), armId: random.uuid(), paused: inside?.paused() ?? null, by, sessionId, text: wanted, max, review }, 'wish')
    }),
    clear: (scope, by) => at(scope, async (desk, inside) => {
      await inside?.supersede('clear')
      await office.commit(desk, inside, { type: 'clear', at: clock.now(), by })
      await saved(desk, 'Cleared, but that could not be saved: it is armed again when Onward is started again.')
    }),
    rearm: (scope) => at(scope, async (desk, inside) => {
      const before = desk.kept.value.state
      if (!(await office.commit(desk, inside, { type: 'rearm', at: clock.now(), armId: random.uuid(), paused: inside?.paused() ?? null, more: 0 }, 'wish'))) {
        throw new OnwardError('nothing-to-rearm', 'There is no earlier message to arm again here. Set a new one.', { status: 409 })
      }
      // The stop whose followup failed is still unanswered, unless the agent itself is another one now.
      const gone = before.kind === 'failed' && (before.reason.code === 'terminal-gone' || before.reason.code === 'agent-gone')
      if (before.kind === 'failed' && !gone) await office.lookAgain(desk, inside)
    }),
    addRounds: (scope, rounds) => at(scope, async (desk, inside) => {
      const { state, last } = desk.kept.value
      if (armingOf(state)) await office.commit(desk, inside, { type: 'add-rounds', at: clock.now(), rounds }, 'wish')
      else if (last?.clearedBy === 'rounds-used') {
        await office.commit(desk, inside, { type: 'rearm', at: clock.now(), armId: random.uuid(), paused: inside?.paused() ?? null, more: rounds }, 'wish')
        await office.lookAgain(desk, inside)
      } else throw new OnwardError('nothing-armed', 'Nothing is armed here that rounds could be added to. Set a message first.', { status: 409 })
    }),

    async pause(scope) {
      // At once, and not behind what is being written: in the middle of typing there is no Enter any more.
      outboxes.peek(scope)?.stopTyping()
      await at(scope, async (desk, inside) => {
        const was = inside?.paused() ?? null
        const reason = { code: 'by-user' } as const
        await inside?.pause(reason)
        const changed = await office.commit(desk, inside, { type: 'pause', at: clock.now(), reason })
        if (was === null || changed) record({ sessionId: inside?.conversation() ?? null, scope }, { type: 'paused', reason, what: 'session' })
        await inside?.flush()
        await saved(desk, 'Paused, but that could not be saved: it ends when Onward ends.')
      })
    },
    resume: (scope) => at(scope, async (desk, inside) => {
      const was = inside?.paused() ?? null
      const changed = await office.commit(desk, inside, { type: 'resume', at: clock.now() })
      await inside?.resume()
      if (was !== null || changed) record({ sessionId: inside?.conversation() ?? null, scope }, { type: 'resumed', what: 'session' })
      if (changed && desk.kept.value.state.kind === 'armed') await office.lookAgain(desk, inside)
      await inside?.flush()
      await saved(desk, 'Resumed, but that could not be saved: it is paused again when Onward is started again.')
    }),
    async pauseAll() {
      await outboxes.pauseAll()
      record({}, { type: 'paused', reason: { code: 'by-user' }, what: 'all' })
    },
    async resumeAll() {
      await outboxes.resumeAll()
      record({}, { type: 'resumed', what: 'all' })
      for (const desk of desks.all()) {
        if (armingOf(desk.kept.value.state)) await desk.exclusive((inside) => office.lookAgain(desk, inside)).catch((error: unknown) => tellEngine(desk.scope, error))
      }
    },

    async turnEnded(scope, turn) {
      try {
        if (scope === null) decideWithoutScope(deps, turn, firstWithoutScope)
        else await at(scope, (desk, inside) => office.ended(desk, inside, turn))
      } catch (error) {
        tellEngine(scope, error)
      }
    },
    reenterBegun: (sessionId, byPerson) => at(`session:${sessionId}`, (desk, inside) => office.begun(desk, inside, byPerson)),
    reenterText: async (turn) => {
      if (turn.sessionId === null) return null
      return at(`session:${turn.sessionId}`, async (desk, inside) => {
        const decision = decideStopMessage(desk.kept.value.state, office.facts(desk, inside, turn), clock.now(), deps.config().budgets)
        if (decision.kind === 'skip') {
          await office.skip(desk, inside, turn, decision)
          return null
        }
        const { text, round, steps, used, max } = decision
        record({ sessionId: turn.sessionId, scope: desk.scope, requestId: turn.requestId }, { type: 'matched', steps, used, max })
        try {
          await office.commit(desk, inside, { type: 'reenter', at: clock.now() }, 'wish')
        } catch (error) {
          // What could not be counted is not sent: it might never end.
          tellEngine(desk.scope, error)
          return null
        }
        return { text, round }
      })
    },

    move: (from, to) => moves(() => moveScope(moving, from, to)),
    clean: (scope) => moves(async () => {
      await at(scope, (desk, inside) => office.commit(desk, inside, { type: 'clear', at: clock.now(), by: 'orphaned' }))
      await outboxes.peek(scope)?.gone({ code: 'terminal-gone', why: 'nobody took over the closed terminal' })
      await outboxes.forget(scope)
      await desks.remove(scope)
      deps.onChange(scope)
    }),
    view: (scope) => viewOf(desks.peek(scope)?.kept.value ?? null),
    inUse(scope) {
      const waits = outboxes.peek(scope)?.list().some((e) => e.state === 'queued' || e.state === 'typing' || e.state === 'submitted') ?? false
      return waits || (desks.peek(scope)?.kept.value.state.kind ?? 'none') !== 'none'
    },
    scopes: () => Array.from(new Set([...desks.all().map((d) => d.scope), ...outboxes.all().map((o) => o.scope)])),
    dispose() {
      office.dispose()
      desks.dispose()
    },
  }
}
