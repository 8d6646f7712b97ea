import { addSpend, spendOf } from '../../../shared/cost.ts'
import type { RecordEvent } from '../../../shared/events.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import type { Scope } from '../../../shared/words.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { EngineHost } from '../host.ts'
import { createTurnCaptures } from '../pipeline/answer/capture.ts'
import { createRunTurn, type TurnServices } from '../pipeline/run-turn.ts'
import type { Turn, TurnEnd } from '../pipeline/turn.ts'
import type { KeptThinking } from '../pipeline/thinking/kept-thinking.ts'
import { createStoredResponses } from '../pipeline/request/stored-responses.ts'
import type { TurnTools } from '../pipeline/rounds/turn-tools.ts'
import type { RunTurn } from '../pipeline/types.ts'
import { upstreamRequest } from '../pipeline/request/upstream-request.ts'
import { codecOf } from '../protocol/index.ts'
import { downstreamHeaders } from '../providers/response-headers.ts'
import { credentialName, sendsLogin } from '../providers/request-headers.ts'
import type { Captures } from '../records/captures.ts'
import type { Router } from '../router/create-router.ts'
import { costOf } from '../router/cost.ts'
import { profileOf } from '../sessions/clients/index.ts'
import { nthIn } from '../sessions/tell-apart.ts'
import type { Identifier } from '../sessions/identify.ts'
import { personTexts } from '../sessions/person-text.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import { tokensOf } from '../servertools/stop-message/reducer/goal-progress.ts'
import type { StopMessage } from '../servertools/stop-message/stop-message.ts'
import type { Failures } from './failures.ts'
import { wordsOnly, type LastRequests } from './last-requests.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { createRunBeginnings } from './run-beginnings.ts'
import type { Activity } from './activity.ts'

export interface TurnParts {
  host: EngineHost
  config: ConfigHandle
  router: Router
  identifier: Identifier
  sessions: SessionStore
  activity: Activity
  failures: Pick<Failures, 'began'>
  secrets: Pick<KnownSecrets, 'with'>
  record: RecordEvent
  addRecord(record: TurnRecord): void
  captures: Captures
  isLocalKey(value: string): boolean
  language(): 'en' | 'zh-CN'
  /** where the terminal's agent works, as its launcher or its process says; never from request text */
  folderOf(terminalId: string): string | null
  /** resolves when no terminal is taking over what is bound to another one */
  takenOver(): Promise<void>
  outboxOf: TurnServices['outboxOf']
  markers: Omit<TurnServices['markers'], 'personTexts' | 'anywhere' | 'sawPasted'>
  sawPasted: TurnServices['markers']['sawPasted']
  /** reenter mode: the decision after each round, within the exchange */
  reenter: Pick<StopMessage, 'reenterText' | 'reenterBegun'>
  tools: TurnTools
  thinking: KeptThinking
  reminders: TurnServices['reminders']
  seeImages: TurnServices['seeImages']
  describesImages(): boolean
  requests: LastRequests
  /** everything that looks at an ended turn: stopMessage, open dialogs */
  afterTurn(turn: Turn, end: TurnEnd): void
}

