import { addCold, coldSumsOf, spendInto, spendOf, type ColdCache, type Spend } from '../../../shared/cost/cost.ts'
import type { RecordEvent } from '../../../shared/events.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Mutable } from '../base/mutable.ts'
import { putNewest } from '../base/newest.ts'
import type { PrefixDigest } from '../protocol/types.ts'
import { coldBecause, coldCost, type ColdFact, type LastPrompt } from '../router/cold-cache.ts'
import { cacheKeptMs, costOf, leastCold, missedTokens } from '../router/cost.ts'
import type { StopMessage } from '../servertools/stop-message/stop-message.ts'
import { type Activity, delegates, showsWork } from '../sessions/activity.ts'
import { profileOf } from '../sessions/clients/index.ts'
import { goesOnAtReset } from '../sessions/drives/index.ts'
import type { Stalls, Failures } from '../sessions/failures.ts'
import type { Identifier } from '../sessions/identify/identify.ts'
import { personTexts } from '../sessions/identify/person-text.ts'
import { nthIn } from '../sessions/identify/tell-apart.ts'
import type { SessionFacts } from '../sessions/session-state.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { TurnCaptures } from './capture.ts'
import type { DriveWatch } from './drives/watch-drives.ts'
import type { Turn, TurnEnd } from './turn.ts'

export interface RecordTurnDeps {
  clock: Clock
  log: Log
  record: RecordEvent
  addRecord(record: TurnRecord): void
  sessions: Pick<SessionStore, 'note' | 'list'>
  activity: Activity
  failures: Pick<Failures, 'began'>
  stalls: Pick<Stalls, 'over' | 'alive'>
  /** retries a failed turn by itself, unless the session went on without that */
  recover: { began(sessionId: string): void }
  identifier: Pick<Identifier, 'answered'>
  /** what agents go on by themselves */
  drives: Pick<DriveWatch, 'began' | 'ended'>
  captures: Pick<TurnCaptures, 'begin' | 'end'>
  /** the folder of the terminal's agent, by its launcher or its process; never from request text */
  folderOf(terminalId: string): string | null
  /** terminals but this one that have no session yet, and the name of one already */
  namedAhead(terminalId: string | null): Parameters<typeof nthIn>[2]
  /** true if the client calls with a login of its own, which is not paid by the token */
  signedIn(headers: Readonly<Record<string, string>>): boolean
  /** the session goes on within its HTTP calls (reenter mode) */
  reenters(sessionId: string): boolean
  reenterBegun: StopMessage['reenterBegun']
  /** a turn begins; if the agent goes on by itself after a limit, no followup is needed */
  wentOn(sessionId: string, byItself: () => boolean): void
  /** everything that reads an ended turn: stopMessage, open dialogs */
  afterTurn(turn: Turn, end: TurnEnd): void
}

/** Records a turn: in its session, in the timeline and in the records. */
export interface RecordTurn {
  /** @returns the turn's number in the session; null: it does not count */
  started(turn: Turn): number | null
  /** Never throws: the client has its answer. */
  ended(turn: Turn, end: TurnEnd): void
}

interface Recorder extends RecordTurnDeps {
  beginnings: RunBeginnings
  prompts: LastPrompts
}

export function createRecordTurn(deps: RecordTurnDeps): RecordTurn {
  const recorder: Recorder = { ...deps, beginnings: createRunBeginnings(personTexts), prompts: createLastPrompts() }
  return {
    started: (turn) => started(recorder, turn),
    ended(turn, end) {
      try {
        finish(recorder, turn, end)
        deps.afterTurn(turn, end)
      } catch (error) {
        // The client has its answer; a failure after it must not take that away.
        deps.log.error(
          { requestId: turn.call.requestId, error: messageOf(error) },
          'a turn could not be finished properly',
        )
        tellProblem(deps, turn, 'after-turn', messageOf(error))
      }
    },
  }
}

