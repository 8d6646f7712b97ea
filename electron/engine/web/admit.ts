import { lookup } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isOwn, notPublic } from './addresses.ts'
import { hostOf, type Allow } from './allow.ts'
import { badUrl, refused, unreachable } from './errors.ts'

/** All addresses of a name, as the machine itself would find them (hosts file included). */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>

export const systemResolve: Resolve = (name) => lookup(name, { all: true, verbatim: true })

/** Addresses of this machine, as its interfaces have them now. */
export const systemAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))

const LONGEST_URL = 8 * 1024

/** @throws OnwardError `bad-url` */
export function readUrl(text: string, base?: URL): URL {
  if (text.length > LONGEST_URL || !URL.canParse(text, base))
    throw badUrl('That is not a URL that can be fetched. It begins with http:// or https:// and has a host.')
  const url = new URL(text, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw badUrl(`Only http and https can be fetched, not ${url.protocol.slice(0, 20)}`)
  if (url.username !== '' || url.password !== '')
    throw badUrl('A URL with a user name or password in it is not fetched.')
  return url
}

const portOf = (url: URL): number => (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port))

/**
 * The addresses a connection for this URL may go to. One that is not public spoils them all: a name that mixes them is
 * made to get past a check.
 * @throws OnwardError `address-refused` | `web-unreachable` | what the signal aborts with
 */
export async function admit(
  url: URL,
  deps: { resolve: Resolve; own: () => readonly string[]; allow: Allow; signal: AbortSignal },
): Promise<readonly LookupAddress[]> {
  const host = hostOf(url)
  const family = isIP(host)
  const addresses = family === 0 ? await resolved(host, deps) : [{ address: host, family }]
  const local = family === 0 && isLocalName(host)
  for (const { address } of addresses) {
    const own = isOwn(address, deps.own())
    if (!(local || own || notPublic(address) !== null)) continue
    // An address with a zone or worse is matched by nothing the person can write.
    if (isIP(address) === 0 || address.includes('%') || !deps.allow({ host, port: portOf(url), address }))
      throw refused(
        `${host} is not fetched: it is ${own ? 'an address of this machine' : 'not a public address of the internet'}.`,
      )
  }
  return addresses
}

async function resolved(
  host: string,
  { resolve, signal }: { resolve: Resolve; signal: AbortSignal },
): Promise<readonly LookupAddress[]> {
  const found = await untilAborted(resolve(host), signal, (error) => unreachable(host, error))
  if (found.length === 0) throw unreachable(host, Object.assign(new Error('no address'), { code: 'ENODATA' }))
  return found
}

const endings = ['localhost', 'local', 'localdomain', 'internal', 'intranet', 'lan', 'home.arpa']

/**
 * Names that mean this machine or this network wherever they are asked for (RFC 6761, RFC 6762, RFC 8375, clouds'
 * `.internal`).
 */
export const isLocalName = (name: string): boolean =>
  endings.some((ending) => name === ending || name.endsWith(`.${ending}`))

/** The result of work that can't be stopped itself; rejects with the signal's reason as soon as that is aborted. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal, explain: (error: unknown) => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, (error) => reject(explain(error))).finally(() => signal.removeEventListener('abort', stop))
  })
}