/** Connects the stages of a turn with the rooms they use. */
export function assembleTurns(parts: TurnParts): RunTurn {
  const { host, config, router, identifier, sessions, activity, record } = parts
  const { clock, log, transport } = host

  const beginnings = createRunBeginnings(personTexts)
  const capturing = createTurnCaptures(parts.captures, (sessionId) => sessions.get(sessionId)?.capture === true)
  const converting = {
    clock,
    random: host.random,
    stored: createStoredResponses(clock),
    thinking: parts.thinking,
    citations: () => config.current().conversion.citations,
  }

  const signedIn = (headers: Readonly<Record<string, string>>): boolean => sendsLogin(headers, parts.isLocalKey)

  const reenterScope = (sessionId: string): Scope | null =>
    config.current().stopMessage.delivery === 'reenter' ? `session:${sessionId}` : null

  const started = (turn: Turn): number | null => {
    beginnings.note(turn)
    capturing.begin(turn)
    const { identity, call, lens } = turn
    const { sessionId } = identity
    let ordinal: number | null = null
    if (sessionId !== null) {
      const folder =
        identity.terminalId === null || identity.kind !== 'turn' ? null : parts.folderOf(identity.terminalId)
      sessions.note(sessionId, (facts) => {
        const counts = identity.kind === 'turn' && !identity.retry
        ordinal = counts ? facts.turns + 1 : null
        return {
          lastActivityAt: clock.now(),
          ...(counts ? { turns: facts.turns + 1, entry: call.entry, model: lens.model, client: identity.client } : {}),
          ...(identity.kind === 'turn' ? { scope: identity.scope, terminalId: identity.terminalId } : {}),
          ...(folder === null || folder === facts.cwd
            ? {}
            : { cwd: folder, nth: nthIn(folder, sessionId, sessions.list(), clock.now()) }),
        }
      })
      activity.begin(sessionId, call.requestId, ordinal)
      if (identity.kind === 'turn') parts.failures.began(sessionId)
      if (ordinal !== null && identity.scope === null && reenterScope(sessionId) !== null) {
        parts.reenter
          .reenterBegun(sessionId, true)
          .catch((error: unknown) =>
            log.error({ sessionId, error: messageOf(error) }, 'the beginning of a turn could not be noted'),
          )
      }
      if (identity.kind === 'subagent') activity.subagentBegin(sessionId, call.requestId)
      else if (identity.kind === 'turn' && profileOf(identity.client).waitsForSubagents)
        activity.subagentsOver(sessionId)
    }
    record(
      { sessionId, scope: identity.scope, requestId: call.requestId },
      {
        type: 'turn-started',
        client: identity.client,
        entry: call.entry,
        kind: identity.kind,
        model: lens.model,
        retry: identity.retry,
      },
    )
    return ordinal
  }

  const ended = (turn: Turn, end: TurnEnd): void => {
    try {
      finish(turn, end)
      parts.afterTurn(turn, end)
    } catch (error) {
      // The client has its answer; what comes after it must not take that away.
      log.error({ requestId: turn.call.requestId, error: messageOf(error) }, 'a turn could not be finished properly')
      record(
        { sessionId: turn.identity.sessionId, requestId: turn.call.requestId },
        { type: 'engine-problem', code: 'after-turn', message: messageOf(error) },
      )
    }
  }
  const finish = (turn: Turn, end: TurnEnd): void => {
    const { identity, call } = turn
    const { summary } = end
    const captured = capturing.end(turn, end)
    const at = clock.now()
    // Counting tokens is free.
    const usage = identity.kind === 'count' ? null : summary.usage
    const { costUsd, price } = costOf({ usage, choice: end.choice, signedIn: signedIn(call.headers), at })
    const spend = spendOf({ kind: identity.kind, usage, costUsd, ...(price ? { price } : {}) })
    if (identity.sessionId !== null) {
      if (identity.kind === 'subagent') activity.subagentEnd(identity.sessionId, call.requestId, summary.finish)
      activity.end(identity.sessionId, call.requestId, identity.kind === 'turn' ? summary.finish : null)
      identifier.answered({
        sessionId: identity.sessionId,
        responseId: summary.responseId,
        visible:
          identity.kind === 'turn' &&
          summary.complete &&
          !end.clientLeft &&
          (summary.text !== '' || summary.toolNames.length > 0),
      })
      sessions.note(identity.sessionId, (facts) => ({
        lastActivityAt: clock.now(),
        ...(end.route && identity.kind === 'turn'
          ? { route: { provider: end.route.provider, model: end.route.model } }
          : {}),
        ...(summary.usage
          ? {
              usage: {
                input: facts.usage.input + summary.usage.input,
                cachedInput: facts.usage.cachedInput + summary.usage.cachedInput,
                output: facts.usage.output + summary.usage.output,
                reasoning: facts.usage.reasoning + summary.usage.reasoning,
              },
            }
          : {}),
        ...addSpend(facts, spend),
      }))
    }
    record(
      { sessionId: identity.sessionId, scope: identity.scope, requestId: call.requestId },
      {
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
        ...(usage === null ? {} : { costUsd, ...(price ? { price } : {}) }),
        ...(summary.error ? { error: summary.error } : {}),
        ...(turn.tried.length === 0
          ? {}
          : {
              tried: turn.tried.map(({ provider, model, keyAlias, status, code }) => ({
                provider,
                model,
                keyAlias,
                status,
                code,
              })),
            }),
      },
    )
    const failure = end.reenter?.failure
    if (failure)
      record(
        { sessionId: identity.sessionId, requestId: call.requestId },
        {
          type: 'engine-problem',
          code: failure.code,
          message: `Followup ${failure.round} within the exchange failed: ${failure.message}`,
        },
      )
    if (end.roundFailure)
      record(
        { sessionId: identity.sessionId, requestId: call.requestId },
        {
          type: 'engine-problem',
          code: end.roundFailure.code,
          message: `Round ${end.roundFailure.round} of an answer with tools of Onward could not be gone on with: ${end.roundFailure.message}`,
        },
      )
    parts.addRecord({
      requestId: call.requestId,
      at,
      sessionId: identity.sessionId ?? call.internal?.about ?? null,
      scope: identity.scope,
      client: identity.client,
      entry: call.entry,
      kind: identity.kind,
      model: turn.lens.model,
      route: end.route,
      status: end.status,
      finish: summary.finish,
      usage: summary.usage,
      costUsd,
      ...(price ? { price } : {}),
      ttfbMs: rounded(end.ttfbMs),
      durationMs: Math.round(end.durationMs),
      bytesIn: turn.bytesIn,
      bytesOut: end.bytesOut,
      error: summary.error,
      turn: turn.ordinal,
      by: beginnings.of(turn),
      ...(turn.tried.length === 0 ? {} : { tried: turn.tried }),
      ...(end.servertools ? { servertools: end.servertools } : {}),
      ...(captured ? { captured } : {}),
      ...(turn.dropped.length === 0 ? {} : { dropped: turn.dropped }),
    })
  }

  return createRunTurn({
    clock,
    log,
    record,
    codecOf,
    async identify(facts) {
      const identity = await identifier.resolve(facts)
      // A terminal that shows its conversation takes over what is bound to that before anything is read from the turn.
      await parts.takenOver()
      if (identity.sessionId !== null) await sessions.open(identity.sessionId, { client: identity.client })
      return identity
    },
    overridesOf: (sessionId) => ({
      force: null,
      ...(sessions.get(sessionId)?.routing ?? { allow: null, prefer: null, disabled: [] }),
    }),
    outboxOf: parts.outboxOf,
    markers: {
      ...parts.markers,
      personTexts,
      anywhere: () => config.current().markers.anywhere,
      sawPasted: parts.sawPasted,
    },
    send: {
      clock,
      describesImages: parts.describesImages,
      transport,
      choose(ask, tried) {
        // Onward's own calls come by no door that could refuse them.
        const refusal = config.refusal()
        if (refusal !== null) throw new OnwardError('config-unreadable', refusal, { status: 503 })
        return router.choose(ask, tried)
      },
      hasRoute: (ask, tried) => router.hasRoute(ask, tried),
      credentialOf: ({ call }) => credentialName(call.headers, parts.isLocalKey),
      prepare(turn, choice) {
        const prepared = upstreamRequest(turn, choice, parts.isLocalKey, converting)
        capturing.upstream(turn, prepared.request.body)
        return prepared
      },
      redactor: parts.secrets.with,
      responseHeaders: downstreamHeaders,
      report: (ask, choice, outcome) => router.report(ask, choice, outcome),
    },
    tools: parts.tools,
    thinking: parts.thinking,
    reminders: parts.reminders,
    seeImages: parts.seeImages,
    keep: parts.requests.keep,
    reenter(turn) {
      const { identity, call } = turn
      const { sessionId, kind, registeredClientOnly } = identity
      // For clients without a terminal, and only where it was asked for.
      if (sessionId === null || identity.scope !== null || kind !== 'turn' || reenterScope(sessionId) === null)
        return null
      let round = 0
      return (summary, clientLeft, { usage, choice, left }) => {
        // Of a round within the exchange there is what was said in it, and nothing else.
        const excerpt = round++ === 0 ? parts.requests.excerpt(turn, summary) : wordsOnly(summary.text)
        const stop = {
          requestId: call.requestId,
          sessionId,
          kind,
          reentered: false,
          finish: summary.finish,
          clientLeft,
          registeredClientOnly,
          notFinished: excerpt?.drivenBy ?? null,
        }
        // The session hears of it only when the exchange is over.
        const costed = costOf({ usage, choice, signedIn: signedIn(call.headers), at: clock.now() })
        const spent = { tokens: usage ? tokensOf(usage) : 0, ...spendOf({ kind, usage, ...costed }) }
        return parts.reenter.reenterText(stop, excerpt, { spent, left })
      }
    },
    started,
    ended,
  })
}

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms))