function started(recorder: Recorder, turn: Turn): number | null {
  recorder.beginnings.note(turn)
  recorder.prompts.note(turn, recorder.clock.now())
  recorder.captures.begin(turn)
  const { identity, call, draft } = turn
  const { sessionId } = identity
  const ordinal = sessionId === null ? null : startedIn(recorder, sessionId, turn)
  recorder.record(
    { sessionId, scope: identity.scope, requestId: call.requestId },
    {
      type: 'turn-started',
      client: identity.client,
      entry: call.entry,
      kind: identity.kind,
      model: draft.lens.model,
      retry: identity.retry,
    },
  )
  return ordinal
}

/** @returns the turn's number in its session; null: it does not count */
function startedIn(recorder: Recorder, sessionId: string, turn: Turn): number | null {
  const { activity, stalls } = recorder
  const { identity, call, draft } = turn
  const ordinal = noteStart(recorder, sessionId, turn)
  activity.begin(sessionId, call.requestId, ordinal)
  if (identity.kind === 'turn') {
    recorder.failures.began(sessionId)
    recorder.recover.began(sessionId)
    stalls.over(sessionId)
    recorder.wentOn(sessionId, () => goesOnAtReset(identity.client, draft.lens.lastMessage()?.texts ?? []))
  }
  if (ordinal !== null && identity.scope === null && recorder.reenters(sessionId)) {
    recorder
      .reenterBegun(sessionId, true)
      .catch((error: unknown) =>
        recorder.log.error({ sessionId, error: messageOf(error) }, 'the beginning of a turn could not be noted'),
      )
  }
  if (identity.kind !== 'turn') stalls.alive(sessionId)
  if (identity.kind === 'subagent') activity.subagentBegin(sessionId, call.requestId, identity.subagent)
  else if (identity.kind === 'turn' && profileOf(identity.client).waitsForSubagents) activity.subagentsOver(sessionId)
  if (showsWork(identity.client)) recorder.drives.began(turn)
  return ordinal
}

function noteStart(
  { clock, sessions, folderOf, namedAhead }: Recorder,
  sessionId: string,
  { identity, call, draft }: Turn,
): number | null {
  const isTurn = identity.kind === 'turn'
  const folder = identity.terminalId === null || !isTurn ? null : folderOf(identity.terminalId)
  let ordinal: number | null = null
  sessions.note(sessionId, (facts) => {
    const change: Partial<SessionFacts> = { lastActivityAt: clock.now() }
    if (isTurn && !identity.retry) {
      ordinal = facts.turns + 1
      change.turns = ordinal
      change.entry = call.entry
      change.model = draft.lens.model
      change.client = identity.client
    }
    if (isTurn) {
      change.scope = identity.scope
      change.terminalId = identity.terminalId
    }
    if (folder !== null && folder !== facts.cwd) {
      change.cwd = folder
      change.nth = nthIn(folder, sessionId, [...sessions.list(), ...namedAhead(identity.terminalId)], clock.now())
    }
    return change
  })
  return ordinal
}

