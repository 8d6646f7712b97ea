/** A socket that listens already, handed over by who started this process (sd_listen_fds(3)). */
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
