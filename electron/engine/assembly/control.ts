import type { ControlApi } from '../../../shared/control/contract.ts'
import { messageOf } from '../base/errors.ts'
import { createApi } from '../control/api/create-api.ts'
import { readLogTail } from '../control/api/log-tail.ts'
import type { Viewing } from '../control/views/viewing.ts'
import { createDeletions, type Deletions } from '../sessions/deletions.ts'
import { deletedParts } from './goals/deleted-parts.ts'
import { checkEngine } from './doctor.ts'
import { findAgents } from './terminals/find-agents.ts'
import { listUnderWay } from './goals/under-way.ts'
import type { Rebinder } from '../sessions/binding/rebinder.ts'
import type { ViewParts } from './views/views.ts'

export interface ControlParts extends ViewParts {
  rebinder: Pick<Rebinder, 'idle'>
  viewing: Viewing
  deletions: Deletions
  /** a new one each time */
  dashboardLink(): string
  /** every page that shows the dashboard has to sign in anew */
  endPages(): void
  /** another host asks this engine to end, so that it can take over */
  handOver(): void
}

export const assembleDeletions = ({
  host,
  base,
  terminals,
  automation,
  facts,
  upstream,
  turns,
}: ViewParts): Promise<Deletions> =>
  createDeletions({
    store: base.store,
    clock: host.clock,
    log: host.log,
    parts: deletedParts({
      store: base.store,
      sessions: base.sessions,
      registry: terminals.registry,
      automation: automation.stopMessage,
      outboxes: terminals.outboxes,
      alarms: automation.clock.alarms,
      resume: automation.resume,
      recover: upstream.recover,
      pauseAtLimit: terminals.pauseAtLimit,
      thinking: turns.thinking,
      captures: base.captures,
      timeline: base.timeline,
      failures: facts.failures,
    }),
  })

/** Puts together the control API of the dashboard, the tray and the command line. */
export function assembleControl(parts: ControlParts): ControlApi {
  const { host, base, loaded, notifications, terminals, automation, upstream, turns, viewing, deletions } = parts
  const { config, sessions, timeline, records, captures, address } = base
  const { registry, outboxes, access, tmux } = terminals
  const { stopMessage, goal } = automation
  const allSessionsChanged = () => {
    viewing.hub.statusChanged()
    for (const s of sessions.list()) viewing.hub.sessionChanged(s.id)
  }
  return createApi({
    host,
    router: upstream.router,
    viewing,
    sessions,
    loaded,
    rebound: parts.rebinder.idle,
    registry,
    outboxes,
    timeline,
    diffOf: goal.diffOf,
    records,
    captures,
    baseUrl: () => `http://${address.host}:${address.port}`,
    status: viewing.status,
    orders: {
      arm: async (scope, order) => {
        await stopMessage.arm(scope, order)
      },
      clear: async (scope, by) => {
        await stopMessage.clear(scope, by)
      },
      rearm: async (scope) => {
        await stopMessage.rearm(scope)
      },
      startNow: async (scope) => {
        await stopMessage.startNow(scope)
      },
      carryOn: async (scope, sessionId) => {
        await stopMessage.carryOn(scope, sessionId)
      },
      addRounds: async (scope, rounds) => {
        await stopMessage.addRounds(scope, rounds)
      },
    },
    pauseScope: stopMessage.pause,
    resumeScope: stopMessage.resume,
    async pauseAll() {
      await stopMessage.pauseAll()
      allSessionsChanged()
    },
    async resumeAll() {
      await stopMessage.resumeAll()
      allSessionsChanged()
    },
    resume: automation.resume,
    recover: upstream.recover,
    outage: upstream.outageWaits,
    reenter: () => config.current().stopMessage.delivery === 'reenter',
    hub: access.hub,
    tmux,
    report: access.report,
    findTarget: access.findTarget,
    checkNeeds: access.needs.check,
    findAgents: () => findAgents(host),
    doctor: () => checkEngine({ host, config, registry, needs: access.needs, secrets: base.secrets }),
    logs: (lines) => readLogTail(host.home, lines),
    dashboardLink: parts.dashboardLink,
    signOutWindows: parts.endPages,
    handOver: parts.handOver,
    launcherAsks: parts.revive.launcherAsks,
    markers: turns.markers,
    underWay: () =>
      listUnderWay({
        turns: turns.inFlight,
        outboxes,
        automation: stopMessage,
        alarms: automation.clock.alarms,
        viewers: viewing.hub,
        flush: base.flush,
      }),
    servertools: turns.tools.view,
    alarms: automation.clock.api,
    outside: notifications.outside,
    quietHeld: notifications.quiet.held,
    deletions,
    goal: {
      checks: goal.checks,
      record: timeline.record,
      edit: stopMessage.edit,
      rounds: stopMessage.rounds,
      folderOf: terminals.sessionTerminals.folderOf,
      checksChanged(folder) {
        stopMessage
          .checksChanged(folder)
          .catch((error: unknown) =>
            timeline.record({}, { type: 'engine-problem', code: 'checks', message: messageOf(error) }),
          )
      },
    },
    personsFiles: base.personsFiles,
    configuring: { config, secrets: base.secrets, test: upstream.testing },
  })
}
