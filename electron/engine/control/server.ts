/** The control API on a WebSocket: one path, both sides prove themselves first, then they speak tRPC. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { TRPCError } from '@trpc/server'
import { getWSConnectionHandler } from '@trpc/server/adapters/ws'
import { WebSocketServer } from 'ws'
import { operations, type ControlApi } from '../../../shared/operations/index.ts'
import { closeCodes, programOf } from '../../../shared/control/proof.ts'
import { controlPath } from '../../../shared/control/address.ts'
import { routerOf, type CallContext } from '../../../shared/control/router.ts'
import { closeSoon, createAdmission, type Keys } from '../base/network/admit.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { OnwardError, systemCodeOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { isLoopback } from '../gateway/access/authenticate.ts'
import type { Devices } from './devices.ts'
import type { Programs } from './programs.ts'
import { heartbeat } from './heartbeat.ts'
import { WebSocket } from 'ws'

export interface ControlServerOptions {
  api: ControlApi
  keys: Keys
  /** may come here, too, by their rights: never over what others can read on its way */
  devices?: ServedDevices
  /** what a caller may ask for that speaks for another program; without it such a one has no say */
  programs?: Programs
  log: Log
  clock: Clock
  /** unsent bytes after which a viewer that doesn't read is dropped */
  maxBufferedBytes?: number
  maxUnproven?: number
}

export interface ServedDevices extends Pick<Devices, 'keys' | 'contextOf' | 'connected' | 'onRevoked'> {
  /** what a device is answered otherwise than others, by its id */
  ofDevice?(id: string): Partial<ControlApi>
}

export interface ControlServer extends Disposable {
  /** Takes the socket when the path is the control API's; Host and Origin were checked by the gateway. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  readonly connections: number
  /** closes every connection but those of devices: its access was ended */
  signOut(): void
}

/** One pasted text of the largest allowed size, escaped, with room for its envelope. */
const maxMessageBytes = 8 * 1024 * 1024
const defaultMaxBufferedBytes = 16 * 1024 * 1024
const maxCallsPerMessage = 100

export function createControlServer(options: ControlServerOptions): ControlServer {
  const { api, keys, clock, devices, programs } = options
  /** of those that are let in */
  const contexts = new WeakMap<WebSocket, CallContext>()
  /** of devices and of those that are paired just now */
  const deviceSockets = new Map<WebSocket, string>()
  const joined: Keys = devices ? joinKeys(keys, devices.keys) : keys
  const log = options.log.child({ part: 'control' })
  const maxBufferedBytes = options.maxBufferedBytes ?? defaultMaxBufferedBytes
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    WebSocket: boundedSocket(maxBufferedBytes, (buffered) =>
      log.warn({ buffered }, 'a viewer does not read and was dropped; it starts afresh when it comes back'),
    ),
  })
  const serve = getWSConnectionHandler({
    wss: server,
    router: routerOf(operations),
    maxBatchSize: maxCallsPerMessage,
    createContext({ res }) {
      const context = contexts.get(res)
      if (!context) throw new Error('a call before its caller was let in')
      return context
    },
    onError: ({ error, path }) => report(log, error, path),
  })
  const admit = createAdmission({ keys, path: controlPath, clock, maxUnproven: options.maxUnproven })
  server.on('connection', (socket, request) => {
    // broken frames before the proof; afterwards tRPC listens as well
    socket.on('error', (error) =>
      log.info({ code: systemCodeOf(error) }, `a control connection broke: ${error.message}`),
    )
    const beat = heartbeat(socket, clock, () => log.info({}, 'a viewer no longer answers and was dropped'))
    socket.once('close', () => beat.dispose())
    const onAdmitted = (id: string) => {
      const ofDevice = devices?.contextOf(id) ?? null
      const own = ofDevice && devices?.ofDevice ? { ...api, ...devices.ofDevice(id) } : api
      const program = programOf(id)
      const ofHome = program && programs ? programs.contextOf(program.terminal) : { api }
      contexts.set(socket, ofDevice ? { api: ofDevice.apiOf(own), check: ofDevice.check } : ofHome)
      if (devices && ofDevice) {
        const gone = devices.connected(id)
        deviceSockets.set(socket, id)
        socket.once('close', () => {
          deviceSockets.delete(socket)
          gone()
        })
      }
      serve(socket, withoutQuery(request))
    }
    const onRefused = (why: string) => log.warn({ why }, 'control connection refused')
    const unread = 'encrypted' in request.socket || isLoopback(request.socket.localAddress)
    admit(socket, request.socket, { onRefused, onAdmitted }, unread ? joined : keys)
  })
  devices?.onRevoked((id) => {
    for (const [socket, of] of deviceSockets) if (of === id) closeSoon(socket, clock, closeCodes.refused, 'revoked')
  })

  let ended = false
  const closeAll = (code: number, why: string) => {
    for (const socket of server.clients) closeSoon(socket, clock, code, why)
  }
  return {
    get connections() {
      return server.clients.size
    },
    handleUpgrade(request, socket, head) {
      if (pathOf(request) !== controlPath) return false
      if (ended) {
        socket.destroy()
        return true
      }
      server.handleUpgrade(request, socket, head, (ws) => server.emit('connection', ws, request))
      return true
    },
    signOut() {
      for (const socket of server.clients)
        if (!deviceSockets.has(socket)) closeSoon(socket, clock, closeCodes.refused, 'signed out')
    },
    dispose() {
      if (ended) return
      ended = true
      closeAll(closeCodes.engineEnds, 'the engine ends')
      server.close()
    },
  }
}

const joinKeys = (first: Keys, second: Keys): Keys => ({
  keyOf: (id) => first.keyOf(id) ?? second.keyOf(id),
  publicKeyOf: (id) => (first.keyOf(id) === null ? (second.publicKeyOf?.(id) ?? null) : null),
  admitted: async (exchange) =>
    (first.keyOf(exchange.id) === null ? await second.admitted?.(exchange) : await first.admitted?.(exchange)) ?? null,
})

/** tRPC takes parameters and much else from the address; callers must not set any of that. */
function withoutQuery(request: IncomingMessage): IncomingMessage {
  request.url = controlPath
  return request
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?', 1)[0] ?? ''

/**
 * Logs a failed call: refusals are the caller's business, anything else is a fault of ours. Inputs are never logged,
 * because they hold texts and environments.
 */
function report(log: Log, error: TRPCError, path: string | undefined): void {
  const { cause } = error
  if (OnwardError.isInstance(cause)) log.info({ path, code: cause.code }, cause.message)
  else if (error.code === 'INTERNAL_SERVER_ERROR')
    log.error({ path, code: error.code, stack: cause?.stack }, error.message)
  else log.info({ path, code: error.code }, 'a control call was not understood')
}

/**
 * A WebSocket that is cut when its reader doesn't read. tRPC's adapter sends whatever a subscription yields without
 * looking at the socket, so without this one sleeping viewer would keep every update in memory. It comes back with a
 * new `follow`, which starts with a snapshot.
 */
export function boundedSocket(maxBufferedBytes: number, onDropped: (buffered: number) => void): typeof WebSocket {
  return class BoundedSocket extends WebSocket {
    override send(...args: unknown[]): void {
      // the overloads of `send` can't be spelled in one signature; arguments go through as they came
      Reflect.apply(WebSocket.prototype.send, this, args)
      if (this.bufferedAmount <= maxBufferedBytes || this.readyState !== WebSocket.OPEN) return
      onDropped(this.bufferedAmount)
      // a close frame would wait in line after everything that isn't read
      this.terminate()
    }
  }
}
