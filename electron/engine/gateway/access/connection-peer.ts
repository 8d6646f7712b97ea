import type { Socket } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import type { ConnectionEnds } from '../../sessions/binding/peer-table.ts'
import type { Peer, PeerFinder } from '../../sessions/binding/peer.ts'

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
