import type { ControlApi } from '../../../shared/operations/index.ts'
import type { FoundAgent } from '../../../shared/setup/agent-standing.ts'
import { messageOf } from '../base/errors.ts'
import { createApi, type ApiDeps } from '../control/api/create-api.ts'
import { createPrograms, type Programs } from '../control/programs.ts'
import type { Viewing } from '../control/views/viewing.ts'
import { createDeletions, type Deletions } from '../sessions/deletions.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { deletedParts } from './goals/deleted-parts.ts'
import { checkEngine } from './doctor.ts'
import type { Rebinder } from '../sessions/binding/rebinder.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { ViewParts } from './views/views.ts'
import { execFile } from 'node:child_process'
import { clientKinds } from '../../../shared/words.ts'
import type { EngineHost } from '../host.ts'
import { agents } from '../terminals/agents/index.ts'
import { standingOf, VERSION_WITHIN_MS, versionIn } from '../terminals/agents/version.ts'
import { forViewers } from '../../../shared/control/under-way.ts'
import type { ViewHub } from '../control/views/hub.ts'
import type { InFlight } from '../base/work.ts'
import type { StopMessage } from '../servertools/stop-message/stop-message.ts'
import type { Outboxes } from '../terminals/outbox/outboxes.ts'
import type { ClockAssembly } from './goals/automation.ts'

export interface ControlParts extends ViewParts {
  rebinder: Pick<Rebinder, 'idle'>
  viewing: Viewing
  deletions: Deletions
  telemetry: Pick<Telemetry, 'collector'>
  fleet(): Fleet
  phoning: Pick<ApiDeps, 'devices' | 'pageAt' | 'ownOrigin' | 'phones'>
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
export function assembleControl(parts: ControlParts): { api: ControlApi; programs: Programs } {
  const { host, base, loaded, notifications, terminals, automation, upstream, turns, viewing, deletions } = parts
  const { config, sessions, timeline, records, captures, address } = base
  const { registry, outboxes, access, tmux } = terminals
  const { stopMessage, goal } = automation
  const allSessionsChanged = () => {
    viewing.hub.statusChanged()
    for (const s of sessions.list()) viewing.hub.sessionChanged(s.id)
  }
  const { api, ofPrograms } = createApi({
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
    drives: parts.facts.drives,
    pauseGoal: (id) => terminals.inboxes.pauseGoal(terminals.sessionTerminals.livingOf(id)),
    outage: upstream.outageWaits,
    reenter: () => config.current().stopMessage.delivery === 'reenter',
    hub: access.hub,
    tmux,
    report: access.report,
    findTarget: access.findTarget,
    checkNeeds: access.needs.check,
    findAgents: () => findAgents(host),
    doctor: async () =>
      checkEngine({
        host,
        config,
        registry,
        needs: access.needs,
        secrets: base.secrets,
        collector: parts.telemetry.collector(),
        fleet: await parts.fleet().view(),
      }),
    ...parts.phoning,
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
    fleet: parts.fleet,
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
  const { holderOf } = registry
  return { api, programs: createPrograms({ api, orders: ofPrograms, holderOf, now: host.clock.now }) }
}

/** Finds the agents on this machine through the login shell, with the version they report. */
async function findAgents({ findProgram }: Pick<EngineHost, 'findProgram'>): Promise<readonly FoundAgent[]> {
  const known = clientKinds.filter((client) => client !== 'other')
  const found = await Promise.all(
    known.map(async (client): Promise<FoundAgent | null> => {
      const program = agents[client].programs[0]
      const path = program === undefined ? null : await findProgram(program)
      if (path === null) return null
      const version = await versionOf(path)
      return { client, path, version, standing: standingOf(client, version) }
    }),
  )
  return found.filter((agent) => agent !== null)
}

function versionOf(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(
      path,
      ['--version'],
      { timeout: VERSION_WITHIN_MS, killSignal: 'SIGKILL', maxBuffer: 65_536 },
      (error, stdout) => resolve(error ? null : versionIn(stdout)),
    )
  })
}

interface UnderWayParts {
  /** requests, and the work that follows their end */
  turns: InFlight
  outboxes: Pick<Outboxes, 'all'>
  automation: Pick<StopMessage, 'reviewing'>
  alarms: Pick<ClockAssembly['alarms'], 'idle' | 'isDue'>
  viewers: Pick<ViewHub, 'upToDate'>
  /** writes what is not on the disk yet */
  flush(): Promise<void>
}

/**
 * Lists the work that the engine still does by itself, without anyone else's doing and without waiting for a set time.
 * Queues are drained and everything is written to the disk first, so that an empty list is true of all of them.
 */
async function listUnderWay({ turns, outboxes, automation, alarms, viewers, flush }: UnderWayParts): Promise<string[]> {
  await Promise.all(outboxes.all().map((outbox) => outbox.exclusive(async () => undefined)))
  await alarms.idle()
  await flush()
  return [
    ...turns.list(),
    ...outboxes.all().flatMap((outbox) => (outbox.atWork() ? [`a followup for ${outbox.scope}`] : [])),
    ...automation.reviewing().map((scope) => `a review for ${scope}`),
    ...(alarms.isDue() ? ['an alarm'] : []),
    ...(viewers.upToDate ? [] : [forViewers]),
  ]
}
