import type { RecordEvent } from '../../../shared/events.ts'
import { providerOfTarget, type SessionOutage } from '../../../shared/outage.ts'
import type { ProviderView } from '../../../shared/routing.ts'
import type { TurnFailure, FailedTurn } from '../../../shared/state.ts'
import type { Scope } from '../../../shared/words.ts'
import type { Clock } from '../base/clock.ts'
import type { Event } from '../base/disposable.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { testProvider, type TestProviderDeps } from '../control/test-provider.ts'
import type { InternalCall } from '../pipeline/internal-calls/internal-call.ts'
import type { StandIn } from '../router/candidates.ts'
import { createRouter, type Router } from '../router/create-router.ts'
import type { HealthEvent } from '../router/health/health.ts'
import { openSilences } from '../router/health/silences.ts'
import { readLimit } from '../router/limits/read-limit.ts'
import { readQuotas } from '../router/limits/read-quotas.ts'
import { providersOf } from '../router/prepared.ts'
import { createRecover, type Recover } from '../servertools/recover/index.ts'
import { isArchived, sessionName } from '../sessions/session-state.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import { agents } from '../terminals/agents/index.ts'
import type { EngineContext } from './foundation.ts'
import type { Automation } from './goals/automation.ts'
import type { Notices } from './notices/notices.ts'
import type { Notifications } from './notices/notifications.ts'
import { announcedRest, createProviderEvents, wholeLimit } from './notices/provider-events.ts'
import { createReturnProbes, type ReturnProbes } from './notices/return-probes.ts'
import type { Terminals } from './terminals/terminals.ts'
import type { SessionFacts } from './views/session-facts.ts'

export interface Upstream {
  router: Router
  silences: Awaited<ReturnType<typeof openSilences>>
  outages: Outages
  outageWaits: OutageWaits
  recover: Recover
  probes: ReturnProbes
  /** the parts for testing a provider with a real, small call */
  testing: Omit<TestProviderDeps, 'config'>
  /** the providers as viewers see them changed */
  onProviders: Event<void>
  /** a person's choice for a session while turns fail changed. The session's id */
  onSession: Event<string>
}

export interface UpstreamParts extends EngineContext {
  notifications: Pick<Notifications, 'notices'>
  automation: Pick<Automation, 'resume' | 'stopMessage'>
  terminals: Pick<Terminals, 'outboxes' | 'registry' | 'sessionTerminals'>
  facts: Pick<SessionFacts, 'failures'>
  internalCall: InternalCall
}

/** True if nothing is typed into a session now: a person paused it, its goal or all of Onward. */
export function isPaused(
  {
    base,
    automation,
    terminals,
  }: Pick<UpstreamParts, 'base'> & {
    automation: Pick<Automation, 'stopMessage'>
    terminals: Pick<Terminals, 'outboxes' | 'sessionTerminals'>
  },
  sessionId: string,
): boolean {
  const { outboxes, sessionTerminals } = terminals
  const scope = sessionTerminals.of(sessionId)?.scope
  const held = scope !== undefined && automation.stopMessage.view(scope).stopMessage?.status.kind === 'paused'
  return held || outboxes.pausedAll() || outboxes.resting() || (base.sessions.get(sessionId)?.paused ?? false)
}

