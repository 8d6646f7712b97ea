import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIPv6, isIP } from 'node:net'
import { systemCodeOf } from '../../base/errors.ts'

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

/**
 * The first address of each family, IPv4 first. The name servers are asked directly: the system's own look-up cannot be
 * taken back, and a process that ends waits for it, with dead name servers for half a minute (libuv issue 203). It is
 * asked only for names that the name servers answered not to know: those of the hosts file and of search domains.
 */
export async function addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  signal.throwIfAborted()
  const resolver = new Resolver()
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  signal.removeEventListener('abort', cancel)
  signal.throwIfAborted()
  const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value.slice(0, 1) : []))
  if (addresses.length > 0) return addresses
  for (const one of found) if (one.status === 'rejected' && systemCodeOf(one.reason) === 'ETIMEOUT') throw one.reason
  return systemAddresses(host, signal)
}

function systemAddresses(host: string, signal: AbortSignal): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    lookup(host, { all: true }, (error, found) => {
      signal.removeEventListener('abort', stop)
      if (error) return reject(error)
      const first = (family: number) =>
        found
          .filter((one) => one.family === family)
          .slice(0, 1)
          .map(({ address }) => address)
      resolve([...first(4), ...first(6)])
    })
  })
}

export interface ServerAddress {
  host: string
  port: number
}

const usual = 123

/** `host`, `host:port`, `[::1]:port` or a bare IPv6 address; null: none of them. */
export function readServer(text: string): ServerAddress | null {
  const trimmed = text.trim()
  if (isIPv6(trimmed)) return { host: trimmed, port: usual }
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^\s:[\]/@]+))(?::(\d{1,5}))?$/.exec(trimmed) ?? []
  const host = bracketed ?? plain
  const port = digits === undefined ? usual : Number(digits)
  if (host === undefined || (bracketed !== undefined && !isIPv6(bracketed)) || port < 1 || port > 65_535) return null
  return { host, port }
}
