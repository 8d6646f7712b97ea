import { costOfAll } from '../../../shared/cost/cost.ts'
import type { Scope } from '../../../shared/words.ts'
import { OnwardError } from '../base/errors.ts'
import { createInFlight, requestWork, type InFlight } from '../base/work.ts'
import { callersKeys, isLocalKey as isLocalKeyOf } from '../base/network/local-keys.ts'
import { openKnownGoals } from '../markers/goals/known-goals.ts'
import type { DriveWatch } from '../pipeline/drives/watch-drives.ts'
import { createTurnCaptures, type TurnCaptures } from '../pipeline/capture.ts'
import type { InternalCall } from '../pipeline/internal-calls/internal-call.ts'
import { createWarmCaches, type WarmCaches } from '../pipeline/keep-warm/keep-warm.ts'
import { createRecordTurn, type RecordTurn } from '../pipeline/record-turn.ts'
import { createLastRequests, type LastRequests } from '../pipeline/request/turn-excerpt.ts'
import { conversionThread, type ConversionThread } from '../pipeline/conversion-thread/conversion-thread.ts'
import { createFollowedTexts } from '../pipeline/request/read-markers.ts'
import { createStoredResponses } from '../pipeline/request/stored-responses.ts'
import { upstreamRequest } from '../pipeline/request/upstream-request.ts'
import { createReenter } from '../pipeline/rounds/reenter.ts'
import { createRunTurn, type TurnServices } from '../pipeline/run-turn.ts'
import { createKeptThinking, type KeptThinking } from '../pipeline/kept-thinking.ts'
import type { RunTurn, Turn } from '../pipeline/turn.ts'
import type { RouteChoice } from '../router/types.ts'
import { codecOf } from '../protocol/index.ts'
import { credentialName, sendsLogin, downstreamHeaders } from '../providers/headers.ts'
import { createHeldMarkers } from '../sessions/held-markers.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { Clock } from '../base/clock.ts'
import { personTexts } from '../sessions/identify/person-text.ts'
import { namedAhead } from '../sessions/identify/tell-apart.ts'
import { showsWork } from '../sessions/activity.ts'
import { noRouting } from '../sessions/session-state.ts'
import type { Rebinder } from '../sessions/binding/rebinder.ts'
import { createAfterTurn, createContinuations, createContinue } from './goals/after-turn.ts'
import type { Automation } from './goals/automation.ts'
import type { EngineContext } from './foundation.ts'
import { createMarkerOrders, markerEffects, type MarkerOrders } from './goals/held-markers.ts'
import { assembleServertools, type Servertools } from './servertools.ts'
import type { SessionFacts } from './views/session-facts.ts'
import type { Terminals } from './terminals/terminals.ts'
import { isPaused, type Upstream } from './upstream.ts'
import type { Revive } from '../servertools/revive/index.ts'

export interface Turns {
  runTurn: RunTurn
  /** requests, and the work that follows their end */
  inFlight: InFlight
  tools: Servertools
  thinking: KeptThinking
  warm: WarmCaches
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
  const { registry, outboxes, sessionTerminals, access } = terminals
  const { router } = parts.upstream
  const { clock, log, random } = host
  const { config, store, sessions, records } = base
  const { record } = base.timeline

  const isLocalKey = (value: string) =>
    isLocalKeyOf(value, callersKeys(config.current())) || registry.byKey(value) !== null
  const reenters = () => config.current().stopMessage.delivery === 'reenter'
  const reenterScope = (sessionId: string): Scope | null => (reenters() ? `session:${sessionId}` : null)
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
  const warm = warmCaches(parts)
  const requests = createLastRequests({ isArmed: stopMessage.isArmed, reenterScope })
  const reenter = createReenter({
    requests,
    signedIn,
    clock,
    stopMessage,
    pauseAtLimit: terminals.pauseAtLimit,
    router,
    goesOn: (scope) => !outboxes.pausedAll() && automation.goesOn(scope),
    waits: (requestId, until) => inFlight.waits(requestWork(requestId), until),
    record,
  })
  const markers = await assembleMarkers(parts)
  const captures = createTurnCaptures(base.captures, (sessionId) => sessions.get(sessionId)?.capture === true)
  const converting = {
    clock,
    random,
    stored: createStoredResponses(clock),
    thinking,
    citations: () => config.current().conversion.citations,
    ...threadIfBuilt(clock),
  }

