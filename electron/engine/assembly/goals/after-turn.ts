import { addSpend } from '../../../../shared/cost/cost.ts'
import type { RecordEvent } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import { messageOf, problemOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { InFlight } from '../../base/work.ts'
import type { Alarms } from '../../clock/model/types.ts'
import type { LastRequests } from '../../pipeline/request/turn-excerpt.ts'
import type { Turn, TurnEnd } from '../../pipeline/turn.ts'
import { overflowOf } from '../../protocol/failures/overflow.ts'
import type { Router } from '../../router/create-router.ts'
import type { PauseAtLimit } from '../../servertools/pause-at-limit.ts'
import type { Recover } from '../../servertools/recover/index.ts'
import type { ResumeAtReset } from '../../servertools/resume-at-reset/resume-at-reset.ts'
import type { StopMessage } from '../../servertools/stop-message/stop-message.ts'
import { type Activity, nothingSeen, withSubagents } from '../../sessions/activity.ts'
import type { Rebinder } from '../../sessions/binding/rebinder.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import type { TerminalsRegistry } from '../../sessions/binding/terminals-registry.ts'
import type { FailedRequest, Failures, Stalls } from '../../sessions/failures.ts'
import { choicesOf, noChoices } from '../../sessions/session-state.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { RequestFacts, TurnIdentity } from '../../sessions/types.ts'
import { continues } from '../../terminals/said.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import type { TerminalAccess } from '../terminals/terminal-access.ts'

/** Runs after a turn's answer has reached its client. */
export function createAfterTurn(deps: {
  automation: Pick<StopMessage, 'turnEnded' | 'requestEnded'>
  resume: Pick<ResumeAtReset, 'limited' | 'wentOn' | 'answered'>
  alarms: Pick<Alarms, 'deliver'>
  terminalAccess: TerminalAccess
  activity: Activity
  failures: Pick<Failures, 'failed' | 'over'>
  recover: Pick<Recover, 'wentOn' | 'compacted'>
  pauseAtLimit: Pick<PauseAtLimit, 'answered'>
  router: Pick<Router, 'quotasOf'>
  stalls: Pick<Stalls, 'ended'>
  log: Log
  turns: InFlight
  requests: Pick<LastRequests, 'excerpt'>
  continueAfter(turn: Turn, end: TurnEnd): (() => Promise<void>) | null
}): (turn: Turn, end: TurnEnd) => void {
  const {
    automation,
    resume,
    alarms,
    terminalAccess,
    activity,
    failures,
    recover,
    pauseAtLimit,
    router,
    stalls,
    log,
    turns,
    requests,
    continueAfter,
  } = deps
  return (turn, end) => {
    const { identity, call } = turn
    const { terminalId, sessionId, kind } = identity
    if (terminalId !== null) terminalAccess.called(terminalId)
    if (terminalId !== null && kind === 'turn') {
      // The agent runs tools now: that is when dialogs open.
      if (end.summary.finish === 'tool-calls') terminalAccess.needs.begin(terminalId)
      else terminalAccess.needs.end(terminalId)
    }
    // Its suggestion for the next message stands in the composer as ghost text, which does not always look different
    // from a draft.
    if (terminalId !== null && (kind === 'turn' || kind === 'probe'))
      terminalAccess.suggested(terminalId, kind === 'probe' && end.summary.complete ? end.summary.text : null)
    const { choice } = end
    if (choice !== null && sessionId !== null && kind === 'turn')
      pauseAtLimit.answered(sessionId, choice.providerId, () => router.quotasOf(choice))
    if (end.limit) {
      if (sessionId !== null && kind === 'turn') resume.limited(sessionId, end.limit)
    } else if (end.route !== null && end.summary.complete && end.summary.error === null) {
      resume.answered(end.route.provider)
      if (sessionId !== null && kind === 'turn') resume.wentOn(sessionId)
    }
    if (sessionId !== null && kind === 'turn') {
      stalls.ended(sessionId, terminalId, end.summary.finish === 'tool-calls')
      const failed = failureOf(turn, end)
      if (failed) failures.failed(sessionId, terminalId, { ...failed, turn: identity.turn ?? undefined })
      else {
        failures.over(sessionId)
        if (end.summary.complete && !end.limit && !end.clientLeft) recover.wentOn(sessionId)
      }
    }
    if (sessionId !== null && kind === 'compaction') recover.compacted(sessionId)
    // An alarm may be due that could not reach the session before this turn.
    if (sessionId !== null && kind === 'turn') alarms.deliver(sessionId)
    if (turn.reentered || end.reenter) return
    // Without a session there is no timeline for a decision.
    if (sessionId === null) {
      if (identity.scope !== null)
        void turns.track(`what follows request ${call.requestId}`, automation.requestEnded(identity.scope))
      return
    }
    const going = continueAfter(turn, end)
    const excerpt = requests.excerpt(turn, end.summary)
    const decide = async () => {
      await automation.turnEnded(
        identity.scope,
        {
          requestId: call.requestId,
          sessionId,
          kind,
          reentered: false,
          finish: end.summary.finish,
          clientLeft: end.clientLeft,
          registeredClientOnly: identity.registeredClientOnly,
          notFinished: excerpt?.drivenBy ?? null,
          background: withSubagents(excerpt?.background ?? nothingSeen, activity, sessionId),
        },
        excerpt,
      )
      await going?.()
    }
    // A client that hung up may have gone with its terminal, so that is checked first.
    const follows =
      !end.clientLeft || terminalId === null
        ? decide()
        : terminalAccess
            .check(terminalId)
            .catch((error: unknown) =>
              log.warn({ terminalId, error: messageOf(error) }, 'a terminal could not be looked at'),
            )
            .then(decide, decide)
    void turns.track(`what follows request ${call.requestId}`, follows)
  }
}

/** Null: it ended well, at a limit, or because the person broke it off. */
function failureOf({ tried }: Turn, { summary, status, route, clientLeft, limit }: TurnEnd): FailedRequest | null {
  if (clientLeft || limit || (summary.finish !== 'error' && summary.finish !== 'broken-off')) return null
  const before = tried.map(({ provider, model, keyAlias, status: of, code }) => ({
    provider,
    model,
    keyAlias,
    status: of,
    code,
  }))
  const message = summary.error?.message ?? ''
  const isFull = status !== 429 && summary.error !== null && overflowOf(summary.error) !== null
  const of = { status, message, ...(isFull && { full: true as const }) }
  if (route === null) return { ...of, provider: before.at(-1)?.provider ?? null, tried: before }
  // The client got its answer, so the record has no failed attempt for it.
  const { provider, model, keyAlias } = route
  const last =
    status < 400
      ? { status: null, code: summary.error?.code ?? 'upstream-broke-off' }
      : { status, code: String(status) }
  return { ...of, provider, tried: [...before, { provider, model, keyAlias, ...last }] }
}

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
    drives: [...old.drives, ...facts.drives.filter(({ id }) => !old.drives.some((drive) => drive.id === id))],
    driven: old.driven,
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
    drives: [],
    driven: null,
    turns: 0,
    usage: { input: 0, cachedInput: 0, output: 0, reasoning: 0 },
    costUsd: null,
    unpricedTokens: 0,
    worthUsd: 0,
    cold: null,
    cacheUntil: null,
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
