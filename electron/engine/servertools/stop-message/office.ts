import type { EventBody, RecordEvent } from '../../../../shared/events.ts'
import type { Language, Scope } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import type { Store } from '../../store/types.ts'
import type { EntryNews, Inside } from '../../terminals/outbox/listener.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import { apply, type StopMessageEvent } from './apply.ts'
import type { Budgets } from './budget.ts'
import { decideStopMessage, type Effect } from './decide.ts'
import type { Desk } from './desks.ts'
import { isPlainStop, type EndedTurn, type TurnFacts } from './ended-turn.ts'
import { noticeOf, type StopMessageNotice } from './notice.ts'
import { armingOf, emptyScope } from './state.ts'

export interface StopMessageDeps {
  store: Store
  outboxes: Outboxes
  clock: Clock
  random: Random
  record: RecordEvent
  notify(where: { sessionId: string | null; scope: Scope }, notice: StopMessageNotice): void
  config(): { budgets: Budgets; language: Language }
  /** why nothing will ever be typed into the scope's terminal again; null while it lives */
  terminalGone(scope: Scope): string | null
  /** whoever queued this entry tells the person of its failure in other words (alarms) */
  tellsItself?(entry: EntryNews): boolean
  /** what viewers show of the scope changed */
  onChange(scope: Scope): void
  /** when the disk refused: try again after */
  writeAgainMs?: number
}

export const WRITE_AGAIN_MS = 5_000

/** The acts behind stopMessage. All of them run at a desk, inside its queue. */
export interface Office extends Disposable {
  /** `wish`: refused when the disk refuses. `fact`: true at once. @returns whether anything changed */
  commit(desk: Desk, inside: Inside | null, event: StopMessageEvent, how?: 'wish' | 'fact'): Promise<boolean>
  /** a request of the scope ended */
  ended(desk: Desk, inside: Inside | null, turn: EndedTurn): Promise<void>
  /** a main turn began: the last stop is over */
  begun(desk: Desk, inside: Inside | null, byPerson: boolean): Promise<void>
  /** the same decision again about the last turn that ended, if none has begun since */
  lookAgain(desk: Desk, inside: Inside | null): Promise<void>
  facts(desk: Desk, inside: Inside | null, turn: EndedTurn): TurnFacts
  /** records a "no" and does what it does to the state */
  skip(desk: Desk, inside: Inside | null, turn: EndedTurn, decision: Extract<ReturnType<typeof decideStopMessage>, { kind: 'skip' }>): Promise<void>
}