  const runStages = createRunTurn({
    clock,
    log,
    record,
    codecOf,
    identify: identifying(parts),
    overridesOf(sessionId) {
      const { allow, prefer, disabled } = sessions.get(sessionId)?.routing ?? noRouting
      return { force: null, allow, prefer, disabled }
    },
    outboxOf: (scope) => outboxes.of(scope),
    markers: {
      ...markers.effects,
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
        assertReadable(config)
        return router.choose(ask, tried)
      },
      hasRoute: (ask, tried) => router.hasRoute(ask, tried),
      credentialOf: ({ call }) => credentialName(call.headers, isLocalKey),
      prepare(turn, choice) {
        const prepared = upstreamRequest(turn, choice, isLocalKey, converting)
        const seen = (to: Prepared) => sending(parts, { captures, warm }, turn, choice, to)
        return prepared instanceof Promise ? prepared.then(seen) : seen(prepared)
      },
      redactor: secrets.with,
      responseHeaders: downstreamHeaders,
      report(ask, choice, outcome) {
        if (outcome.kind === 'began' && ask.kind === 'turn' && ask.sessionId !== null)
          parts.facts.failures.answered(ask.sessionId)
        return router.report(ask, choice, outcome)
      },
    },
    tools: tools.turnTools,
    thinking,
    reminders: automation.clock.reminders,
    timeTag: automation.clock.timeTag,
    seeImages: tools.seeImages,
    keep: keeping(requests, parts.facts.drives),
    reenter: (turn) => (reenters() ? reenter(turn) : null),
    ...recordTurns(parts, { inFlight, requests, captures, signedIn, reenterScope, warm }),
  })
  return {
    inFlight,
    tools,
    thinking,
    warm,
    runTurn: (call) => inFlight.track(requestWork(call.requestId), runStages(call)),
    markers: markers.orders,
  }
}

function identifying({ base, terminals, automation, facts, rebinder }: TurnParts): TurnServices['identify'] {
  const { outboxes, registry, identifier } = terminals
  const { sessions } = base
  const followConversation = createContinuations({
    outboxes,
    registry,
    sessions,
    automation: automation.stopMessage,
    alarms: automation.clock.alarms,
    rebinder,
  })
  return async (request) => {
    const identity = await identifier.resolve(request)
    // A terminal that shows its conversation takes over its bindings before anything is read from the turn.
    await rebinder.idle()
    const { sessionId, turn } = identity
    if (sessionId === null) return identity
    await sessions.open(sessionId, { client: identity.client })
    // It may be a conversation that is known by another id: that one's settings are this one's from here on.
    await followConversation(identity, request)
    await rebinder.idle()
    // This turn may have failed at an earlier engine: its markers were followed there, and it counts once.
    return turn && facts.failures.isOf(sessionId, turn) ? { ...identity, retry: true } : identity
  }
}

/** A turn that is refused for what began it is kept for no decision. */
const keeping =
  (requests: Pick<LastRequests, 'keep'>, drives: Pick<DriveWatch, 'refuse'>): TurnServices['keep'] =>
  (turn) => {
    if (showsWork(turn.identity.client)) drives.refuse(turn)
    requests.keep(turn)
  }

async function assembleMarkers(
  parts: TurnParts,
): Promise<{ effects: ReturnType<typeof markerEffects>; orders: MarkerOrders }> {
  const { host, base, language, terminals, automation } = parts
  const { clock, log, random } = host
  const { config, store, sessions } = base
  const { record } = base.timeline
  const { stopMessage } = automation
  const held = createHeldMarkers({ sessions, clock, random, log })
  const goals = await openKnownGoals(store, log)
  const effects = markerEffects({
    home: host.home,
    config,
    sessions,
    language,
    targets: parts.upstream.router,
    folderOf: terminals.sessionTerminals.folderOfTerminal,
    held,
    goals,
    alarms: automation.clock.markers,
    arm: async (scope, order) => {
      await stopMessage.arm(scope, { ...order, by: 'marker' })
    },
    clear: async (scope) => {
      await stopMessage.clear(scope, 'marker')
    },
    record,
  })
  const { registry } = terminals
  return { effects, orders: createMarkerOrders({ held, goals, sessions, registry, markers: effects, record }) }
}