function finish(recorder: Recorder, turn: Turn, end: TurnEnd): void {
  const { identity, call } = turn
  const { summary } = end
  const captured = recorder.captures.end(turn, end)
  const at = recorder.clock.now()
  // Counting tokens is free.
  const usage = identity.kind === 'count' ? null : summary.usage
  const ask = { usage, choice: end.choice, signedIn: () => recorder.signedIn(call.headers), at }
  const { costUsd, price } = costOf(ask)
  const found = recorder.prompts.ended(turn, end, at)
  const cold: ColdCache | null = found && usage && { ...found, ...coldCost({ ...ask, usage }, found.tokens) }
  if (identity.sessionId !== null)
    endedIn(recorder, identity.sessionId, turn, end, spendOf({ kind: identity.kind, usage, costUsd, price }), cold)
  const event: TurnEnded = {
    type: 'turn-ended',
    turn: turn.ordinal,
    kind: identity.kind,
    finish: summary.finish,
    status: end.status,
    usage: summary.usage,
    ttfbMs: rounded(end.ttfbMs),
    durationMs: Math.round(end.durationMs),
    route: end.route,
    tools: summary.toolNames,
    clientLeft: end.clientLeft,
  }
  if (usage !== null) event.costUsd = costUsd
  if (usage !== null && price) event.price = price
  if (summary.error) event.error = summary.error
  if (turn.tried.length > 0)
    event.tried = turn.tried.map(({ provider, model, keyAlias, status, code }) => ({
      provider,
      model,
      keyAlias,
      status,
      code,
    }))
  recorder.record({ sessionId: identity.sessionId, scope: identity.scope, requestId: call.requestId }, event)
  const failure = end.reenter?.failure
  if (failure)
    tellProblem(
      recorder,
      turn,
      failure.code,
      `Followup ${failure.round} within the exchange failed: ${failure.message}`,
    )
  if (end.roundFailure)
    tellProblem(
      recorder,
      turn,
      end.roundFailure.code,
      `Round ${end.roundFailure.round} of an answer with tools of ` +
        `Onward could not be gone on with: ${end.roundFailure.message}`,
    )
  const line: Mutable<TurnRecord> = {
    requestId: call.requestId,
    at,
    sessionId: identity.sessionId ?? call.internal?.about ?? null,
    scope: identity.scope,
    client: identity.client,
    entry: call.entry,
    kind: identity.kind,
    model: turn.draft.lens.model,
    route: end.route,
    status: end.status,
    finish: summary.finish,
    usage: summary.usage,
    costUsd,
    ttfbMs: event.ttfbMs,
    durationMs: event.durationMs,
    bytesIn: turn.bytesIn,
    bytesOut: end.bytesOut,
    error: summary.error,
    turn: turn.ordinal,
    by: recorder.beginnings.of(turn),
  }
  if (turn.draft.lens.stream) line.streamed = true
  if (summary.responseId !== null) line.responseId = summary.responseId
  if (price) line.price = price
  if (cold) line.cold = cold
  if (turn.tried.length > 0) line.tried = turn.tried
  if (end.servertools) line.servertools = end.servertools
  if (captured) line.captured = captured
  if (turn.dropped.length > 0) line.dropped = turn.dropped
  recorder.addRecord(line)
}

function endedIn(
  recorder: Recorder,
  sessionId: string,
  turn: Turn,
  end: TurnEnd,
  spend: Spend,
  cold: ColdCache | null,
): void {
  const { identity, call } = turn
  const { activity, clock, prompts } = recorder
  const { summary } = end
  const isTurn = identity.kind === 'turn'
  if (identity.kind === 'subagent') activity.subagentEnd(sessionId, call.requestId, summary.finish, identity.subagent)
  activity.end(sessionId, call.requestId, isTurn ? summary.finish : null, delegates(identity.client, summary.toolNames))
  recorder.identifier.answered({
    sessionId,
    responseId: summary.responseId,
    visible: isTurn && summary.complete && !end.clientLeft && (summary.text !== '' || summary.toolNames.length > 0),
  })
  recorder.sessions.note(sessionId, (facts) => {
    const change: Partial<SessionFacts> & Spend = {
      lastActivityAt: clock.now(),
      costUsd: null,
      cacheUntil: prompts.coldAt(sessionId),
    }
    if (end.route && isTurn) change.route = { provider: end.route.provider, model: end.route.model }
    if (summary.usage)
      change.usage = {
        input: facts.usage.input + summary.usage.input,
        cachedInput: facts.usage.cachedInput + summary.usage.cachedInput,
        output: facts.usage.output + summary.usage.output,
        reasoning: facts.usage.reasoning + summary.usage.reasoning,
      }
    if (cold) change.cold = addCold(facts.cold ?? undefined, coldSumsOf(cold)) ?? null
    return spendInto(change, facts, spend)
  })
  if (showsWork(identity.client)) recorder.drives.ended(turn, end, spend)
}

const tellProblem = (
  { record }: Pick<RecordTurnDeps, 'record'>,
  { identity, call }: Turn,
  code: string,
  message: string,
): void =>
  record({ sessionId: identity.sessionId, requestId: call.requestId }, { type: 'engine-problem', code, message })

type TurnEnded = Extract<Parameters<RecordEvent>[1], { type: 'turn-ended' }>

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms))

export type BegunBy = 'onward' | 'person'

/**
 * Finds what began the run of requests that a turn belongs to: a person's message, or a followup that Onward delivered.
 */
