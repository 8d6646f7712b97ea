import { fileURLToPath } from 'node:url'
import { contract } from '../../../shared/control/contract.ts'
import type { ControlApi } from '../../../shared/operations/index.ts'
import { homeId, programOf } from '../../../shared/control/proof.ts'
import { messageOf } from '../base/errors.ts'
import type { Keys } from '../base/network/admit.ts'
import { once } from '../base/work.ts'
import { disposables, type Disposable } from '../base/disposable.ts'
import type { ConfigHandle } from '../config/types.ts'
import { announceEngine } from '../control/attach.ts'
import { createControlServer, type ServedDevices } from '../control/server.ts'
import { listenOwnSocket } from '../control/listen-own-socket.ts'
import type { McpHttp } from '../control/mcp/serve-http.ts'
import type { Programs } from '../control/programs.ts'
import type { PageAccess } from '../control/page-access.ts'
import type { GivenSocket, HeldConnections } from '../gateway/given-socket.ts'
import { modelList } from '../gateway/model-list.ts'
import { readFileOrNull } from '../gateway/pages/static-files.ts'
import type { McpDoor } from '../gateway/types.ts'
import { startGateway } from '../gateway/start-gateway.ts'
import type { GatewayDeps } from '../gateway/types.ts'
import { createLendDoor } from '../gateway/lend-door.ts'
import { turnReport } from '../gateway/pages/pages.ts'
import { openProbes, type Readiness } from '../gateway/probe-listener.ts'
import { createTailscale } from '../discovery/tailscale.ts'
import { createPhoneListener, type PhoneListener } from '../gateway/phone-listener.ts'
import { staticFiles } from '../gateway/pages/static-files.ts'
import type { EngineHost } from '../host.ts'
import type { Lending } from '../pipeline/lend/lend.ts'
import type { Redactor } from '../secrets/redact.ts'
import type { RunTurn } from '../pipeline/turn.ts'
import { codecOf } from '../protocol/index.ts'
import type { TurnRecords } from '../records/turn-records.ts'
import type { Line } from '../providers/via/line.ts'
import type { Router } from '../router/create-router.ts'
import type { HostHub } from '../terminals/host/hub.ts'
import { createHostSockets } from '../terminals/host/sockets.ts'
import type { Clock } from '../base/clock.ts'
import { type ConnectionPeers, connectionPeers } from '../gateway/access/authenticate.ts'
import { createPeerFinder, systemProcFiles } from '../sessions/binding/peer.ts'

export interface ListenersDeps {
  host: EngineHost
  config: ConfigHandle
  address: { host: string; port: number }
  held?: HeldConnections | undefined
  given?: GivenSocket | undefined
  /** of the home: counts on the own socket only */
  token: string
  pageAccess: PageAccess
  devices: ServedDevices
  api: ControlApi
  programs: Programs
  router: Router
  runTurn: RunTurn
  records: Pick<TurnRecords, 'find' | 'add'>
  redactor(headers: Readonly<Record<string, string>>): Redactor
  metrics: GatewayDeps['metrics']
  hub: HostHub
  terminalByKey(key: string): string | null
  /** it takes no new calls, and ends */
  ending(): boolean
  /** the sessions of earlier runs are there */
  loaded: Promise<void>
}

export interface Listeners extends Disposable {
  address: { host: string; port: number }
  phones: PhoneListener
  /** closes the connections of all dashboard pages */
  signOutPages(): void
  openAnswers(): number
  /** lends providers over this line */
  lend(line: Line): Promise<void>
  /** Takes no new clients; `ended` runs when an answer has ended. Viewers and terminals stay connected. */
  finish(endsBy: number, ended: () => void): void
}

/**
 * Opens the engine to the outside, last of all: to clients and dashboard pages over TCP, to any process that can read
 * the home over a socket of its own, and writes the note by which they find both.
 */
