import { createServer, type Server, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIP, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { OnwardError, messageOf, systemCodeOf } from '../base/errors.ts'
import { isLoopback, refuseForeign, isOfThisMachine, otherUser, type CallingUser } from './access/authenticate.ts'
import { endRaw, guessShape } from './answer.ts'
import { flatHeaders } from './http-call.ts'
import { brokenRequestHandler, trackConnections, type Connections } from './connections.ts'
import type { GivenSocket } from './given-socket.ts'
import { requestHandler } from './handle-request.ts'
import { addressOf } from './paths.ts'
import type { Gateway, GatewayDeps } from './types.ts'

/** connections that the system takes for a process that is busy */
const backlog = 1024

const limits = {
  /** bytes; Codex sends its turn metadata and Claude Code a dozen beta flags in headers, together a few KB */
  maxHeaderSize: 64 * 1024,
  /** ms for the whole head, and for the whole request: 64 MiB at 5 Mbit/s still fit */
  headersTimeout: 20_000,
  requestTimeout: 120_000,
  /**
   * ms an idle connection stays open: longer than agents think between calls, so that none is cut as it is used again
   */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5000,
}

/**
 * Opens the endpoint for clients on `server.host`:`server.port` (0: any free port).
 * @throws OnwardError `keys-required` | `port-in-use` | `port-refused` | `given-elsewhere` | `listen-failed`
 */
export async function startGateway(deps: GatewayDeps): Promise<Gateway> {
  const { host, port, keys } = deps.config()
  if (host !== 'localhost' && !isLoopback(host) && keys.length === 0) {
    throw new OnwardError(
      'keys-required',
      `Onward listens on ${host} only when server.keys is set in the config: ` +
        'without a key every machine that reaches it could use your providers.',
    )
  }
  const server = createServer({ ...limits, noDelay: true })
  const connections = trackConnections(server)
  const handle = requestHandler(deps, connections)
  server.on('request', handle)
  server.on('checkContinue', handle)
  server.on('upgrade', upgradeHandler(deps, server, connections))
  server.on('clientError', brokenRequestHandler(deps, connections))
  const waiting = deps.held?.release() ?? []
  await listen(server, host, port, deps.given)
  for (const socket of waiting) {
    // of another port than the config has now
    if (socket.localPort !== boundTo(server).port) socket.destroy()
    else server.emit('connection', socket)
    socket.resume()
  }
  server.on('error', (error) =>
    deps.log.error({ code: systemCodeOf(error) ?? 'unknown', error: messageOf(error) }, 'the gateway had a problem'),
  )
  const bound = boundTo(server)
  return {
    // A name can lead to an address of another program's (localhost to ::1), so ours is given as a number.
    host: isIP(host) === 0 ? bound.address : host,
    port: bound.port,
    openAnswers: connections.open,
    finish(ended) {
      server.close()
      connections.finish(ended)
    },
    dispose() {
      server.close()
      connections.dispose()
    },
  }
}

async function listen(server: Server, host: string, port: number, given: GivenSocket | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const failed = (error: Error) => reject(listenError(error, host, port))
    server.once('error', failed)
    const listening = () => {
      server.off('error', failed)
      resolve()
    }
    if (given) server.listen({ fd: given.fd }, backlog, listening)
    else server.listen({ host, port, backlog }, listening)
  })
  if (given) checkGiven(server, host, port)
}

/** Clients and the config's bounds on who may call go by one address. */
function checkGiven(server: Server, host: string, port: number): void {
  const at = server.address()
  const there = at === null || typeof at === 'string' ? null : at
  if (there?.port === port && (there.address === host || (host === 'localhost' && isLoopback(there.address)))) return
  server.close()
  throw new OnwardError(
    'given-elsewhere',
    `Onward was handed a socket that listens on ${there ? `${there.address}:${there.port}` : 'no TCP port'}, ` +
      `and is to listen on ${host}:${port}. ` +
      'Write the service anew (`onward service install`), or make server.host and server.port in the config the same.',
  )
}

function listenError(cause: Error, host: string, port: number): OnwardError {
  switch (systemCodeOf(cause)) {
    case 'EADDRINUSE':
      return new OnwardError(
        'port-in-use',
        `Another program already listens on ${host}:${port}. End it, or choose another server.port in the config.`,
        { cause },
      )
    case 'EACCES':
      return new OnwardError(
        'port-refused',
        `The system does not let Onward listen on port ${port}. Choose one above 1023.`,
        { cause },
      )
    default:
      return new OnwardError('listen-failed', `Onward can't listen on ${host}:${port}: ${messageOf(cause)}.`, { cause })
  }
}

