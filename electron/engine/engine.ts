/** The engine, put together. What is started here is stopped by `dispose`. */
import { faultOf } from '../../shared/config/config-faults.ts'
import type { Config } from '../../shared/config/schema.ts'
import type { ControlApi } from '../../shared/operations/index.ts'
import { connect } from './assembly/connect.ts'
import { assembleControl, assembleDeletions } from './assembly/control.ts'
import { createFinish } from './assembly/finish.ts'
import { openContext, type EngineContext, type Foundation } from './assembly/foundation.ts'
import { assembleFleet } from './assembly/fleet.ts'
import { allMachines } from './assembly/machines.ts'
import { assembleAutomation } from './assembly/goals/automation.ts'
import { assembleRevive } from './assembly/goals/revive.ts'
import { openListeners, type Listeners } from './assembly/listeners.ts'
import { assembleNotifications } from './assembly/notices/notifications.ts'
import { assembleTelemetry } from './assembly/telemetry.ts'
import { assembleTerminals } from './assembly/terminals/terminals.ts'
import { assembleTurns } from './assembly/turns.ts'
import { assembleUpstream } from './assembly/upstream.ts'
import { openPages } from './assembly/views/pages.ts'
import { assembleSessionFacts } from './assembly/views/session-facts.ts'
import { assembleViews, type ViewParts } from './assembly/views/views.ts'
import type { Disposable } from './base/disposable.ts'
import { messageOf, OnwardError } from './base/errors.ts'
import { sentenceOfFault } from './config/problem-of.ts'
import { openDevices, type Devices } from './control/devices.ts'
import { controlTokenFile } from './control/token.ts'
import type { GivenSocket, HeldConnections } from './gateway/given-socket.ts'
import type { Fleet } from './fleet/fleet.ts'
import { fleetMachines as createFleetMachines, type FleetMachines } from './fleet/fleet-machines.ts'
import type { EngineHost } from './host.ts'
import { unpackedTransport, withVia } from './providers/transport.ts'
import type { Line, OpenLine } from './providers/via/line.ts'
import { createInternalCall } from './pipeline/internal-calls/internal-call.ts'
import { createLoopback } from './assembly/loopback.ts'
import type { Deletions } from './sessions/deletions.ts'
import type { Telemetry } from './telemetry/telemetry.ts'

export interface EngineOptions {
  /** null: as the config says */
  port: number | null
  /** clients that wait at the address already, of an engine that ended */
  held?: HeldConnections | undefined
  /** listens there already */
  given?: GivenSocket | undefined
  /** called when another process asks this engine to end, so that another host can take over */
  onHandOver(): void
}

export interface Engine {
  api: ControlApi
  address: { host: string; port: number }
  /** a new one each time: good for one window, while this engine runs */
  dashboardLink(): string
  controlTokenFile: string
  /** Before `dispose`: takes no new requests, and lets open answers run to their ends (`server.drainSeconds`). */
  finish(): Promise<void>
  /** The computer slept, during which no timer ran: looks now at everything that became due meanwhile. */
  wokeUp(): void
  dispose(): Promise<void>
}