export function createOffice(deps: StopMessageDeps): Office {
  const { clock, record } = deps
  const retryMs = deps.writeAgainMs ?? WRITE_AGAIN_MS
  const retries = new Map<Desk, Disposable>()

  const tell = (desk: Desk, sessionId: string | null, body: EventBody) => {
    const where = { sessionId, scope: desk.scope }
    record(where, body)
    const notice = noticeOf(body)
    if (notice) deps.notify(where, notice)
  }

  const commit: Office['commit'] = async (desk, inside, event, how = 'fact') => {
    const { kept } = desk
    const before = kept.value
    const { state: after, events } = apply(before, event)
    if (after === before) return false
    const was = before.state
    // A pause is in force before it is said, and said to be over before it is.
    if (after.state.kind === 'paused' && was.kind !== 'paused') await inside?.pause(after.state.reason)
    if (how === 'wish') await kept.change(after)
    else await kept.fact(after)
    const asked = was.kind === 'paused' && (was.reason.code !== 'by-user' || event.type === 'resume')
    if (asked && after.state.kind !== 'paused') await inside?.resume()
    const sessionId = inside?.conversation() ?? armingOf(after.state)?.sessionId ?? armingOf(was)?.sessionId ?? null
    for (const body of events) tell(desk, sessionId, body)
    deps.onChange(desk.scope)
    return true
  }

  const facts: Office['facts'] = (desk, inside, turn) => ({
    ...turn,
    scope: desk.scope,
    paused: deps.outboxes.pausedAll() ? 'global' : inside?.paused() ? 'session' : null,
    terminalGone: inside ? deps.terminalGone(desk.scope) : null,
    conversation: inside ? inside.conversation() : undefined,
    pendingEntryId: inside?.pendingAutomation()?.id ?? null,
  })

  const skip: Office['skip'] = async (desk, inside, turn, { reason, steps, effect }) => {
    record({ sessionId: turn.sessionId, scope: desk.scope, requestId: turn.requestId }, { type: 'skipped', reason, steps })
    if (effect) await commit(desk, inside, eventOf(effect, clock.now()))
  }

  /** @returns whether the state was written */
  const act = async (desk: Desk, inside: Inside, turn: EndedTurn): Promise<boolean> => {
    const { state } = desk.kept.value
    const decision = decideStopMessage(state, facts(desk, inside, turn), clock.now(), deps.config().budgets)
    if (decision.kind === 'skip') {
      await skip(desk, inside, turn, decision)
      return decision.effect !== null
    }
    const { steps, used, max, text, round } = decision
    record({ sessionId: turn.sessionId, scope: desk.scope, requestId: turn.requestId }, { type: 'matched', steps, used, max })
    try {
      const entry = await inside.add({ sessionId: turn.sessionId, text, source: 'stopMessage', round, group: armingOf(state)?.id ?? null })
      return await commit(desk, inside, { type: 'fire', entryId: entry.id })
    } catch (error) {
      return await notQueued(desk, inside, error)
    }
  }

  /** The stop is not forgotten while the disk is full; a text that cannot be typed at all is given up. */
  const notQueued = async (desk: Desk, inside: Inside, error: unknown): Promise<boolean> => {
    const code = OnwardError.isInstance(error) ? error.code : 'queue-failed'
    if (code === 'empty-text') {
      return commit(desk, inside, { type: 'give-up', at: clock.now(), reason: { code: 'typing-failed', message: messageOf(error) } })
    }
    record({ sessionId: inside.conversation(), scope: desk.scope }, { type: 'engine-problem', code, message: messageOf(error) })
    retries.get(desk)?.dispose()
    retries.set(desk, clock.after(retryMs, () => {
      retries.delete(desk)
      desk.exclusive((again) => lookAgain(desk, again)).catch((failure: unknown) => {
        record({ scope: desk.scope }, { type: 'engine-problem', code: 'stop-message', message: messageOf(failure) })
      })
    }))
    return false
  }

  /** Kept on disk only while something is armed; a change from nothing to nothing is none. */
  const remember = (desk: Desk, turn: EndedTurn | null): boolean => {
    const { value } = desk.kept
    if (value.lastStop === turn) return false
    desk.kept.note({ ...value, lastStop: turn })
    return armingOf(value.state) !== null
  }

  const lookAgain: Office['lookAgain'] = async (desk, inside) => {
    const { lastStop } = desk.kept.value
    // A request in flight ends by itself, and is decided then.
    if (inside && lastStop && !inside.running()) await act(desk, inside, lastStop)
  }

  return {
    commit,
    facts,
    skip,
    lookAgain,
    dispose() {
      for (const timer of retries.values()) timer.dispose()
      retries.clear()
    },
    async ended(desk, inside, turn) {
      if (!inside || desk.kept.value.movedTo !== null) return
      const main = turn.kind === 'turn' && !turn.reentered
      const owed = main && remember(desk, isPlainStop(turn) ? turn : null)
      const written = await act(desk, inside, turn)
      if (owed && !written) await desk.kept.fact(desk.kept.value)
    },
    async begun(desk, inside, byPerson) {
      const owed = remember(desk, null)
      const written = await commit(desk, inside, { type: 'main-turn', byPerson, pendingEntryId: inside?.pendingAutomation()?.id ?? null })
      if (owed && !written) await desk.kept.fact(desk.kept.value)
    },
  }
}

const nothingArmed = emptyScope('session:').state

/** A decision where there is no scope to keep anything for. That there is none is said once of a session: it stays so. */
export function decideWithoutScope(deps: Pick<StopMessageDeps, 'record' | 'clock' | 'config' | 'outboxes'>, turn: EndedTurn, first: (sessionId: string) => boolean): void {
  const facts: TurnFacts = { ...turn, scope: null, paused: deps.outboxes.pausedAll() ? 'global' : null, terminalGone: null, conversation: undefined, pendingEntryId: null }
  const decision = decideStopMessage(nothingArmed, facts, deps.clock.now(), deps.config().budgets)
  if (decision.kind === 'skip' && (decision.reason.code !== 'no-scope' || turn.sessionId === null || first(turn.sessionId))) {
    deps.record({ sessionId: turn.sessionId, scope: null, requestId: turn.requestId }, { type: 'skipped', reason: decision.reason, steps: decision.steps })
  }
}

function eventOf(effect: Effect, at: number): StopMessageEvent {
  switch (effect.type) {
    case 'done': return { type: 'rounds-used', at }
    case 'failed': return { type: 'give-up', at, reason: effect.reason }
    case 'pause': return { type: 'budget', at, reason: effect.reason }
  }
}
