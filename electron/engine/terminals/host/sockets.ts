import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Disposable } from '../../base/disposable.ts'
import type { Log } from '../../base/log.ts'
import type { HostHub } from './hub.ts'
import { hostPath } from './messages.ts'

/** Takes the WebSockets of terminal hosts. Host and Origin are checked before; the token comes in the first message. */
export function createHostSockets(
  hub: HostHub,
  log: Log,
): Disposable & { handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean } {
  const server = new WebSocketServer({ noServer: true, maxPayload: 32 * 1024 * 1024, perMessageDeflate: false })
  server.on('connection', (socket) => {
    socket.on('error', (error) => log.info({ error: error.message }, 'a terminal host’s connection broke'))
    hub.handleSocket({
      send: (text) => {
        if (socket.readyState === socket.OPEN) socket.send(text)
      },
      close: (code, reason) => socket.close(code, reason),
      onMessage: (listener) => {
        socket.on('message', (data) => listener(String(data)))
      },
      onClose: (listener) => {
        socket.on('close', listener)
      },
    })
  })
  return {
    handleUpgrade(request, socket, head) {
      if ((request.url ?? '').split('?')[0] !== hostPath) return false
      server.handleUpgrade(request, socket, head, (ws) => server.emit('connection', ws, request))
      return true
    },
    dispose() {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}