/** @throws OnwardError `root-locked`, `store-failed`, `port-in-use`, … with what to do */
export async function startEngine(given: EngineHost, options: EngineOptions): Promise<Engine> {
  const fleetMachines = createFleetMachines(given.clock)
  const reaching = borrowing(given, fleetMachines, (engine) => fleet.lendLine(engine))
  const context = await openContext(reaching, options.port)
  const { host, base } = context
  const { clock, log, random } = host
  base.timeline.record({}, { type: 'engine', did: 'started' })
  const loopback = createLoopback()
  let listeners: Listeners | null = null
  const internalCall = createInternalCall({ runTurn: loopback.run, clock, random, version: host.version })

  const devices = await openHeldDevices(context)
  const phonesAt = () => listeners?.phones.listening()?.origin ?? null
  const notifications = await assembleNotifications(context, devices, phonesAt)
  const terminals = await assembleTerminals(context)
  const facts = assembleSessionFacts({ ...context, terminals })
  const automation = assembleAutomation({ ...context, notifications, terminals, internalCall })
  const upstream = await assembleUpstream({ ...context, notifications, terminals, automation, facts, internalCall })
  // Thousands of files: requests are served before and meanwhile (a session that is asked for is opened by itself),
  // viewers and alarms wait for them.
  const loaded = loadSessions(base)
  const rebinder = await automation.load()
  await upstream.recover.start()
  await automation.resume.start()
  automation.awake.look()
  const revive = assembleRevive({ ...context, notifications, terminals, automation, facts, upstream })
  const made = { terminals, automation, facts, upstream, revive }
  const turns = await assembleTurns({ ...context, ...made, rebinder, internalCall })
  loopback.open(turns.runTurn)

  const finish = createFinish({
    clock,
    seconds: () => base.config.current().server.drainSeconds,
    openAnswers: () => listeners?.openAnswers() ?? 0,
    stopListening: (until, ended) => listeners?.finish(until, ended),
    stopTyping: () => void terminals.outboxes.rest(),
    endReviews: () => automation.stopMessage.endReviews(),
    endCalls: (error) => host.transport.endAll?.(error),
    changed: () => viewing.hub.statusChanged(),
  })
  const parts = { ...context, ...made, finishing: finish.state, loaded, devices, notifications, turns }
  const viewing = assembleViews(parts)
  connect({ ...parts, viewing })
  const telemetry = await assembleTelemetry({ ...parts, viewing })
  const deletions = await assembleDeletions(parts)
  if (deletions.pending()) {
    // One that is being read would come back.
    base.reading.open()
    await loaded
    await deletions.finish()
  }

  const pages = openPages(host, base.address)
  const all = { ...parts, viewing, deletions, rebinder, telemetry, fleet: () => fleet }
  const control = assembleControl({
    ...all,
    phoning: { devices, pageAt: pages.pageAt, ownOrigin: pages.origin, phones: () => listeners?.phones ?? null },
    dashboardLink: pages.link,
    endPages() {
      pages.endAll()
      // the desktop's own window goes on with a new link
      viewing.hub.publish({ type: 'windows-signed-out' })
    },
    handOver: options.onHandOver,
  })
  const lend = async (line: Line) => {
    if (!listeners) throw new OnwardError('fleet-engine-away', 'The engine there is starting. Try again in a moment.')
    await listeners.lend(line)
  }
  const fleet = assembleFleet({ ...parts, ...control, viewing, fleetMachines, lend })
  listeners = await openListeners({
    host,
    ...base,
    held: options.held,
    given: options.given,
    pageAccess: pages.access,
    devices: { ...devices, ofDevice: notifications.ofDevice },
    ...control,
    router: upstream.router,
    redactor: context.secrets.with,
    runTurn: turns.runTurn,
    metrics: telemetry.page,
    hub: terminals.access.hub,
    terminalByKey: (key) => terminals.registry.byKey(key)?.terminalId ?? null,
    ending: () => finish.state() !== null,
    loaded,
  }).catch(async (error: unknown) => {
    // Its process may live on, and the owner of the port must have the home, too.
    base.reading.open()
    await shutDown({ ...all, listeners: { dispose() {} } })
    throw error
  })
  pages.opened(listeners)
  await automation.stopMessage.decideAfterCrash()
  await automation.clock.time.start()
  // They are held back in sessions that are paused, and for that those have to be known.
  void loaded.then(automation.clock.alarms.start)
  void loaded.then(upstream.outageWaits.start)
  void loaded.then(facts.failures.start)
  void loaded.then(facts.drives.start)
  // It names sessions that wait for a person, and for that they have to be known.
  void loaded.then(notifications.quiet.start)
  log.info({ pid: process.pid, ...base.address }, 'engine ready')
  // The host says first that it listens.
  setImmediate(base.reading.open)
  const running = listeners
  return {
    api: control.api,
    address: listeners.address,
    dashboardLink: pages.link,
    controlTokenFile: controlTokenFile(host.home),
    wokeUp() {
      automation.clock.alarms.deliver(null)
      notifications.quiet.look()
    },
    finish: finish.run,
    dispose: () => shutDown({ ...all, listeners: running }),
  }
}

