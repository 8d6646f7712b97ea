import type { Socket } from 'node:net'
import { isLocalKey, type LocalKey } from '../../base/local-keys.ts'
import type { Caller, KeySuffix } from '../../sessions/types.ts'
import type { Refusal } from './allowed-host.ts'
import type { CallingUser } from './connection-peer.ts'

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

const bearer = (authorization: string | undefined): string | undefined =>
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
