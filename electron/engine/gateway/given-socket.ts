/** A socket that listens already, handed over by who started this process (sd_listen_fds(3)). */
import { createServer, type Socket } from 'node:net'
import type { Disposable } from '../base/disposable.ts'
import { OnwardError } from '../base/errors.ts'

export interface GivenSocket {
  fd: number
  /** systemd's name for it, `onward.socket`; null: it has none */
  unit: string | null
}

const firstFd = 3
const variables = ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES', 'LISTEN_PIDFDID'] as const

/**
 * Takes the variables away: no terminal and no other program of this process is to believe that they are meant for it.
 * @throws OnwardError `given-sockets` where there are several
 */
export function takeGivenSocket(env: Record<string, string | undefined>, pid: number): GivenSocket | null {
  const { LISTEN_PID, LISTEN_FDS = '0', LISTEN_FDNAMES } = env
  for (const name of variables) delete env[name]
  if (LISTEN_PID !== String(pid) || LISTEN_FDS === '0') return null
  if (LISTEN_FDS !== '1')
    throw new OnwardError(
      'given-sockets',
      `Who started Onward handed it ${LISTEN_FDS} sockets (LISTEN_FDS); it takes the one that clients come to.`,
    )
  return { fd: firstFd, unit: LISTEN_FDNAMES?.endsWith('.socket') ? LISTEN_FDNAMES : null }
}

/** Clients that came while the engine before this one answered its last requests. */
export interface HeldConnections extends Disposable {
  /** Stops listening; the next listener at this address serves the held connections. */
  release(): readonly Socket[]
}

/** More would wait for nothing but their own time-outs. */
const most = 1_000

/**
 * Takes connections at an address that is not served yet and reads nothing of them: agents wait a moment, where a
 * refusal would have some of them wait half a minute before they try again. Returns null if the address is taken.
 */
export function holdConnections({ host, port }: { host: string; port: number }): Promise<HeldConnections | null> {
  const sockets = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    if (sockets.size >= most) return void socket.destroy()
    sockets.add(socket)
    socket.on('error', () => sockets.delete(socket))
    socket.once('close', () => sockets.delete(socket))
  })
  return new Promise((resolve) => {
    server.once('error', () => resolve(null))
    server.listen({ host, port, backlog: 1024 }, () =>
      resolve({
        release() {
          server.close()
          const waiting = Array.from(sockets)
          sockets.clear()
          return waiting
        },
        dispose() {
          server.close()
          for (const socket of sockets) socket.destroy()
        },
      }),
    )
  })
}
