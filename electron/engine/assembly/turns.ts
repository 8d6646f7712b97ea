import type { Scope } from '../../../shared/words.ts'
import { OnwardError } from '../base/errors.ts'
import { createInFlight, requestWork, type InFlight } from '../base/in-flight.ts'
import { isLocalKey as isLocalKeyOf } from '../base/local-keys.ts'
import { openKnownGoals } from '../markers/goals/known-goals.ts'
import { createTurnCaptures } from '../pipeline/answer/capture.ts'
import type { InternalCall } from '../pipeline/internal-calls/internal-call.ts'
import { createRecordTurn } from '../pipeline/record-turn.ts'
import { createLastRequests } from '../pipeline/request/last-requests.ts'
import { conversionThread, type ConversionThread } from '../pipeline/conversion-thread/conversion-thread.ts'
import { createFollowedTexts } from '../pipeline/request/read-markers.ts'
import { createStoredResponses } from '../pipeline/request/stored-responses.ts'
import { upstreamRequest, type PreparedRequest } from '../pipeline/request/upstream-request.ts'
import { createReenter } from '../pipeline/rounds/reenter.ts'
import { createRunTurn } from '../pipeline/run-turn.ts'
import { createKeptThinking, type KeptThinking } from '../pipeline/thinking/kept-thinking.ts'
import type { RunTurn } from '../pipeline/types.ts'
import { codecOf } from '../protocol/index.ts'
import { credentialName, sendsLogin } from '../providers/request-headers.ts'
import { downstreamHeaders } from '../providers/response-headers.ts'
import { createHeldMarkers } from '../sessions/held-markers.ts'
import type { Clock } from '../base/clock.ts'
import { personTexts } from '../sessions/identify/person-text.ts'
import { namedAhead } from '../sessions/identify/tell-apart.ts'
import { noRouting } from '../sessions/session-state.ts'
import type { Rebinder } from '../sessions/binding/rebinder.ts'
import { createAfterTurn } from './goals/after-turn.ts'
import type { Automation } from './goals/automation.ts'
import type { EngineContext } from './context.ts'
import { createContinuations } from './goals/continuations.ts'
import { createContinue } from './goals/continue.ts'
import { createMarkerOrders, markerEffects, type MarkerOrders } from './goals/held-markers.ts'
import { assembleServertools, type Servertools } from './servertools.ts'
import type { SessionFacts } from './views/session-facts.ts'
import type { Terminals } from './terminals/terminals.ts'
import type { Upstream } from './upstream.ts'
import type { Revive } from '../servertools/revive/index.ts'

export interface Turns {
  runTurn: RunTurn
  /** requests, and the work that follows their end */
  inFlight: InFlight
  tools: Servertools
  thinking: KeptThinking
  /** a person's word on markers that were not followed */
  markers: MarkerOrders
}

export interface TurnParts extends EngineContext {
  terminals: Terminals
  automation: Automation
  facts: SessionFacts
  upstream: Upstream
  revive: Pick<Revive, 'began'>
  rebinder: Rebinder
  internalCall: InternalCall
}

