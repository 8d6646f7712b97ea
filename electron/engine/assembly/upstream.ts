import type { Event } from '../base/disposable.ts'
import { testProvider, type TestProviderDeps } from '../control/provider-test/test-provider.ts'
import type { InternalCall } from '../pipeline/internal-calls/internal-call.ts'
import { createRouter, type Router } from '../router/create-router.ts'
import type { HealthEvent } from '../router/health/health.ts'
import { openSilences } from '../router/health/silences.ts'
import { readLimit } from '../router/limits/read-limit.ts'
import { readQuotas } from '../router/limits/read-quotas.ts'
import { providersOf } from '../router/prepared.ts'
import type { Automation } from './goals/automation.ts'
import type { EngineContext } from './foundation.ts'
import type { Notifications } from './notices/notifications.ts'
import { createReturnProbes, type ReturnProbes } from './notices/return-probes.ts'
import { createOutageWaits, type OutageWaits, createOutages, type Outages } from './notices/outage-waits.ts'
import { announcedRest, createProviderEvents, wholeLimit } from './notices/provider-events.ts'
import { createRecover, type Recover } from '../servertools/recover/index.ts'
import { agents } from '../terminals/agents/index.ts'
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
    paused(sessionId) {
      const scope = sessionTerminals.of(sessionId)?.scope
      const held = scope !== undefined && stopMessage.view(scope).stopMessage?.status.kind === 'paused'
      return held || outboxes.pausedAll() || outboxes.resting() || (sessions.get(sessionId)?.paused ?? false)
    },
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
