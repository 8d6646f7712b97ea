import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { closeSoon, createAdmission, type Keys } from '../../base/network/admit.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Log } from '../../base/log.ts'
import type { HostHub } from './hub.ts'
import { hostPath } from './messages.ts'

export interface HostSocketsDeps {
  hub: HostHub
  keys: Keys
  log: Log
  clock: Clock
  maxUnproven?: number
}

/** Accepts the WebSockets of terminal hosts; engine and host prove themselves to each other before the hub gets one. */
export function createHostSockets({
  hub,
  keys,
  log,
  clock,
  maxUnproven,
}: HostSocketsDeps): Disposable & { handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean } {
  const server = new WebSocketServer({ noServer: true, maxPayload: 32 * 1024 * 1024, perMessageDeflate: false })
  const admit = createAdmission({ keys, path: hostPath, clock, maxUnproven })
  server.on('connection', (socket, request) => {
    socket.on('error', (error) => log.info({ error: error.message }, 'a terminal host’s connection broke'))
    admit(socket, request.socket, {
      onRefused: (why) => log.warn({ why }, 'a terminal host was refused'),
      onAdmitted: () =>
        hub.handleSocket({
          send: (text) => {
            if (socket.readyState === socket.OPEN) socket.send(text)
          },
          close: (code, reason) => closeSoon(socket, clock, code, reason),
          onMessage: (listener) => {
            socket.on('message', (data) => listener(String(data)))
          },
          onClose: (listener) => {
            socket.on('close', listener)
          },
        }),
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