/** Runs a request from its first byte until everything that follows its answer is decided. */
export async function assembleTurns(parts: TurnParts): Promise<Turns> {
  const { host, base, secrets, language, terminals, automation, internalCall } = parts
  const { stopMessage } = automation
  const { registry, identifier, outboxes, sessionTerminals, access } = terminals
  const { activity, failures, stalls } = parts.facts
  const { router, recover } = parts.upstream
  const { clock, log, random } = host
  const { config, store, sessions, records } = base
  const { record } = base.timeline

  const isLocalKey = (value: string) =>
    isLocalKeyOf(value, config.current().server.keys) || registry.byKey(value) !== null
  const reenterScope = (sessionId: string): Scope | null =>
    config.current().stopMessage.delivery === 'reenter' ? `session:${sessionId}` : null
  const signedIn = (headers: Readonly<Record<string, string>>) => sendsLogin(headers, isLocalKey)

  const inFlight = createInFlight(() => automation.clock.time.clock.now())
  const tools = await assembleServertools({
    turns: inFlight,
    host,
    config,
    store,
    sessions,
    router,
    records,
    record,
    language,
    terminalAlive: sessionTerminals.lives,
    clock: automation.clock,
    internalCall,
    credentialOf: ({ call }) => credentialName(call.headers, isLocalKey),
  })
  const thinking = createKeptThinking({ store, clock, log, isOn: () => config.current().conversion.keepThinking })
  await thinking.load()
  const requests = createLastRequests({ isArmed: stopMessage.isArmed, reenterScope })
  const heldMarkers = createHeldMarkers({ sessions, clock, random, log })
  const knownGoals = await openKnownGoals(store, log)
  const markers = markerEffects({
    home: host.home,
    config,
    sessions,
    language,
    targets: router,
    folderOf: sessionTerminals.folderOfTerminal,
    held: heldMarkers,
    goals: knownGoals,
    alarms: automation.clock.markers,
    arm: async (scope, order) => {
      await stopMessage.arm(scope, { ...order, by: 'marker' })
    },
    clear: async (scope) => {
      await stopMessage.clear(scope, 'marker')
    },
    record,
  })
  const captures = createTurnCaptures(base.captures, (sessionId) => sessions.get(sessionId)?.capture === true)
  const converting = {
    clock,
    random,
    stored: createStoredResponses(clock),
    thinking,
    citations: () => config.current().conversion.citations,
    ...threadIfBuilt(clock),
  }
  const recordTurn = createRecordTurn({
    clock,
    log,
    record,
    addRecord: records.add,
    sessions,
    activity,
    failures,
    recover: {
      ...recover,
      began(sessionId) {
        recover.began(sessionId)
        parts.revive.began(sessionId)
      },
    },
    stalls,
    identifier,
    captures,
    folderOf: sessionTerminals.folderOfTerminal,
    namedAhead: (terminalId) => namedAhead(registry.list(), terminalId, clock.now()),
    signedIn,
    reenters: (sessionId) => reenterScope(sessionId) !== null,
    reenterBegun: stopMessage.reenterBegun,
    wentOn: automation.resume.wentOn,
    afterTurn: createAfterTurn({
      automation: stopMessage,
      resume: automation.resume,
      alarms: automation.clock.alarms,
      terminalAccess: access,
      activity,
      failures,
      recover,
      pauseAtLimit: terminals.pauseAtLimit,
      router,
      stalls,
      log,
      turns: inFlight,
      requests,
      continueAfter: createContinue({ outboxes, automation: stopMessage, record }),
    }),
  })

  const followConversation = createContinuations({
    outboxes,
    registry,
    sessions,
    automation: stopMessage,
    alarms: automation.clock.alarms,
    rebinder: parts.rebinder,
  })
  const runStages = createRunTurn({
    clock,
    log,
    record,
    codecOf,
    async identify(facts) {
      const identity = await identifier.resolve(facts)
      // A terminal that shows its conversation takes over its bindings before anything is read from the turn.
      await parts.rebinder.idle()
      const { sessionId, turn } = identity
      if (sessionId === null) return identity
      await sessions.open(sessionId, { client: identity.client })
      // It may be a conversation that is known by another id: that one's settings are this one's from here on.
      await followConversation(identity, facts)
      await parts.rebinder.idle()
      // This turn may have failed at an earlier engine: its markers were followed there, and it counts once.
      return turn && failures.isOf(sessionId, turn) ? { ...identity, retry: true } : identity
    },
    overridesOf(sessionId) {
      const { allow, prefer, disabled } = sessions.get(sessionId)?.routing ?? noRouting
      return { force: null, allow, prefer, disabled }
    },
    outboxOf: (scope) => outboxes.of(scope),
    markers: {
      ...markers,
      personTexts,
      anywhere: () => config.current().markers.anywhere,
      inCode: () => config.current().markers.codeSpans,
      followed: createFollowedTexts(),
      keyboard: access.pastes,
    },
    send: {
      clock,
      describesImages: tools.describesImages,
      transport: host.transport,
      choose(ask, tried) {
        // Onward's own calls pass no listener that could refuse them.
        const refusal = config.refusal()
        if (refusal !== null) throw new OnwardError('config-unreadable', refusal, { status: 503 })
        return router.choose(ask, tried)
      },
      hasRoute: (ask, tried) => router.hasRoute(ask, tried),
      credentialOf: ({ call }) => credentialName(call.headers, isLocalKey),
      prepare(turn, choice) {
        const captured = (prepared: PreparedRequest): PreparedRequest => {
          captures.upstream(turn, prepared.request.body)
          return prepared
        }
        const prepared = upstreamRequest(turn, choice, isLocalKey, converting)
        return prepared instanceof Promise ? prepared.then(captured) : captured(prepared)
      },
      redactor: secrets.with,
      responseHeaders: downstreamHeaders,
      report(ask, choice, outcome) {
        if (outcome.kind === 'began' && ask.kind === 'turn' && ask.sessionId !== null) failures.answered(ask.sessionId)
        return router.report(ask, choice, outcome)
      },
    },
    tools: tools.turnTools,
    thinking,
    reminders: automation.clock.reminders,
    timeTag: automation.clock.timeTag,
    seeImages: tools.seeImages,
    keep: requests.keep,
    reenter: createReenter({ reenterScope, requests, signedIn, clock, stopMessage }),
    ...recordTurn,
  })
  return {
    inFlight,
    tools,
    thinking,
    runTurn: (call) => inFlight.track(requestWork(call.requestId), runStages(call)),
    markers: createMarkerOrders({ held: heldMarkers, goals: knownGoals, sessions, registry, markers, record }),
  }
}

/**
 * Returns the conversion thread of a built engine. A thread can't be started from TypeScript sources, so there
 * everything is converted in the main thread.
 */
const threadIfBuilt = (clock: Pick<Clock, 'after'>): { thread?: ConversionThread } =>
  import.meta.url.endsWith('.ts')
    ? {}
    : { thread: conversionThread(clock, new URL('./convert-thread.js', import.meta.url)) }