interface RunBeginnings {
  /** Called once per request, while its body is still there. */
  note(turn: Turn): void
  /** `person` for a turn that was never noted */
  of(turn: Turn): BegunBy
}

/** How many sessions are remembered; a forgotten one counts as the person's until its next message. */
const mostSessions = 2000

export function createRunBeginnings(personTextsOf: typeof personTexts, limit = mostSessions): RunBeginnings {
  const runs = new Map<string, BegunBy>()
  const turns = new WeakMap<Turn, BegunBy>()
  return {
    note(turn) {
      const { sessionId } = turn.identity
      const begun = beginningOf(turn, personTextsOf)
      // Tool rounds, sub-agents, titles and repeats belong to the current run.
      const by = begun ?? (sessionId === null ? undefined : runs.get(sessionId)) ?? 'person'
      turns.set(turn, by)
      if (begun !== null && sessionId !== null) putNewest(runs, sessionId, begun, limit)
    },
    of: (turn) => turns.get(turn) ?? 'person',
  }
}

/** Finds requests for which a provider's cache was cold, by the last one of their session. */
export interface LastPrompts {
  /** Called once per request, while its body is still there. */
  note(turn: Turn, at: number): void
  /** @returns why the cache was cold; null: it was warm, or nothing shows that it was cold */
  ended(turn: Turn, end: TurnEnd, at: number): (ColdFact & { tokens: number }) | null
  /** until when the vendor keeps the cache of a session that rests; null: not known */
  coldAt(sessionId: string): number | null
}

export function createLastPrompts(limit = 500): LastPrompts {
  const last = new Map<string, LastPrompt>()
  const noted = new WeakMap<Turn, { digest: PrefixDigest; at: number }>()
  return {
    note(turn, at) {
      const { identity, call, draft } = turn
      if (identity.kind === 'turn' && identity.sessionId !== null && call.endpoint === 'generate')
        noted.set(turn, { digest: draft.lens.prefixDigest(), at })
    },
    ended(turn, { choice, summary: { usage }, summed, lastUsage, durationMs }, at) {
      const { sessionId } = turn.identity
      if (sessionId === null || choice === null) return null
      const before = last.get(sessionId) ?? null
      const was = before && { ...before }
      // Whatever it was, it may have used the cache.
      if (before) before.usedAt = at
      if (before) before.begunAt = at - durationMs
      const asked = noted.get(turn)
      if (!asked || usage === null) return null
      const { providerId, upstreamModel, key, credential } = choice
      const now = { digest: asked.digest, provider: providerId, model: upstreamModel, key: key?.alias ?? credential }
      const keptMs = cacheKeptMs(choice, asked.digest.keep)
      // The sum of several requests does not say what one of them found: their last one does, else what was in the
      // cache before still is.
      const same = before?.provider === now.provider && before.model === now.model && before.key === now.key
      const own = summed ? lastUsage : usage
      const cached = own ? own.cachedInput + (own.cacheWrite ?? 0) : same ? before.cached : 0
      putNewest(last, sessionId, { ...now, usedAt: at, begunAt: at - durationMs, cached, keptMs }, limit)
      const tokens = was === null || summed ? 0 : missedTokens(was, usage)
      return was !== null && tokens >= leastCold ? { ...coldBecause(was, now, asked.at), tokens } : null
    },
    coldAt(sessionId) {
      const prompt = last.get(sessionId)
      return prompt && prompt.keptMs !== null && prompt.cached > 0 ? prompt.begunAt + prompt.keptMs : null
    },
  }
}

/** null: the request begins no run. */
function beginningOf({ identity, draft, receipt }: Turn, personTextsOf: typeof personTexts): BegunBy | null {
  if (identity.kind !== 'turn' || identity.retry) return null
  if (receipt.proves.length > 0) return 'onward'
  const last = draft.lens.lastMessage()
  if (last?.role !== 'user' || last.texts.length === 0) return null
  // A client joins messages in the order they were typed: the last words decide.
  const at = personTextsOf(identity.client, last.texts).findLastIndex((text) => text !== '')
  if (at < 0) return null
  return receipt.ours[at] === true ? 'onward' : 'person'
}
