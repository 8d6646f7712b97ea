/** Where engines of other machines come in for providers that this one lends: over the own socket, by its token. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { createAdmission, type Keys } from '../base/network/admit.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import type { Log } from '../base/log.ts'
import type { Lending } from '../pipeline/lend/lend.ts'
import { lendPath } from '../providers/via/line.ts'
import { socketLine } from '../providers/via/socket-line.ts'

export interface LendDoorDeps {
  keys: Keys
  /** loaded with the first that comes */
  lending(): Promise<Pick<Lending, 'serve'>>
  clock: Clock
  log: Log
}

/** Longer than any frame (providers/via/socket-line.ts). */
const mostBytes = 4 * 1024 * 1024

export function createLendDoor({
  keys,
  lending,
  clock,
  log,
}: LendDoorDeps): Disposable & { handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean } {
  const server = new WebSocketServer({ noServer: true, maxPayload: mostBytes, perMessageDeflate: false })
  const admit = createAdmission({ keys, path: lendPath, clock })
  server.on('connection', (socket, request) => {
    socket.on('error', (error) => log.info({ error: error.message }, 'a line of an engine that borrows broke'))
    admit(socket, request.socket, {
      onRefused: (why) => log.warn({ why }, 'an engine that would borrow was refused'),
      onAdmitted() {
        const line = socketLine(socket, async () => new Error('the line ended'))
        void lending().then(({ serve }) => serve(line))
      },
    })
  })
  return {
    handleUpgrade(request, socket, head) {
      if ((request.url ?? '').split('?')[0] !== lendPath) return false
      server.handleUpgrade(request, socket, head, (ws) => server.emit('connection', ws, request))
      return true
    },
    dispose() {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}
