import { type Socket, isIP } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import { isLocalKey, type LocalKey } from '../../base/network/local-keys.ts'
import type { ConnectionEnds, Peer, PeerFinder } from '../../sessions/binding/peer.ts'
import type { Caller, KeySuffix } from '../../sessions/types.ts'

/**
 * How a caller proves itself: by one of server.keys, which are there to be given to others; by a terminal's key, which
 * is its person's; or by nothing but its address, which every user of this machine has.
 */
export type Proof = 'shared-key' | 'terminal-key' | 'address'
export type Authenticated = { ok: true; caller: Caller; proof: Proof } | { ok: false; refusal: Refusal }

export interface Credentials {
  headers: Readonly<Record<string, string>>
  urlKey: string | null
  /** `?key=` */
  queryKey?: string | null
  remoteAddress: string | undefined
}

/** Identifies the caller before anything of the body is read. */
export function authenticate(
  from: Credentials,
  keys: readonly LocalKey[],
  terminalByKey: (key: string) => string | null,
): Authenticated {
  const own = offered(from.urlKey, from.headers['x-onward-key'])
  const others = offered(
    bearer(from.headers['authorization']),
    from.headers['x-api-key'],
    from.headers['x-goog-api-key'],
    from.queryKey,
  )
  const all = own.length === 0 ? others : [...own, ...others]
  for (const { key } of all) {
    const terminalId = key === '' ? null : terminalByKey(key)
    if (terminalId !== null) return { ok: true, caller: { kind: 'terminal', terminalId }, proof: 'terminal-key' }
  }
  const local = (proof: Proof): Authenticated => ({
    ok: true,
    caller: { kind: 'local', suffix: all.find((k) => k.suffix !== null)?.suffix ?? null },
    proof,
  })
  if (keys.length === 0) {
    if (isLoopback(from.remoteAddress)) return local('address')
    return refused(
      'keys-required',
      'Onward takes calls from other machines only when server.keys is set in the config.',
    )
  }
  // A key given in a way only Onward reads is meant for Onward; the client's own credential can't stand in for it.
  const counting = own.length > 0 ? own : all
  if (counting.some(({ key }) => isLocalKey(key, keys))) return local('shared-key')
  return all.length === 0
    ? refused(
        'missing-key',
        'This call carries no API key. Send one of server.keys as the API key, or start the agent with `onward`.',
      )
    : refused(
        'bad-key',
        'This API key is not one of server.keys and names no ' +
          "terminal of Onward. A terminal's key ends with its terminal.",
      )
}

/**
 * Returns why a caller of this machine is refused, or null. A terminal's key is no use to another user, who may have
 * got it from an agent by listening on the port while no engine ran.
 */
export function refuseUser(user: CallingUser, proof: Proof): Refusal | null {
  if (proof === 'shared-key' || user === 'own' || (user === 'untold' && proof === 'terminal-key')) return null
  if (user === 'unread')
    return {
      status: 503,
      code: 'user-unread',
      message:
        'Onward could not find out whose program calls: the table of this machine’s sockets could not be read. ' +
        'Ask again in a moment.',
    }
  return user === 'other'
    ? otherUser
    : {
        status: 401,
        code: 'key-needed',
        message:
          'This machine does not tell Onward whose program calls, so a call needs a key. ' +
          'Start the agent with "onward", or take the key that "onward register --export" prints.',
      }
}

export const otherUser: Refusal = {
  status: 403,
  code: 'other-user',
  message:
    'This call comes from another user of this machine, and Onward ' +
    'serves the one it runs as. Others need one of server.keys.',
}

const refused = (code: string, message: string): Authenticated => ({
  ok: false,
  refusal: { status: 401, code, message },
})

function offered(...texts: readonly (string | null | undefined)[]): readonly SplitKey[] {
  const keys: SplitKey[] = []
  for (const text of texts) if (text) keys.push(splitKey(text))
  return keys
}

export const bearer = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : /^bearer +(\S.*)$/i.exec(authorization)?.[1]

export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && (address === '::1' || /^(?:::ffff:)?127\./.test(address))

/** The other end is a program of this machine, by whichever of its addresses it came. */
export const isOfThisMachine = ({ remoteAddress, localAddress }: Socket): boolean =>
  isLoopback(remoteAddress) || remoteAddress === localAddress

const marks = { tmuxSessionId: '::rcc-session:', daemonId: '::rcc-sessiond:' } as const

export interface SplitKey {
  key: string
  suffix: KeySuffix | null
}

/** Takes `::rcc-session:<id>` and `::rcc-sessiond:<id>`, in either order, off an API key. An empty id is none. */
export function splitKey(text: string): SplitKey {
  const start = text.indexOf('::rcc-session')
  if (start < 0) return { key: text, suffix: null }
  const suffix: KeySuffix = { tmuxSessionId: null, daemonId: null }
  let rest = text.slice(start)
  while (rest !== '') {
    const field = rest.startsWith(marks.daemonId)
      ? 'daemonId'
      : rest.startsWith(marks.tmuxSessionId)
        ? 'tmuxSessionId'
        : null
    if (field === null) return { key: text, suffix: null }
    const value = rest.slice(marks[field].length)
    const next = value.indexOf('::rcc-session')
    suffix[field] = (next < 0 ? value : value.slice(0, next)) || null
    rest = next < 0 ? '' : value.slice(next)
  }
  const named = suffix.tmuxSessionId !== null || suffix.daemonId !== null
  return { key: text.slice(0, start), suffix: named ? suffix : null }
}