export async function openListeners(deps: ListenersDeps): Promise<Listeners> {
  const { host, config, address } = deps
  const { clock, log, random } = host
  const held = disposables()
  const keys: Keys = { keyOf: (id) => (id === homeId || programOf(id) ? deps.token : null) }
  // All terminals of a person come back at once when a new engine takes over.
  const ofHome = { keys, maxUnproven: 256 }
  const pagesControl = held.add(
    createControlServer({ api: deps.api, log, clock, keys: deps.pageAccess.keys, devices: deps.devices }),
  )
  const control = held.add(createControlServer({ api: deps.api, programs: deps.programs, log, clock, ...ofHome }))
  const noKeys: Keys = { keyOf: () => null }
  const phoneControl = held.add(createControlServer({ api: deps.api, log, clock, keys: noKeys, devices: deps.devices }))
  const hosts = held.add(createHostSockets({ hub: deps.hub, log, clock, ...ofHome }))
  const lends = held.add(lending(deps, keys, () => deps.ending() || unreadable() !== null))
  const pages = staticFiles({
    folder: fileURLToPath(new URL('../renderer', import.meta.url)),
    read: readFileOrNull,
    log,
  })
  const unreadable = () =>
    config.refusal() === null ? null : config.policies()?.trouble?.meanwhile === 'nothing' ? 'policy' : 'config'
  let isLoaded = false
  void deps.loaded.then(() => (isLoaded = true))
  const readiness = (): Readiness => {
    const unread = unreadable()
    if (deps.ending()) return 'ending'
    return unread !== null ? `${unread}-unreadable` : isLoaded ? 'ready' : 'starting'
  }
  const { probePort } = config.current().server
  const failed = (error: unknown): never => {
    held.dispose()
    throw error
  }
  if (probePort !== null) held.add(await openProbes({ port: probePort, readiness, log }).catch(failed))
  const gateway = await startGateway({
    clock,
    random,
    log,
    held: deps.held,
    given: deps.given,
    config: () => ({ ...config.current().server, host: address.host, port: address.port }),
    runTurn: deps.runTurn,
    listModels: (asking) => modelList(asking, deps.router.models()),
    terminalByKey: deps.terminalByKey,
    peers: systemPeers(clock),
    metrics: deps.metrics,
    async turnReport(requestId) {
      const record = await deps.records.find(requestId)
      return record && turnReport(record)
    },
    errorBody: (entry, facts) => codecOf(entry).error(facts),
    unreadable,
    ready: () => readiness() === 'ready',
    upgrade: pagesControl.handleUpgrade,
    mcp: held.add(mcpDoor(deps)),
    staticPage: pages,
  }).catch(failed)
  held.add(gateway)
  const at = { host: gateway.host, port: gateway.port }
  const phones = held.add(
    createPhoneListener({
      home: host.home,
      files: host.files,
      wanted: () => config.current().phone,
      tailscale: createTailscale(host),
      allowedHosts: () => config.current().server.allowedHosts,
      staticPage: pages,
      upgrade: phoneControl.handleUpgrade,
      clock,
      random,
      log,
    }),
  )
  held.add(config.onChange(() => void phones.look()))
  void phones.look()
  try {
    const own = held.add(
      await listenOwnSocket({
        home: host.home,
        env: host.env,
        random,
        log,
        upgrade: (...given) => [control, hosts, lends].some(({ handleUpgrade }) => handleUpgrade(...given)),
      }),
    )
    const announced = held.add(
      await announceEngine(host.home, {
        pid: process.pid,
        ...at,
        socket: own.path,
        startedAt: clock.now(),
        version: host.version,
        contract,
        ...(host.service ? { service: true } : {}),
      }),
    )
    return {
      address: at,
      phones,
      signOutPages: pagesControl.signOut,
      lend: lends.serve,
      openAnswers: () => gateway.openAnswers() + lends.open(),
      finish(endsBy, ended) {
        gateway.finish(ended)
        lends.onEnded(ended)
        try {
          announced.endsBy(endsBy)
        } catch (error) {
          log.error({ error: messageOf(error) }, 'others can’t be told that this engine ends')
        }
      },
      dispose: () => held.dispose(),
    }
  } catch (error) {
    held.dispose()
    throw error
  }
}

/** Lends providers to other engines. It is loaded with the first that asks. */
function lending({ host, config, router, redactor, records }: ListenersDeps, keys: Keys, closed: () => boolean) {
  const { clock, log } = host
  let lender: Lending | null = null
  const load = once(async () => {
    const { createLending } = await import('../pipeline/lend/lend.ts')
    return (lender = createLending({ ...host, config, router, redactor, addRecord: records.add, closed }))
  })
  return {
    ...createLendDoor({ keys, lending: load, clock, log }),
    serve: async (line: Line) => (await load()).serve(line),
    open: () => lender?.open() ?? 0,
    onEnded: (listener: () => void) => lender?.onEnded(listener),
  }
}

/** The SDK is loaded with the first request that has a key. */
function mcpDoor({ host, config, api, programs }: ListenersDeps): McpDoor & Disposable {
  const { version, clock, random, log } = host
  let made: Promise<McpHttp> | null = null
  const make = async () =>
    (await import('../control/mcp/serve-http.ts')).createMcpHttp({ api, programs, version, clock, random, log })
  return {
    keys: () => config.current().mcp.keys,
    answer: async (...call) => (await (made ??= make())).answer(...call),
    dispose: () => void made?.then((http) => http.dispose()),
  }
}

/** Finds the user of a local connection. Only Linux shows that; elsewhere every call needs a key. */
export const systemPeers = (clock: Clock): ConnectionPeers =>
  connectionPeers(
    process.platform === 'linux' ? createPeerFinder({ proc: systemProcFiles() }) : null,
    process.getuid?.() ?? null,
    clock,
  )