/** The host with providers that engines of other machines lend (`via`). Nothing of it is loaded before one is asked. */
const borrowing = (host: EngineHost, fleet: FleetMachines, fleetLine: OpenLine): EngineHost => ({
  ...host,
  machines: allMachines(host.machines, fleet),
  transport: withVia(host.transport, async () => {
    const { borrowTransport } = await import('./providers/via/borrow.ts')
    const open: OpenLine = async (engine) => {
      const is = (error: unknown, code: string) => OnwardError.isInstance(error) && error.code === code
      try {
        if (host.lendLine) return await host.lendLine(engine)
      } catch (error) {
        if (!is(error, 'machine-unknown')) throw error
        // One word for machines and engines of the fleet, as for `--on`.
        return await fleetLine(engine).catch((none: unknown) => {
          throw is(none, 'fleet-none') ? error : none
        })
      }
      return fleetLine(engine)
    }
    return unpackedTransport(borrowTransport({ clock: host.clock, open }))
  }),
})

interface RunningParts extends ViewParts {
  listeners: Disposable
  rebinder: Disposable
  deletions: Deletions
  telemetry: Telemetry
  fleet(): Fleet
}

/** Ends everything the engine started: first the parts that let work in, last those that hold the folder. */
async function shutDown(parts: RunningParts): Promise<void> {
  const { host, base, notifications, terminals, automation, facts, upstream, turns } = parts
  const { log } = host
  const { alarms, time } = automation.clock
  parts.listeners.dispose()
  await parts.fleet().stop()
  // A file that is still being read may have to be set aside, which we may do only while we hold the folder.
  await parts.loaded
  parts.rebinder.dispose()
  time.dispose()
  alarms.dispose()
  await alarms
    .idle()
    .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the alarms could not be written'))
  // A text that is being typed right now is finished first: it needs its terminal.
  await terminals.outboxes
    .close()
    .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the outboxes did not close cleanly'))
  terminals.signals.dispose()
  terminals.inboxes.dispose()
  notifications.outside.dispose()
  notifications.quiet.dispose()
  parts.deletions.dispose()
  facts.failures.dispose()
  facts.drives.dispose()
  facts.stalls.dispose()
  upstream.recover.dispose()
  await upstream.silences
    .flush()
    .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the silences of models could not be written'))
  terminals.pauseAtLimit.dispose()
  parts.revive.dispose()
  upstream.probes.dispose()
  upstream.outageWaits.dispose()
  terminals.access.dispose()
  automation.resume.dispose()
  automation.awake.dispose()
  turns.warm.dispose()
  await turns.tools.dispose()
  automation.stopMessage.dispose()
  // After everything that asks for checks: a check that is stopped now must not reach an agent.
  await automation.goal.dispose()
  await turns.thinking.flush()
  await terminals.registry
    .flush()
    .catch((error: unknown) => log.error({ error: messageOf(error) }, 'the terminals could not be written'))
  terminals.registry.dispose()
  base.timeline.record({}, { type: 'engine', did: 'stopped' })
  // It tells of everything above.
  await parts.telemetry.stop()
  // Lines to other engines: the rest of it is the host's.
  await host.transport.dispose()
  await base.dispose()
}

async function openHeldDevices({ host, base: { config } }: EngineContext): Promise<Devices> {
  const devices = await openDevices({ ...host, forbidden: () => phonesHeld(config.current()) })
  config.onChange(devices.look)
  return devices
}

function phonesHeld({ held }: Config): OnwardError | null {
  const by = held?.find(({ phone }) => !phone)
  if (!by) return null
  const { code, facts } = faultOf('held-phone', { by: by.organisation ?? '' })
  return new OnwardError('held-by-policy', sentenceOfFault({ code, facts }), {
    status: 403,
    details: { ...facts, fault: code },
  })
}

/** Reads the sessions of earlier runs. Never rejects: the timeline records those that can't be read. */
export const loadSessions = ({
  sessions,
  timeline,
  reading,
}: Pick<Foundation, 'sessions' | 'timeline' | 'reading'>): Promise<void> =>
  sessions.load(reading.opened).catch((error: unknown) => {
    timeline.record(
      {},
      {
        type: 'engine-problem',
        code: 'sessions-unread',
        message: `The sessions of earlier runs could not be listed: ${messageOf(error)}`,
      },
    )
  })
