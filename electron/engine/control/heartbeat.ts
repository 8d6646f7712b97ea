import type { WebSocket } from 'ws'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'

/** Sleeping laptops and broken tunnels leave half-open sockets. A connection quiet for this long is pinged once. */
export const pingEveryMs = 30_000
export const pongWithinMs = 10_000

/** Pings at the WebSocket level, which browsers and `ws` answer by themselves; no answer ends the connection. */
export function heartbeat(socket: WebSocket, clock: Clock, onLost: () => void): Disposable {
  let timer: Disposable
  const ask = () => {
    socket.ping()
    timer = clock.after(pongWithinMs, () => {
      onLost()
      socket.terminate()
    })
  }
  const heard = () => {
    timer.dispose()
    timer = clock.after(pingEveryMs, ask)
  }
  timer = clock.after(pingEveryMs, ask)
  socket.on('pong', heard)
  socket.on('message', heard)
  return {
    dispose() {
      timer.dispose()
      socket.off('pong', heard)
      socket.off('message', heard)
    },
  }
}