/** Nothing of it runs in a turn while it is off. */
const keepsWarm = ({ base }: TurnParts): boolean => base.config.current().keepWarm.providers.length > 0

type Prepared = Awaited<ReturnType<typeof upstreamRequest>>

function sending(
  parts: TurnParts,
  { captures, warm }: { captures: TurnCaptures; warm: WarmCaches },
  turn: Turn,
  choice: RouteChoice,
  prepared: Prepared,
): Prepared {
  captures.upstream(turn, prepared.request.body)
  if (keepsWarm(parts)) warm.sent(turn, choice, prepared.request)
  return prepared
}

/** What pings are asked of; a session with an alarm knows when it goes on. */
const warmCaches = (parts: TurnParts): WarmCaches => {
  const { host, base, terminals, automation, facts } = parts
  const { sessionTerminals, registry } = terminals
  return createWarmCaches({
    ...host,
    settings: () => base.config.current().keepWarm,
    wakeOf: (sessionId) => automation.clock.nextOf(sessionId)?.dueAt ?? null,
    rests(sessionId) {
      const terminal = sessionTerminals.of(sessionId)
      const lives = terminal !== null && registry.alive(terminal)
      return lives && facts.activity.of(sessionId) === null && !isPaused(parts, sessionId)
    },
    async spentBefore() {
      const { warm } = costOfAll((await base.records.costs(2)).cells)
      return { pings: warm?.requests ?? 0, usd: warm?.costUsd ?? 0 }
    },
    record: base.timeline.record,
    addRecord: base.records.add,
    lasts: (sessionId, until) => base.sessions.note(sessionId, () => ({ cacheUntil: until })),
  })
}

function recordTurns(
  parts: TurnParts,
  turns: {
    inFlight: InFlight
    requests: LastRequests
    captures: TurnCaptures
    signedIn(headers: Readonly<Record<string, string>>): boolean
    reenterScope(sessionId: string): Scope | null
    warm: WarmCaches
  },
): RecordTurn {
  const { base, terminals, automation, facts, upstream, revive } = parts
  const { clock, log } = parts.host
  const { stopMessage, resume } = automation
  const { activity, failures, stalls } = facts
  const { router, recover } = upstream
  const { record } = base.timeline
  const recorder = createRecordTurn({
    clock,
    log,
    record,
    addRecord: base.records.add,
    sessions: base.sessions,
    activity,
    failures,
    recover: {
      ...recover,
      began(sessionId) {
        recover.began(sessionId)
        revive.began(sessionId)
      },
    },
    stalls,
    identifier: terminals.identifier,
    drives: facts.drives,
    captures: turns.captures,
    folderOf: terminals.sessionTerminals.folderOfTerminal,
    namedAhead: (terminalId) => namedAhead(terminals.registry.list(), terminalId, clock.now()),
    signedIn: turns.signedIn,
    reenters: (sessionId) => turns.reenterScope(sessionId) !== null,
    reenterBegun: stopMessage.reenterBegun,
    wentOn: resume.wentOn,
    afterTurn: createAfterTurn({
      automation: stopMessage,
      resume,
      alarms: automation.clock.alarms,
      terminalAccess: terminals.access,
      activity,
      failures,
      recover,
      pauseAtLimit: terminals.pauseAtLimit,
      router,
      stalls,
      log,
      turns: turns.inFlight,
      requests: turns.requests,
      continueAfter: createContinue({ outboxes: terminals.outboxes, automation: stopMessage, record }),
    }),
  })
  return {
    started(turn) {
      const { sessionId, kind } = turn.identity
      if (sessionId !== null && kind === 'turn' && keepsWarm(parts)) turns.warm.began(sessionId)
      return recorder.started(turn)
    },
    ended(turn, end) {
      if (keepsWarm(parts)) turns.warm.ended(turn, end)
      recorder.ended(turn, end)
    },
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

function assertReadable(config: Pick<ConfigHandle, 'refusal' | 'policies'>): void {
  const refusal = config.refusal()
  if (refusal === null) return
  if (config.policies()?.trouble?.meanwhile === 'nothing')
    throw new OnwardError('policy-unreadable', refusal, { status: 503 })
  throw new OnwardError('config-unreadable', refusal, { status: 503 })
}
