import { inBatches } from '../store/in-batches.ts'
import type { ProcFiles } from './proc-files.ts'

/** The process at the other end of a loopback connection. */
export interface Peer {
  pid: number
  uid: number
  /** `/dev/pts/3`; null without a controlling terminal */
  tty: string | null
  cwd: string | null
}

export interface PeerFinder {
  /** Exactly one process group on one terminal, or null. */
  find(remotePort: number): Promise<Peer | null>
  /** The user at the other end, without looking for the process; null when unknown. */
  userOf(remotePort: number): Promise<number | null>
}

interface Socket {
  inode: string
  uid: number
}

/**
 * Follows a loopback connection to its process (Linux, proc(5)): socket table -> inode -> descriptor of a process.
 * @param serverPort the port this engine listens on
 */
export function createPeerFinder({ proc, serverPort }: { proc: ProcFiles; serverPort(): number }): PeerFinder {
  /** clients seen before are looked at first: their next connection costs two reads instead of a scan */
  let known: readonly number[] = []

  const socketOf = async (remotePort: number): Promise<Socket | null> => {
    const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((path) => proc.read(path)))
    const found = tables.flatMap((table) => socketsIn(table ?? '', remotePort, serverPort()))
    return found.length === 1 ? (found[0] ?? null) : null
  }

  const holders = async (pids: readonly number[], inode: string) => {
    const holds = await inBatches(pids, async (pid) => {
      for (const fd of await proc.list(`/proc/${pid}/fd`))
        if ((await proc.link(`/proc/${pid}/fd/${fd}`)) === `socket:[${inode}]`) return pid
      return null
    })
    return holds.filter((pid) => pid !== null)
  }

  return {
    async userOf(remotePort) {
      return (await socketOf(remotePort))?.uid ?? null
    },
    async find(remotePort) {
      const socket = await socketOf(remotePort)
      if (!socket) return null
      let pids = await holders(known, socket.inode)
      if (pids.length === 0)
        pids = await holders((await proc.list('/proc')).filter((name) => /^\d+$/.test(name)).map(Number), socket.inode)
      const peers = await Promise.all(pids.map((pid) => describe(proc, pid, socket.uid)))
      // a child may have inherited the descriptor: fine, as long as there is one terminal
      const [peer] = peers
      if (!peer || new Set(peers.map(({ tty }) => tty)).size > 1) return null
      known = [...new Set([peer.pid, ...known])].slice(0, 32)
      return peer
    },
  }
}

/** Sockets of the table whose local end is a client's port and whose remote end is ours, established (state 01). */
export function socketsIn(table: string, clientPort: number, serverPort: number): readonly Socket[] {
  const port = (n: number) => n.toString(16).toUpperCase().padStart(4, '0')
  return table
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local, remote, state, , , , uid, , inode] = line.trim().split(/\s+/)
      const ours = local?.endsWith(`:${port(clientPort)}`) && remote?.endsWith(`:${port(serverPort)}`) && state === '01'
      // inode 0: the owner has closed it
      return ours && uid && inode && inode !== '0' ? [{ inode, uid: Number(uid) }] : []
    })
}

async function describe(proc: ProcFiles, pid: number, uid: number): Promise<Peer> {
  const stat = await proc.read(`/proc/${pid}/stat`)
  return { pid, uid, tty: stat === null ? null : ttyFromStat(stat), cwd: await proc.link(`/proc/${pid}/cwd`) }
}

/** Field 7, tty_nr: minor in bits 31-20 and 7-0, major in 15-8; Unix98 PTYs have majors 136-143 (proc_pid_stat(5)). */
export function ttyFromStat(stat: string): string | null {
  const number = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4])
  if (!Number.isInteger(number) || number === 0) return null
  const major = (number >> 8) & 0xff
  const minor = (number & 0xff) | ((number >> 12) & 0xfff00)
  if (major < 136 || major > 143) return null
  return `/dev/pts/${(major - 136) * 256 + minor}`
}
