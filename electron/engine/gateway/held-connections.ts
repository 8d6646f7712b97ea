import { createServer, type Socket } from 'node:net'
import type { Disposable } from '../base/disposable.ts'

/** Clients that came while the engine before this one answered its last requests. */
export interface HeldConnections extends Disposable {
  /** Stops listening; the next listener at this address serves the held connections. */
  release(): readonly Socket[]
}

/** More would wait for nothing but their own time-outs. */
const most = 1_000

/**
 * Takes connections at an address that is not served yet and reads nothing of them: agents wait a moment, where a
 * refusal would have some of them wait half a minute before they try again. Returns null if the address is taken.
 */
export function holdConnections({ host, port }: { host: string; port: number }): Promise<HeldConnections | null> {
  const sockets = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    if (sockets.size >= most) return void socket.destroy()
    sockets.add(socket)
    socket.on('error', () => sockets.delete(socket))
    socket.once('close', () => sockets.delete(socket))
  })
  return new Promise((resolve) => {
    server.once('error', () => resolve(null))
    server.listen({ host, port, backlog: 1024 }, () =>
      resolve({
        release() {
          server.close()
          const waiting = Array.from(sockets)
          sockets.clear()
          return waiting
        },
        dispose() {
          server.close()
          for (const socket of sockets) socket.destroy()
        },
      }),
    )
  })
}
