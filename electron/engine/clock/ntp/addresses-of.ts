import { lookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { systemCodeOf } from '../../base/errors.ts'

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