/** The providers: which of them takes a turn, how each one fares, and what happens while they fail. */
export async function assembleUpstream(parts: UpstreamParts): Promise<Upstream> {
  const { host, base, language, events, internalCall } = parts
  const { notices } = parts.notifications
  const { resume, stopMessage } = parts.automation
  const { outboxes, registry, sessionTerminals } = parts.terminals
  const { clock, log, random } = host
  const { config, sessions, store } = base
  const { record } = base.timeline
  const changed = events<void>('providers')
  const called = events<{ target: string; good: boolean }>('calls of providers')
  const health = events<HealthEvent>('the health of providers')
  const waits = events<string>('waits for a provider')

  const silences = await openSilences({ store, clock, log })
  const router = createRouter({
    config: config.current,
    clock,
    silences,
    secretOf: config.key,
    readLimit,
    readQuotas,
    onHealthEvent: health.emit,
    onCall: (target, good) => called.emit({ target, good }),
    onChange: changed.emit,
  })
  health.on(
    createProviderEvents({
      record,
      notices,
      language,
      now: clock.now,
      lifted: resume.lifted,
      reached: resume.reached,
      limitOf: (provider) => wholeLimit(router.views(), provider),
    }),
  )
  const outages = createOutages({ notices, views: router.views })
  changed.on(outages.check)
  const testing = {
    providers: () => providersOf(config.current()),
    ask: internalCall,
    transport: host.transport,
    clock,
    version: host.version,
  }
  const probes = createReturnProbes({
    clock,
    log,
    ask: async (provider, model) =>
      (await testProvider(provider, { config, ...testing }, undefined, model)).kind === 'answered',
    restsUntil: (provider) => announcedRest(router.views(), provider),
    answered: (target) => called.emit({ target, good: true }),
  })
  const recover = createRecover({
    store,
    outboxes,
    clock,
    random,
    record,
    settings: () => config.current().recover,
    scopeOf(sessionId) {
      const terminal = sessionTerminals.of(sessionId)
      if (!terminal) return 'no-terminal'
      return registry.alive(terminal) ? terminal.scope : 'terminal-gone'
    },
    isArmed: stopMessage.isArmed,
    paused: (sessionId) => isPaused(parts, sessionId),
    compactOf: (sessionId) => agents[sessions.get(sessionId)?.client ?? 'other'].compact ?? null,
    canAsk(id) {
      const provider = providersOf(config.current())[id]
      return provider !== undefined && provider.auth !== 'client'
    },
    ask: (targets) => probes.want('recover', targets),
    onChange: waits.emit,
  })
  resume.alsoWhere((sessionId) => recover.of(sessionId).on)
  const outageWaits = createOutageWaits({
    clock,
    log,
    record,
    sessions,
    failureOf: parts.facts.failures.of,
    isTarget: (provider, model) => router.isProvider(provider) && router.isModel(provider, model),
    ask: (targets) => probes.want('outages', targets),
    notices,
    returnAnnounced: outages.returnAnnounced,
    onChange: waits.emit,
  })
  router.useStandIns(outageWaits.standInOf)
  called.on(({ target, good }) => {
    outageWaits.heard(target, good)
    recover.heard(target, good)
  })
  return {
    router,
    silences,
    outages,
    outageWaits,
    recover,
    probes,
    testing,
    onProviders: changed.on,
    onSession: waits.on,
  }
}

/** Persons' choices while turns fail: a notice of the return, and a stand-in that takes the turns until then. */
interface OutageWaits {
  /** with neither of both the choice is taken back. @throws OnwardError `no-outage`, `unknown-target` */
  set(sessionId: string, choice: Pick<SessionOutage, 'tell' | 'standIn'>): Promise<void>
  standInOf(sessionId: string): StandIn | null
  /** a call to `provider.model` ended */
  heard(target: string, good: boolean): void
  /** those of earlier runs, once the sessions are there */
  start(): void
  dispose(): void
}

export interface OutageWaitsDeps {
  clock: Clock
  log: Log
  record: RecordEvent
  sessions: Pick<SessionStore, 'get' | 'list' | 'choose'>
  failureOf(sessionId: string): TurnFailure | null
  isTarget(providerId: string, model: string): boolean
  /** Asks these now and then until `heard` reports that one answers. */
  ask(targets: ReadonlySet<string>): void
  notices: Notices
  /** its return was announced, and needs no other notice */
  returnAnnounced(provider: string): void
  onChange(sessionId: string): void
}

/** Onward can't ask with a client's login, so now and then a turn tries the target that failed first. */
const TURN_TRIES_MS = 300_000

