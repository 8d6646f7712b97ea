import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { addressesOf } from './addresses-of.ts'
import type { ServerAddress } from './server-address.ts'

/** Events of a socket. None comes after `close`. */
export interface UdpHeard {
  datagram(bytes: Uint8Array): void
  /** the system reports that no server is there */
  failed(error: Error): void
}

export interface UdpSocket {
  send(bytes: Uint8Array): void
  close(): void
}

/** Datagrams, injected so that no test needs a network. */
export interface Udp {
  /** at most one per family, to be tried in this order; rejects when there is none, and as soon as the signal aborts */
  addresses(host: string, signal: AbortSignal): Promise<readonly string[]>
  /** a socket of its own port, which hears only this address */
  open(to: ServerAddress, heard: UdpHeard): Promise<UdpSocket>
}

/** Opens nothing before it is asked to, and keeps no process alive. */
export const nodeUdp = (): Udp => ({
  addresses: addressesOf,
  open: ({ host, port }, heard) =>
    new Promise((resolve, reject) => {
      const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
      socket.unref()
      let open = true
      const close = () => {
        if (open) socket.close()
        open = false
      }
      // A connected socket hears of "port unreachable", and of no other sender.
      socket.once('connect', () =>
        resolve({
          send: (bytes) => {
            if (open) socket.send(bytes)
          },
          close,
        }),
      )
      socket.on('message', (bytes) => {
        if (open) heard.datagram(bytes)
      })
      socket.on('error', (error) => {
        close()
        reject(error)
        heard.failed(error)
      })
      socket.connect(port, host)
    }),
})
