/** The engine, put together. What is started here is stopped by `dispose`, in reverse order. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Scope } from '../../shared/words.ts'
import type { ControlApi } from '../../shared/control/contract.ts'
import { deletedParts } from './assembly/deleted-parts.ts'
import { openFoundation } from './assembly/foundation.ts'
import { createNotices, quietOver } from './assembly/notices.ts'
import { shownCommand } from './assembly/shown-command.ts'
import { engineStatus, languageOf } from './assembly/status.ts'
import { createTerminalAccess } from './assembly/terminal-access.ts'
import { bothListen, movesAll } from './assembly/alarms-beside.ts'
import { assembleClock, type ClockAssembly } from './assembly/clock.ts'
import { createMarkerOrders, markerEffects } from './assembly/held-markers.ts'
import { createContinue } from './assembly/continue.ts'
import { assembleGoal } from './assembly/goal.ts'
import { createLastRequests } from './assembly/last-requests.ts'
import { assembleServertools, type Servertools } from './assembly/servertools.ts'
import { assembleTurns } from './assembly/turns.ts'
import { createTerminalEnded } from './assembly/terminal-ended.ts'
import { createKnownSecrets, withoutSecrets } from './assembly/known-secrets.ts'
import { createViewing } from './assembly/viewing.ts'
import { listUnderWay } from './assembly/under-way.ts'
import { createFailures, failuresIn } from './assembly/failures.ts'
import { createOutages } from './assembly/outages.ts'
import { createOutageWaits } from './assembly/outage-waits.ts'
import { createActivity } from './assembly/activity.ts'
import { createAfterTurn } from './assembly/after-turn.ts'
import { openListeners } from './assembly/listeners.ts'
import { findAgents } from './assembly/find-agents.ts'
import { checkEngine } from './assembly/doctor.ts'
import { isAlarmEntry } from './clock/deliver/to-terminal.ts'
import { messageOf, OnwardError } from './base/errors.ts'
import { keptZone } from './base/local-zone.ts'
import { isLocalKey as isLocalKeyOf } from './base/local-keys.ts'
import { createInFlight, requestWork } from './base/in-flight.ts'
import { testProvider } from './control/provider-test/test-provider.ts'
import { createPageAccess, pageOrigin } from './control/page-access.ts'
import { controlTokenFile } from './control/token.ts'
import { createApi } from './control/api/create-api.ts'
import { readLogTail } from './control/api/log-tail.ts'
import type { EngineHost } from './host.ts'
import { createProviderEvents, announcedRest, wholeLimit } from './assembly/provider-events.ts'
import { routingView } from './control/views/routing-view.ts'
import { createOutside } from './notifications/outside.ts'
import { createQuiet } from './notifications/quiet.ts'
import { createInternalCall, type InternalCall } from './pipeline/internal-calls/internal-call.ts'
import { createKeptThinking } from './pipeline/thinking/kept-thinking.ts'
import type { RunTurn } from './pipeline/types.ts'
import { credentialName } from './providers/request-headers.ts'
import { createHeldMarkers } from './sessions/held-markers.ts'
import { openKnownGoals } from './markers/known-goals.ts'
import { createRouter } from './router/create-router.ts'
import { providersOf } from './router/prepared.ts'
import { readLimit } from './router/limits/read-limit.ts'
import { readQuotas } from './router/limits/read-quotas.ts'
import { createDeletions } from './sessions/deletions.ts'
import { createIdentifier } from './sessions/identify.ts'
import { keepTerminalName } from './sessions/keep-terminal-name.ts'
import { sessionName } from './sessions/session-state.ts'
import { startRebinder } from './sessions/rebinder.ts'
import { createTerminalsRegistry } from './sessions/terminals-registry.ts'
import { createResumeAtReset } from './servertools/resume-at-reset/resume-at-reset.ts'
import { createStopMessage, type StopMessage } from './servertools/stop-message/stop-message.ts'
import { createOutboxes } from './terminals/outbox/outboxes.ts'
import { defaultOutboxSettings } from './terminals/outbox/settings.ts'
import { createTmux } from './terminals/tmux/index.ts'
import { safeFor } from './terminals/typing/safe-text.ts'

export interface EngineOptions {
  /** null: as the config says */
  port: number | null
  /** somebody asks this engine to end, so that another host can take over */
  onHandOver(): void
}

