import { WebSocket } from 'ws'

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
      // a close frame would queue behind what isn't read
      this.terminate()
    }
  }
}
