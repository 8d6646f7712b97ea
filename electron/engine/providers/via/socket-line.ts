import type { WebSocket } from 'ws'
import type { Line } from './line.ts'

/** Of a piece: other calls of the line have their turn after it. */
const mostBytes = 64 * 1024

/** A line over a socket on which both sides have proved themselves. What comes before it is listened to waits. */
export function socketLine(socket: WebSocket, why: () => Promise<Error>): Line {
  let take: ((message: Buffer) => void) | null = null
  const early: Buffer[] = []
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) return
    if (take) take(data)
    else early.push(data)
  })
  return {
    most: mostBytes,
    send(message) {
      if (socket.readyState === socket.OPEN) socket.send(message)
    },
    onMessage(given) {
      take = given
      for (const message of early.splice(0)) given(message)
    },
    lost: new Promise((resolve) => {
      socket.once('close', () => void why().then(resolve))
    }),
    close: () => socket.close(),
  }
}