function boundTo(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new OnwardError('listen-failed', 'The gateway has no TCP address.')
  return address
}

/**
 * Upgrade requests: the control WebSocket, Codex's try of a WebSocket, and clients that offer h2c with an ordinary
 * call.
 */
function upgradeHandler(
  deps: GatewayDeps,
  server: Server,
  connections: Pick<Connections, 'openAnswer'>,
): (req: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const afterOpen = openAnswers(server)
  const enter = (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Whatever is written now would overtake the open answer.
    const open = connections.openAnswer(req.socket)
    if (open) return afterOpen(req.socket, open, () => enter(req, socket, head))
    if (!isWebSocket(req)) return handBack(server, req, socket, head)
    const headers = flatHeaders(req)
    const { endpoint, path } = addressOf(req.url ?? '/')
    const refuse = (status: number, code: string, message: string, more: Record<string, string> = {}) => {
      const requestId = `req_${deps.random.uuid()}`
      deps.log.info({ requestId, code, status }, 'an upgrade was refused')
      const body = deps.errorBody(endpoint.kind === 'entry' ? endpoint.entry : guessShape(path, headers), {
        status,
        code,
        message,
        requestId,
      })
      endRaw(deps.clock, socket, status, body, { 'x-request-id': requestId, ...more })
    }
    const foreign = refuseForeign(
      headers['host'],
      headers['origin'],
      req.socket.localAddress,
      deps.config().allowedHosts,
    )
    if (foreign) return refuse(foreign.status, foreign.code, foreign.message)
    if (endpoint.kind === 'entry') {
      // Codex then goes on over HTTP at once; any other answer costs it seven tries.
      return refuse(426, 'no-websocket', 'Onward serves this path over plain HTTP only, with server-sent events.', {
        upgrade: 'HTTP/1.1',
      })
    }
    const take = (user: CallingUser) => {
      if (socket.destroyed) return
      if (user === 'gone') return void socket.destroy()
      if (user === 'other') return refuse(otherUser.status, otherUser.code, otherUser.message)
      if (!deps.upgrade(req, socket, head))
        refuse(404, 'unknown-path', `Onward has no WebSocket at ${path.slice(0, 200)}.`)
    }
    const failed = (error: unknown) => {
      deps.log.error({ code: 'upgrade-failed', error: messageOf(error) }, 'an upgrade failed')
      refuse(500, 'internal-error', 'Something went wrong inside Onward. Its log has the request id.')
    }
    callerOf(deps, req).then(take).catch(failed)
  }
  return (req, socket, head) => {
    socket.on('error', (error) => deps.log.debug({ error: messageOf(error) }, 'an upgraded connection broke'))
    enter(req, socket, head)
  }
}

/**
 * Runs what waits for the last answer on a connection that node:http has let go of because of an upgrade. It took its
 * listener for `drain` away as well, without which a long answer stops where it was written faster than it is read.
 */
function openAnswers(server: Server): (socket: Socket, last: ServerResponse, then: () => void) => void {
  const drains = new WeakMap<Socket, (() => void)[]>()
  server.on('connection', (socket: Socket) => drains.set(socket, socket.listeners('drain') as (() => void)[]))
  return (socket, last, then) => {
    const own = drains.get(socket) ?? []
    for (const listener of own) socket.on('drain', listener)
    last.once('close', () => {
      for (const listener of own) socket.off('drain', listener)
      if (!socket.destroyed && !socket.writableEnded) then()
    })
  }
}

/** A page of another user of this machine comes no nearer to its proof, where no key was made for others. */
async function callerOf({ config, peers }: GatewayDeps, { socket }: IncomingMessage): Promise<CallingUser> {
  return isOfThisMachine(socket) && config().keys.length === 0 ? peers.userOf(socket) : 'own'
}

const isWebSocket = (req: IncomingMessage): boolean =>
  (req.headers.upgrade ?? '')
    .toLowerCase()
    .split(',')
    .some((p) => p.trim() === 'websocket')

/**
 * A server may ignore an upgrade it does not do (RFC 9110 section 7.8), and Java's HttpClient offers h2c on every plain
 * call. node:http has no way to decline, so the request goes back to the front of its connection without the offer.
 */
function handBack(server: Server, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`]
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i] ?? ''
    if (!/^(?:upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${req.rawHeaders[i + 1] ?? ''}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
  socket.resume()
}