export interface Engine {
  api: ControlApi
  address: { host: string; port: number }
  /** a new one each time: good for one window, while this engine runs */
  dashboardLink(): string
  controlTokenFile: string
  /** The computer slept, during which no timer ran: what became due meanwhile is looked at now. */
  wokeUp(): void
  dispose(): Promise<void>
}

/** @throws OnwardError `root-locked`, `store-failed`, `port-in-use`, … with what to do */
export async function startEngine(given: EngineHost, options: EngineOptions): Promise<Engine> {
  const secrets = createKnownSecrets()
  const host = withoutSecrets(given, secrets)
  const { clock, log, random } = host
  const base = await openFoundation(host, options.port, secrets)
  const { config, store, timeline, records, captures, sessions, token, address } = base
  const { record } = timeline
  const systemLanguage = languageOf(host.env)
  const language = () => config.current().language ?? systemLanguage
  const startedAt = clock.now()

  const tmux = createTmux({ clock, log, random, env: host.env })
  const terminalAccess = createTerminalAccess({
    host,
    tmux,
    onNeeds(terminalId, asking, isNew) {
      const terminal = registry.get(terminalId)
      if (!terminal) return
      const where = { sessionId: terminal.sessionId, scope: terminal.scope }
      if (asking !== null && isNew) {
        const { what, asked } = asking
        record(where, { type: 'needs-you', what })
        notices.tell(where, { class: 'needs-you', what, ...(asked && { choices: asked.choices.map((c) => c.label) }) })
      }
      if (terminal.sessionId !== null) viewing.hub.sessionChanged(terminal.sessionId)
      viewing.hub.statusChanged()
    },
    onOnline(terminalId) {
      const terminal = registry.get(terminalId)
      if (terminal) outboxes.peek(terminal.scope)?.look()
      viewing.hub.terminalChanged(terminalId)
    },
    onSized: (terminalId) => viewing.hub.terminalChanged(terminalId),
    lateOutcome(terminalId, entryId, result) {
      log.info({ terminalId, entryId, result: result.kind }, 'an order ended while nobody waited for it')
    },
  })
  let stopMessage: StopMessage | null = null
  let servertools: Servertools | null = null
  const registry = await createTerminalsRegistry({
    store,
    clock,
    random,
    log,
    isAlive: terminalAccess.isAlive,
    scopeInUse: (scope) => stopMessage?.inUse(scope) ?? false,
  })
  terminalAccess.use(registry)

  const outboxes = createOutboxes({
    store,
    clock,
    random,
    record,
    findTarget: terminalAccess.findTarget,
    safeText: safeFor,
    settings: () => ({ ...defaultOutboxSettings, settleMs: config.current().stopMessage.settleMs }),
    terminalOf: (scope) => registry.byScope(scope)?.terminalId ?? null,
    clientOf: (scope) => registry.byScope(scope)?.client ?? 'other',
  })
  let internal: InternalCall | null = null
  const ownCall: InternalCall = (ask) => {
    if (!internal) throw new OnwardError('not-started', 'The engine is not ready yet.')
    return internal(ask)
  }
  const folderOf = (scope: Scope) => registry.byScope(scope)?.cwd ?? null
  const goal = assembleGoal({
    host,
    config,
    store,
    sessions,
    records,
    folderOf,
    internalCall: ownCall,
    checksShown() {
      for (const scope of automation.scopes())
        if (automation.isArmed(scope) && folderOf(scope) !== null) viewing.scopeChanged(scope)
    },
  })
  const automation = createStopMessage({
    store,
    outboxes,
    clock,
    random,
    record,
    notify: (where, notice) => notices.tell(where, notice),
    config: () => ({ budgets: config.current().stopMessage.budgets, language: language() }),
    terminalGone(scope) {
      const terminal = registry.byScope(scope)
      return terminal && registry.alive(terminal) ? null : 'it was closed'
    },
    goal: goal.deps,
    tellsItself: isAlarmEntry,
    onChange: (scope) => viewing.scopeChanged(scope),
  })
  stopMessage = automation
  const resume = createResumeAtReset({
    store,
    outboxes,
    clock,
    random,
    record,
    language,
    notify: (where, notice) => notices.tell(where, notice),
    scopeOf(sessionId) {
      const terminalId = sessions.get(sessionId)?.terminalId ?? null
      const terminal = terminalId === null ? null : registry.get(terminalId)
      if (!terminal) return 'no-terminal'
      return registry.alive(terminal) ? terminal.scope : 'terminal-gone'
    },
    onChange(sessionId) {
      if (sessionId !== null) viewing.hub.sessionChanged(sessionId)
      viewing.hub.statusChanged()
    },
  })
  const activity = createActivity(clock, (sessionId) => {
    viewing.hub.sessionChanged(sessionId)
    viewing.hub.statusChanged()
  })
  const failures = createFailures({
    clock,
    log,
    findTarget: terminalAccess.findTarget,
    kept: failuresIn(sessions),
    onChange(sessionId) {
      viewing.hub.sessionChanged(sessionId)
      viewing.hub.statusChanged()
    },
    onGaveUp: (sessionId, failure) => outages.gaveUp({ sessionId, scope: null }, failure),
  })
  // Thousands of files: requests are served meanwhile (a session that is asked for is opened by itself), viewers wait
  // for them.
  const loaded = sessions.load().catch((error: unknown) => {
    record(
      {},
      {
        type: 'engine-problem',
        code: 'sessions-unread',
        message: `The sessions of earlier runs could not be listed: ${messageOf(error)}`,
      },
    )
  })
  const viewing = createViewing({
    clock,
    sessions,
    loaded,
    registry,
    terminalAccess,
    activity,
    failures,
    outboxes,
    stopMessageOf: automation.view,
    resume,
    alarms: { view: () => clockAssembly.view(), nextOf: (id) => clockAssembly.nextOf(id) },
    status: () => status(),
    providers: () => ({ type: 'providers', providers: router.views(), routing: routingView(config) }),
  })
  const command = shownCommand(host, () => viewing.hub.statusChanged())
  const status = () =>
    engineStatus({
      host,
      config,
      command: command(),
      address,
      startedAt,
      pid: process.pid,
      paused: outboxes.pausedAll(),
      sessions: viewing.sessions(),
      terminals: registry.list().filter(registry.alive).length,
      today: records.today(),
      limits: resume.limits(),
      outside: outside.views(),
      quietHeld: quiet.held(),
      servertools: servertools?.view() ?? null,
      clock: clockAssembly.status(),
    })
  const clockAssembly: ClockAssembly = assembleClock({
    host,
    config,
    store,
    root: base.root,
    outboxes,
    record,
    nameOf(sessionId) {
      const session = sessions.get(sessionId)
      return session ? sessionName(session) : sessionId
    },
    scopeOf(sessionId) {
      const terminalId = sessions.get(sessionId)?.terminalId ?? null
      const terminal = terminalId === null ? null : registry.get(terminalId)
      return terminal && registry.alive(terminal) ? terminal.scope : null
    },
    alive(scope) {
      const terminal = registry.byScope(scope)
      return terminal !== null && registry.alive(terminal)
    },
    paused: (sessionId) => outboxes.pausedAll() || (sessions.get(sessionId)?.paused ?? false),
    notify: (where, notice, alarms) => notices.tell(where, notice, alarms),
    onChange(sessionId) {
      if (sessionId !== null) viewing.hub.sessionChanged(sessionId)
      viewing.hub.alarmsChanged()
      viewing.hub.statusChanged()
    },
    onSync: () => viewing.hub.statusChanged(),
  })
  const outside = createOutside({
    host,
    config,
    secret: base.secrets.get,
    language,
    record,
    onChange: () => viewing.hub.statusChanged(),
  })
  const notices = createNotices({
    outside,
    host,
    language,
    record,
    nameOf(sessionId, scope) {
      const session = sessionId === null ? null : sessions.get(sessionId)
      return session ? sessionName(session) : (scope ?? 'Onward')
    },
    wanted: (kind) => kind === 'quiet-over' || (config.current().notifications[kind] ?? true),
    keeps: (fact) => quiet.keeps(fact),
    publish: (notice) => viewing.hub.publish({ type: 'notice', notice }),
  })
  const quiet = await createQuiet({
    clock,
    log,
    store,
    hours: () => config.current().notifications.quietHours,
    zone: keptZone(clock),
    tell: (over) => notices.tell(...quietOver(over, viewing.sessions())),
    onChange: () => viewing.hub.statusChanged(),
  })
  const outages = createOutages({ notices, views: () => router.views() })
  const outageWaits = createOutageWaits({
    clock,
    log,
    record,
    sessions,
    failureOf: failures.of,
    isTarget: (provider, model) => router.isProvider(provider) && router.isModel(provider, model),
    ask: async (provider, model) =>
      (await testProvider(provider, { config, ...testing() }, undefined, model)).kind === 'answered',
    restsUntil: (provider) => announcedRest(router.views(), provider),
    notices,
    told: outages.told,
    onChange: (sessionId) => viewing.hub.sessionChanged(sessionId),
  })

  outboxes.use((scope) => bothListen(automation.listenerOf(scope), clockAssembly.alarms.listenerOf(scope)))
  await outboxes.load()
  await goal.load()
  await automation.start()
  await clockAssembly.alarms.load()
  await outboxes.start()
  await resume.start()
  // What was read is one piece of work, what is opened now another: with many files one of them is enough at a time.
  await nextTurn()
  const rebinder = startRebinder({
    terminals: registry,
    clock,
    log,
    record,
    effects: { move: movesAll(automation, clockAssembly.alarms), clean: automation.clean },
  })
  const router = createRouter({
    config: config.current,
    clock,
    secretOf: config.key,
    readLimit,
    readQuotas,
    onNews: createProviderEvents({
      record,
      notices,
      language,
      now: clock.now,
      lifted: resume.lifted,
      reached: resume.reached,
      limitOf: (provider) => wholeLimit(router.views(), provider),
    }),
    standInOf: outageWaits.standInOf,
    onCall: outageWaits.heard,
    onChange() {
      viewing.hub.providersChanged()
      outages.look()
    },
  })
  const identifier = createIdentifier({ terminals: registry, log, ...base.paneLookup(tmux) })
  const isLocalKey = (value: string) =>
    isLocalKeyOf(value, config.current().server.keys) || registry.byKey(value) !== null
  const turns = createInFlight(() => clockAssembly.time.clock.now())
  const tools = await assembleServertools({
    turns,
    host,
    config,
    store,
    sessions,
    router,
    records,
    record,
    language,
    terminalAlive(terminalId) {
      const terminal = registry.get(terminalId)
      return terminal !== null && registry.alive(terminal)
    },
    clock: clockAssembly,
    internalCall: ownCall,
    credentialOf: ({ call }) => credentialName(call.headers, isLocalKey),
  })
  servertools = tools
  const thinking = createKeptThinking({ store, clock, log, isOn: () => config.current().conversion.keepThinking })
  await thinking.load()
  const requests = createLastRequests({
    isArmed: automation.isArmed,
    reenterScope: (sessionId) => (config.current().stopMessage.delivery === 'reenter' ? `session:${sessionId}` : null),
  })
  const heldMarkers = createHeldMarkers({ sessions, clock, random, log })
  const knownGoals = await openKnownGoals(store, log)
  const markers = markerEffects({
    home: host.home,
    config,
    sessions,
    language,
    targets: router,
    folderOf: (terminalId) => registry.get(terminalId)?.cwd ?? null,
    held: heldMarkers,
    goals: knownGoals,
    alarms: clockAssembly.markers,
    arm: async (scope, order) => {
      await automation.arm(scope, { ...order, by: 'marker' })
    },
    clear: async (scope) => {
      await automation.clear(scope, 'marker')
    },
    record,
  })
  const runStages = assembleTurns({
    host,
    secrets,
    config,
    router,
    identifier,
    sessions,
    activity,
    failures,
    record,
    language,
    addRecord: records.add,
    captures,
    isLocalKey,
    takenOver: rebinder.idle,
    folderOf: (terminalId) => registry.get(terminalId)?.cwd ?? null,
    outboxOf: (scope) => outboxes.of(scope),
    markers,
    sawPasted: terminalAccess.pastes.saw,
    reenter: automation,
    tools: tools.turnTools,
    thinking,
    reminders: clockAssembly.reminders,
    seeImages: tools.seeImages,
    describesImages: tools.describesImages,
    requests,
    afterTurn: createAfterTurn({
      automation,
      resume,
      alarms: clockAssembly.alarms,
      terminalAccess,
      activity,
      failures,
      log,
      turns,
      requests,
      goOn: createContinue({ outboxes, automation, record }),
    }),
  })
  const deletions = await createDeletions({
    store,
    clock,
    log,
    parts: deletedParts({
      store,
      sessions,
      registry,
      automation,
      alarms: clockAssembly.alarms,
      resume,
      thinking,
      captures,
      timeline,
      failures,
    }),
  })
  const testing = () => ({
    providers: () => providersOf(config.current()),
    ask: internalCall,
    transport: host.transport,
    clock,
    version: host.version,
  })
  const runTurn: RunTurn = (call) => turns.track(requestWork(call.requestId), runStages(call))
  const internalCall = createInternalCall({ runTurn, clock, random, version: host.version })
  internal = internalCall
  const pageAccess = createPageAccess(random)
  /** once the doors are open: the very address that is listened on */
  let pageAddress = address
  const dashboardLink = () => `${pageOrigin(pageAddress)}/dashboard/~${random.token(9)}/#token=${pageAccess.newLink()}`
  /** nobody is connected before the doors are open */
  let signOutPages = () => undefined as void
  const api = createApi({
    host,
    router,
    viewing,
    sessions,
    loaded,
    registry,
    outboxes,
    timeline,
    records,
    captures,
    baseUrl: () => `http://${address.host}:${address.port}`,
    status,
    orders: {
      arm: async (scope, order) => {
        await automation.arm(scope, order)
      },
      clear: async (scope, by) => {
        await automation.clear(scope, by)
      },
      rearm: async (scope) => {
        await automation.rearm(scope)
      },
      startNow: async (scope) => {
        await automation.startNow(scope)
      },
      carryOn: async (scope, sessionId) => {
        await automation.carryOn(scope, sessionId)
      },
      addRounds: async (scope, rounds) => {
        await automation.addRounds(scope, rounds)
      },
    },
    pauseScope: automation.pause,
    resumeScope: automation.resume,
    async pauseAll() {
      await automation.pauseAll()
      viewing.hub.statusChanged()
      for (const s of sessions.list()) viewing.hub.sessionChanged(s.id)
    },
    async resumeAll() {
      await automation.resumeAll()
      viewing.hub.statusChanged()
      for (const s of sessions.list()) viewing.hub.sessionChanged(s.id)
    },
    resume,
    outage: outageWaits,
    reenter: () => config.current().stopMessage.delivery === 'reenter',
    hub: terminalAccess.hub,
    describePane: tmux.describe,
    watchPane: tmux.watch,
    report: terminalAccess.report,
    findTarget: terminalAccess.findTarget,
    lookAgain: terminalAccess.needs.look,
    findAgents: () => findAgents(host),
    doctor: () => checkEngine({ host, config, registry, secrets: base.secrets }),
    logs: (lines) => readLogTail(host.home, lines),
    dashboardLink,
    signOutWindows() {
      pageAccess.endAll()
      // the desktop's own window goes on with a new link
      viewing.hub.publish({ type: 'windows-signed-out' })
      // a moment later: whoever asked hears that it is done
      setImmediate(signOutPages)
    },
    handOver: options.onHandOver,
    markers: createMarkerOrders({ held: heldMarkers, goals: knownGoals, sessions, registry, markers, record }),
    underWay: () =>
      listUnderWay({
        turns,
        outboxes,
        automation,
        alarms: clockAssembly.alarms,
        viewers: viewing.hub,
        flush: base.flush,
      }),
    servertools: tools.view,
    alarms: clockAssembly.api,
    outside,
    quietHeld: quiet.held,
    deletions,
    goal: {
      checks: goal.checks,
      record,
      edit: automation.edit,
      rounds: automation.rounds,
      folderOf(sessionId) {
        const terminalId = sessions.get(sessionId)?.terminalId ?? null
        return terminalId === null ? null : (registry.get(terminalId)?.cwd ?? null)
      },
      checksChanged(folder) {
        automation
          .checksChanged(folder)
          .catch((error: unknown) => record({}, { type: 'engine-problem', code: 'checks', message: messageOf(error) }))
      },
    },
    personsFiles: base.personsFiles,
    configuring: {
      config,
      secrets: base.secrets,
      test: testing(),
    },
  })
  const terminalOver = createTerminalEnded({ registry, outboxes, tmux, log })
  timeline.onEvent((event) => viewing.hub.publish({ type: 'event', event }))
  records.onRecord((record) => viewing.hub.publish({ type: 'turn', record }))
  sessions.onChange((change) => viewing.hub.sessionChanged(change.type === 'changed' ? change.session.id : change.id))
  registry.onChange((change) => {
    const { terminal } = change
    const where = { sessionId: terminal.sessionId, scope: terminal.scope }
    if (change.type === 'registered')
      record(where, { type: 'terminal-opened', terminalId: terminal.terminalId, client: terminal.client })
    if (change.type === 'ended') {
      terminalAccess.needs.end(terminal.terminalId)
      record(where, {
        type: 'terminal-closed',
        terminalId: terminal.terminalId,
        exitCode: terminal.exitCode,
        why: change.why,
      })
      terminalOver(terminal, change.why)
    }
    if (change.type === 'conversation')
      keepTerminalName(sessions, change).catch((error: unknown) =>
        log.warn({ terminalId: terminal.terminalId, why: messageOf(error) }, 'the name of a terminal was not kept'),
      )
    // An alarm that is due may have waited for a terminal.
    if (change.type !== 'ended' && terminal.sessionId !== null) clockAssembly.alarms.deliver(terminal.sessionId)
    viewing.hub.terminalChanged(terminal.terminalId)
    viewing.scopeChanged(terminal.scope)
  })
  let lastProblem: string | null = null
  const tellProblem = () => {
    const problem = config.problem()
    if (problem !== null && problem !== lastProblem) record({}, { type: 'config-problem', message: problem })
    lastProblem = problem
  }
  tellProblem()
  config.onChange(() => {
    tellProblem()
    quiet.look()
    viewing.hub.statusChanged()
    viewing.hub.providersChanged()
  })

  if (deletions.pending()) {
    // One that is being read would come back.
    await loaded
    await deletions.finish()
  }
  const listeners = await openListeners({
    host,
    config,
    address,
    token,
    pageAccess,
    api,
    router,
    runTurn,
    records,
    hub: terminalAccess.hub,
    terminalByKey: (key) => registry.byKey(key)?.terminalId ?? null,
  })
  signOutPages = listeners.signOutPages
  pageAddress = listeners.address
  await automation.lookAnew()
  clockAssembly.alarms.start()
  await clockAssembly.time.start()
  void loaded.then(outageWaits.start)
  void loaded.then(failures.start)
  // It names sessions that wait for a person, and for that they have to be known.
  void loaded.then(quiet.start)
  log.info({ pid: process.pid, ...address }, 'engine ready')
  return {
    api,
    address: listeners.address,
    dashboardLink,
    controlTokenFile: controlTokenFile(host.home),
    wokeUp() {
      clockAssembly.alarms.deliver(null)
      quiet.look()
    },
    async dispose() {
      listeners.dispose()
      // What is still being read may have to be set aside, which is only ours to do while we hold the folder.
      await loaded
      rebinder.dispose()
      clockAssembly.time.dispose()
      clockAssembly.alarms.dispose()
      await clockAssembly.alarms
        .idle()
        .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the alarms could not be written'))
      // What is being typed right now is finished first: it needs its terminal.
      await outboxes
        .close()
        .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the outboxes did not close cleanly'))
      outside.dispose()
      quiet.dispose()
      deletions.dispose()
      failures.dispose()
      outageWaits.dispose()
      terminalAccess.dispose()
      resume.dispose()
      await tools.dispose()
      automation.dispose()
      // Behind who asks: a check that is stopped now is nothing to tell an agent of.
      await goal.dispose()
      await thinking.flush()
      await registry
        .flush()
        .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the terminals could not be written'))
      registry.dispose()
      await base.dispose()
    },
  }
}