export function createOutageWaits(deps: OutageWaitsDeps): OutageWaits {
  const { clock, log, record, sessions, notices } = deps
  const waiting = new Map<string, SessionOutage>()
  const lastAsked = new Map<string, number>()

  const targets = () => {
    const ids = [...waiting].filter(([id]) => {
      const session = sessions.get(id)
      return session !== null && !isArchived(session)
    })
    return new Set(ids.flatMap(([, { failed }]) => failed))
  }
  const keep = async (sessionId: string, outage: SessionOutage | null) => {
    if (outage === null) waiting.delete(sessionId)
    else waiting.set(sessionId, outage)
    await sessions.choose(sessionId, () => ({ outage }))
    deps.onChange(sessionId)
  }
  const planAsks = () => {
    const wanted = targets()
    for (const target of lastAsked.keys()) if (!wanted.has(target)) lastAsked.delete(target)
    deps.ask(wanted)
  }
  const heard = (target: string, good: boolean) => {
    if (waiting.size === 0) return
    lastAsked.set(target, clock.now())
    if (!good) return
    const over = [...waiting].filter(([, { failed }]) => failed.includes(target))
    for (const [sessionId, { failed, standIn }] of over) {
      record({ sessionId }, { type: 'outage-over', target, failed, standIn })
      keep(sessionId, null).catch((error: unknown) =>
        log.error({ sessionId, error: messageOf(error) }, 'the end of an outage could not be written'),
      )
    }
    const waited = over.filter(([, { tell }]) => tell).map(([id]) => id)
    if (waited.length > 0) tellBack(providerOfTarget(target), waited)
    planAsks()
  }
  const tellBack = (provider: string, ids: readonly string[]) => {
    deps.returnAnnounced(provider)
    const waited = ids.flatMap((id) => sessions.get(id) ?? []).map(sessionName)
    const sessionId = ids.length === 1 ? (ids[0] ?? null) : null
    notices.tell({ sessionId, scope: null }, { class: 'limit', provider, change: 'back', liftsAt: null, waited })
  }

  return {
    heard,
    async set(sessionId, { tell, standIn }) {
      const before = waiting.get(sessionId) ?? null
      if (!tell && standIn === null) {
        if (before === null) return
        record({ sessionId }, { type: 'outage-over', target: null, failed: before.failed, standIn: before.standIn })
        await keep(sessionId, null)
        return planAsks()
      }
      const failed = before?.failed ?? failedTargets(deps.failureOf(sessionId))
      if (failed.length === 0) throw noOutage()
      if (standIn !== null) assertTarget(standIn, failed, deps.isTarget)
      if (before?.tell === tell && before.standIn === standIn) return
      await keep(sessionId, { failed, since: before?.since ?? clock.now(), tell, standIn })
      record({ sessionId }, { type: 'outage-set', failed, tell, standIn })
      planAsks()
    },
    standInOf(sessionId) {
      const outage = waiting.get(sessionId)
      if (!outage || outage.standIn === null) return null
      const { failed, standIn: target, since } = outage
      const asked = Math.max(since, ...failed.map((one) => lastAsked.get(one) ?? 0))
      return { target, failed, tryFailed: clock.now() - asked >= TURN_TRIES_MS }
    },
    start() {
      for (const { id, outage } of sessions.list()) if (outage) waiting.set(id, outage)
      planAsks()
    },
    dispose() {
      waiting.clear()
    },
  }
}

const failedTargets = (failure: TurnFailure | null): readonly string[] => [
  ...new Set(failure?.tried.map(({ provider, model }) => `${provider}.${model}`) ?? []),
]

const noOutage = (): OnwardError =>
  new OnwardError('no-outage', 'No provider fails in this session right now: there is nothing to wait for.', {
    status: 409,
  })

function assertTarget(standIn: string, failed: readonly string[], isTarget: OutageWaitsDeps['isTarget']): void {
  const provider = providerOfTarget(standIn)
  if (isTarget(provider, standIn.slice(provider.length + 1)) && !failed.includes(standIn)) return
  throw new OnwardError(
    'unknown-target',
    failed.includes(standIn)
      ? `${standIn} is among those that failed. Choose another model.`
      : `There is no “${standIn}” in the config. \`onward providers\` lists what there is.`,
    { status: 400 },
  )
}

/** Turns that failed for good, and the return of their providers. Each makes one notice. */
interface Outages {
  gaveUp(where: { sessionId: string; scope: Scope | null }, failure: TurnFailure): void
  /** the state of providers may have changed */
  check(): void
  /** its return was announced in another way */
  returnAnnounced(provider: string): void
}

export function createOutages(deps: { notices: Notices; views(): readonly ProviderView[] }): Outages {
  const { notices } = deps
  const unreturned = new Set<string>()
  return {
    returnAnnounced: (provider) => void unreturned.delete(provider),
    gaveUp(where, { provider, status, message, since, tries, tried }) {
      if (provider !== null) unreturned.add(provider)
      notices.tell(where, {
        class: 'needs-you',
        what: '',
        failure: { provider, status, message, since, tries, tried, ...limitOf(deps.views(), provider) },
      })
    },
    check() {
      if (unreturned.size === 0) return
      for (const { id, health } of deps.views()) {
        if (health.kind !== 'healthy' && health.kind !== 'answers-again') continue
        if (unreturned.delete(id))
          notices.tell(
            { sessionId: null, scope: null },
            { class: 'limit', provider: id, change: 'back', liftsAt: null },
          )
      }
    },
  }
}

function limitOf(views: readonly ProviderView[], provider: string | null): Pick<FailedTurn, 'limit'> {
  const limit = provider === null ? null : wholeLimit(views, provider)
  return provider === null || limit === null ? {} : { limit: { provider, lifts: limit.lifts } }
}