// Host and Origin. A web page that rebinds its DNS name to 127.0.0.1 still sends its own name as Host, and a page on
// another origin still sends its Origin: both are refused before anything else happens.

export interface Refusal {
  status: number
  code: string
  message: string
}

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+?)(?::(\d{1,5}))?$/

/**
 * @param allowedHosts names as in the config: `name` for any port, `name:port` for one
 * @param localAddress address the connection came in on: an address typed as such can't have been rebound
 */
export function refuseForeign(
  host: string | undefined,
  origin: string | undefined,
  localAddress: string | undefined,
  allowedHosts: readonly string[],
): Refusal | null {
  const at = host?.toLowerCase() ?? ''
  if (!isOwnHost(at, localAddress, allowedHosts)) {
    return {
      status: 403,
      code: 'foreign-host',
      message:
        `Onward does not answer to the host name "${shown(host)}". If ` +
        'it is meant to, add it to server.allowedHosts in the config.',
    }
  }
  if (origin !== undefined && !isOwnOrigin(origin.toLowerCase(), at, allowedHosts)) {
    return {
      status: 403,
      code: 'foreign-origin',
      message:
        `A page of "${shown(origin)}" may not talk to Onward. If it is meant ` +
        'to, add its host and port to server.allowedHosts in the config.',
    }
  }
  return null
}

function isOwnHost(at: string, localAddress: string | undefined, allowedHosts: readonly string[]): boolean {
  const parts = hostForm.exec(at)
  const name = parts?.[1]
  if (name === undefined) return false
  if (loopbackName.test(name)) return true
  if (isAllowed(at, name, allowedHosts)) return true
  if (localAddress === undefined) return false
  const bare = name.startsWith('[') ? name.slice(1, -1) : name
  return isIP(bare) !== 0 && bare === localAddress.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
}

/** Own origin: the very host and port the request was sent to. Another port of this machine is another origin. */
function isOwnOrigin(origin: string, host: string, allowedHosts: readonly string[]): boolean {
  const at = /^https?:\/\/(.+)$/.exec(origin)?.[1]
  const name = at === undefined ? undefined : hostForm.exec(at)?.[1]
  if (at === undefined || name === undefined) return false
  return at === host || isAllowed(at, name, allowedHosts)
}

const isAllowed = (at: string, name: string, allowedHosts: readonly string[]): boolean =>
  allowedHosts.some((allowed) => {
    const a = allowed.toLowerCase()
    return a === at || a === name
  })

const shown = (text: string | undefined): string => (text === undefined ? '' : text.slice(0, 100))

/**
 * Owner of the calling process: the user that Onward runs as, or another user of this machine. `gone`: it has closed
 * its end. `untold`: the system does not say. `unread`: it does, but could not be asked now.
 */
export type CallingUser = 'own' | 'other' | 'gone' | 'untold' | 'unread'

/** Finds the process at the other end of a local connection. The system is asked once for each connection. */
export interface ConnectionPeers {
  /** what is known already; a promise the first time */
  userOf(socket: Socket): CallingUser | Promise<CallingUser>
  processOf(socket: Socket): Promise<Peer | null>
}

/** Milliseconds. A process that was not found is looked for again after this: that takes a walk through all of them. */
const notFoundHolds = 5_000

/** @param finder null where the system can't be asked */
export function connectionPeers(finder: PeerFinder | null, ownUid: number | null, clock: Clock): ConnectionPeers {
  const users = new WeakMap<Socket, CallingUser | Promise<CallingUser>>()
  const processes = new WeakMap<Socket, Promise<Peer | null>>()
  const missed = new WeakMap<Socket, number>()
  const knownEnds = new WeakMap<Socket, ConnectionEnds>()
  const endsOf = (socket: Socket) => {
    const ends = knownEnds.get(socket) ?? readEnds(socket)
    if (ends) knownEnds.set(socket, ends)
    return ends
  }

  const askUser = async (socket: Socket): Promise<CallingUser> => {
    const ends = endsOf(socket)
    const uid = ends && finder && ownUid !== null ? await finder.userOf(ends).catch(() => 'unread' as const) : null
    if (uid === null) return 'untold'
    if (uid === 'gone' || uid === 'unread') return uid
    return uid === ownUid ? 'own' : 'other'
  }
  return {
    userOf(socket) {
      const known = users.get(socket)
      if (known !== undefined) return known
      const asked = askUser(socket).then((user) => {
        if (user === 'unread') users.delete(socket)
        else users.set(socket, user)
        return user
      })
      users.set(socket, asked)
      return asked
    },
    processOf(socket) {
      const known = processes.get(socket)
      if (known) return known
      const ends = endsOf(socket)
      if (!ends || !finder || clock.monotonic() - (missed.get(socket) ?? -Infinity) < notFoundHolds)
        return Promise.resolve(null)
      const asked = finder.find(ends).then(
        (found) => {
          if (!found) forget()
          return found
        },
        (error: unknown) => {
          forget()
          throw error
        },
      )
      const forget = () => {
        missed.set(socket, clock.monotonic())
        processes.delete(socket)
      }
      processes.set(socket, asked)
      return asked
    },
  }
}

function readEnds(socket: Socket): ConnectionEnds | null {
  const { remoteAddress, remotePort, localAddress, localPort } = socket
  return remoteAddress && remotePort && localAddress && localPort
    ? {
        clientAddress: remoteAddress,
        clientPort: remotePort,
        serverAddress: localAddress,
        serverPort: localPort,
      }
    : null
}
