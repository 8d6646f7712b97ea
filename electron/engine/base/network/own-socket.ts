/**
 * The engine's own socket as a caller finds it: a Unix socket in a folder that only the home's owner can enter, a named
 * pipe on Windows. No other user can listen there, and no web page can speak to it.
 */
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, type ClientOptions } from 'ws'

export { checkOwnSocket, isPipe } from './check-own-socket.ts'

/**
 * The `ws` class, connecting to `at` whatever host its address names: a path, or a stream that leads there already and
 * is good for one connection.
 */
export function socketAt(at: string | Duplex, options: ClientOptions = {}): new (url: string) => WebSocket {
  return class extends WebSocket {
    constructor(url: string) {
      // ws takes any stream, which its types do not say
      const connection = typeof at === 'string' ? connect(at) : (at as Socket)
      super(url, { perMessageDeflate: false, ...options, createConnection: () => connection })
    }
  }
}
