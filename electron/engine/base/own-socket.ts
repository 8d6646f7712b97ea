/**
 * The engine's own socket as a caller finds it: a Unix socket in a folder that only the home's owner can enter, a named
 * pipe on Windows. No other user can listen there, and no web page can speak to it.
 */
import { connect } from 'node:net'
import { WebSocket, type ClientOptions } from 'ws'

export { checkOwnSocket, isPipe } from './check-own-socket.ts'

/** The `ws` class, connecting to `path` whatever host its address names. */
export function socketAt(path: string, options: ClientOptions = {}): new (url: string) => WebSocket {
  return class extends WebSocket {
    constructor(url: string) {
      super(url, { perMessageDeflate: false, ...options, createConnection: () => connect(path) })
    }
  }
}
