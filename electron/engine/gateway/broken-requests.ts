import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { systemCodeOf } from '../base/errors.ts'
import type { Connections } from './connections.ts'
import { rawAnswer } from './raw-answer.ts'
import type { GatewayDeps } from './types.ts'

/** Bytes that are no HTTP request, headers without end, requests that never become whole: told why, then cut. */
export function brokenRequestHandler(
  deps: GatewayDeps,
  connections: Connections,
): (error: Error, socket: Duplex) => void {
  return (error, socket) => {
    const systemCode = systemCodeOf(error) ?? 'unknown'
    deps.log.debug({ code: systemCode }, 'a connection sent no readable request')
    // node:http types the socket as any Duplex; its servers only have net.Sockets. An answer under way must not be
    // mixed with ours.
    if (!socket.writable || connections.isBusy(socket as Socket) || systemCode === 'ECONNRESET')
      return void socket.destroy()
    const { status, code, message } = explain(systemCode)
    const requestId = `req_${deps.random.uuid()}`
    socket.end(
      rawAnswer(status, deps.errorBody('chat', { status, code, message, requestId }), { 'x-request-id': requestId }),
    )
  }
}

function explain(systemCode: string): { status: number; code: string; message: string } {
  switch (systemCode) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        code: 'headers-too-large',
        message: 'The headers of this request are larger than Onward takes.',
      }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, code: 'request-too-slow', message: 'This request did not arrive whole in time.' }
    default:
      return { status: 400, code: 'bad-http', message: 'This is not a readable HTTP/1.1 request.' }
  }
}
