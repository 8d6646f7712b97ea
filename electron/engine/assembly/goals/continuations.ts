import { addSpend } from '../../../../shared/cost/cost.ts'
import type { RecordEvent } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import { problemOf } from '../../base/errors.ts'
import type { Alarms } from '../../clock/model/types.ts'
import type { Turn, TurnEnd } from '../../pipeline/turn.ts'
import type { StopMessage } from '../../servertools/stop-message/stop-message.ts'
import type { Rebinder } from '../../sessions/binding/rebinder.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import { choicesOf, noChoices } from '../../sessions/session-state.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { RequestFacts, TurnIdentity } from '../../sessions/types.ts'
import { continues } from '../../terminals/conversation/said.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'

export interface ContinuationDeps {
  outboxes: Pick<Outboxes, 'peek'>
  registry: Pick<TerminalsRegistry, 'get' | 'list' | 'alive' | 'setSession'>
  sessions: SessionStore
  automation: Pick<StopMessage, 'rename'>
  alarms: Pick<Alarms, 'rename'>
  rebinder: Pick<Rebinder, 'again'>
}

/**
 * Follows a conversation that goes on under another id (Claude Code's agents view and `/branch`, Codex's fork): the
 * history of the first request proves it. Goal, alarms, queue and a person's settings follow, since they are the
 * conversation's and not the id's. They follow to the one that the terminal shows; if the older one still lives in
 * another terminal, they stay there. Only one of the two ever has them.
 */
export function createContinuations(
  deps: ContinuationDeps,
): (identity: TurnIdentity, facts: Pick<RequestFacts, 'history'>) => Promise<void> {
  const { outboxes, registry, sessions } = deps

  /** Terminals that may have had this conversation before: the same one, or those of the folder that have ended. */
  const places = (here: Terminal): readonly Terminal[] => [
    here,
    ...registry
      .list()
      .filter(
        (other) =>
          other.terminalId !== here.terminalId &&
          other.client === here.client &&
          other.cwd !== null &&
          other.cwd === here.cwd &&
          other.heir === null &&
          other.cleanedAt === null &&
          !registry.alive(other),
      )
      .toReversed(),
  ]

  return async ({ kind, sessionId, terminalId, scope, registeredClientOnly }, facts) => {
    const here = terminalId === null ? null : registry.get(terminalId)
    if (!here || !facts.history || kind !== 'turn' || sessionId === null || scope === null || registeredClientOnly)
      return
    if (outboxes.peek(scope)?.conversation() === sessionId) return
    if (sessions.get(sessionId)?.continuedIn) await sessions.choose(sessionId, () => ({ continuedIn: null }))
    const candidates = places(here).flatMap((place) =>
      (outboxes.peek(place.scope)?.conversations() ?? [])
        .filter((one) => one.sessionId !== sessionId)
        .toReversed()
        .map((known) => ({ place, known })),
    )
    if (candidates.length === 0) return
    const history = facts.history()
    const found = candidates.find(({ known }) => continues(known, history))
    if (!found) return
    const from = found.known.sessionId
    await deps.alarms.rename(from, sessionId)
    await deps.automation.rename(found.place.scope, from, sessionId)
    await handOver(sessions, from, sessionId)
    if (found.place === here) return
    registry.setSession(found.place.terminalId, sessionId)
    deps.rebinder.again(here.terminalId)
  }
}

/** Moves a person's settings and the sums to the new id; nothing of them is left under the old one. */
async function handOver(sessions: SessionStore, from: string, to: string): Promise<void> {
  const old = sessions.get(from)
  if (!old) return
  await sessions.choose(to, () => ({ ...choicesOf(old), archivedAt: null, continuedIn: null }))
  await sessions.choose(from, () => ({ ...noChoices, continuedIn: to }))
  sessions.note(to, (facts) => ({
    cwd: old.cwd,
    nth: old.nth,
    startedAt: Math.min(old.startedAt, facts.startedAt),
    turns: facts.turns + old.turns,
    usage: {
      input: facts.usage.input + old.usage.input,
      cachedInput: facts.usage.cachedInput + old.usage.cachedInput,
      output: facts.usage.output + old.usage.output,
      reasoning: facts.usage.reasoning + old.usage.reasoning,
    },
    ...addSpend(facts, old),
  }))
  sessions.note(from, () => ({
    cwd: null,
    turns: 0,
    usage: { input: 0, cachedInput: 0, output: 0, reasoning: 0 },
    costUsd: null,
    unpricedTokens: 0,
    worthUsd: 0,
  }))
}

export interface ContinueDeps {
  outboxes: Outboxes
  automation: Pick<StopMessage, 'view'>
  record: RecordEvent
}

/**
 * Puts the followup that the model asked for into its terminal's outbox (`continue_execution`). If a stopMessage is
 * set, that decides what comes next. Once per request.
 * @returns what to do when the other decisions about the turn are made; null: nothing
 */
export function createContinue({
  outboxes,
  automation,
  record,
}: ContinueDeps): (turn: Turn, end: TurnEnd) => (() => Promise<void>) | null {
  const isSet = (scope: Scope): boolean => {
    const status = automation.view(scope).stopMessage?.status.kind ?? 'done'
    return status !== 'done'
  }
  return (turn, { continueWith, clientLeft }) => {
    const { scope, sessionId } = turn.identity
    if (!continueWith || clientLeft || scope === null || sessionId === null || isSet(scope)) return null
    return () => put(turn, continueWith.text, scope, sessionId)
  }

  async function put(turn: Turn, text: string, scope: Scope, sessionId: string): Promise<void> {
    try {
      const outbox = await outboxes.of(scope)
      const group = `continue:${turn.call.requestId}`
      await outbox.exclusive(async (transaction) => {
        if (!transaction.entries().some((entry) => entry.group === group))
          await transaction.add({ sessionId, text, source: 'continue_execution', writtenBy: 'model', group })
      })
    } catch (error) {
      record(
        { sessionId, scope, requestId: turn.call.requestId },
        { type: 'engine-problem', ...problemOf(error, 'continue-execution') },
      )
    }
  }
}
