import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { messageOf } from '../base/errors.ts'
import { refuseForeign } from './access/allowed-host.ts'
import { isOfThisMachine, otherUser } from './access/authenticate.ts'
import type { CallingUser } from './access/connection-peer.ts'
import { guessShape } from './answer.ts'
import type { Connections } from './connections.ts'
import { flatHeaders } from './http-call.ts'
import { endRaw } from './answer.ts'
import { addressOf } from './paths.ts'
import type { GatewayDeps } from './types.ts'

/**
 * Upgrade requests: the control WebSocket, Codex's try of a WebSocket, and clients that offer h2c with an ordinary
 * call.
 */
export function upgradeHandler(
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
