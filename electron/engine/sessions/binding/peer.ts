import { inBatches } from '../../store/in-batches.ts'
import { createPeerTable, type ConnectionEnds, type FoundSocket } from './peer-table.ts'
import type { ProcFiles } from './proc-files.ts'

/** The process at the other end of a connection on this machine. */
export interface Peer {
  pid: number
  uid: number
  /** `/dev/pts/3`; null without a controlling terminal */
  tty: string | null
  cwd: string | null
  /** the process that leads its session: of a terminal, the first one in it; null: it has ended */
  session: number | null
  /** in the kernel's ticks, so that its pid is told from the same one given again */
  startedAt: number | null
}

export interface PeerFinder {
  /** Exactly one process group on one terminal, or null. */
  find(ends: ConnectionEnds): Promise<Peer | null>
  /**
   * The user at the other end, without looking for the process. `gone`: it was closed. null: the system does not tell.
   */
  userOf(ends: ConnectionEnds): Promise<number | 'gone' | null>
}

/**
 * Follows a connection on this machine to its process (Linux, proc(5)): socket table -> inode -> descriptor of a
 * process.
 */
export function createPeerFinder({ proc }: { proc: ProcFiles }): PeerFinder {
  /** clients seen before are looked at first: their next connection costs two reads instead of a scan */
  let known: readonly number[] = []
  const lookUp = createPeerTable(proc)
  /** of a connection that lasts the table is read once, whoever asks */
  const seen = new WeakMap<ConnectionEnds, Exclude<FoundSocket, 'gone' | null>>()

  const socketOf = async (ends: ConnectionEnds): Promise<FoundSocket> => {
    const before = seen.get(ends)
    if (before) return before
    const socket = await lookUp(ends)
    if (socket && socket !== 'gone') seen.set(ends, socket)
    return socket
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
    async userOf(ends) {
      const socket = await socketOf(ends)
      return socket === 'gone' ? 'gone' : (socket?.uid ?? null)
    },
    async find(ends) {
      const socket = await socketOf(ends)
      if (!socket || socket === 'gone') return null
      let pids = await holders(known, socket.inode)
      if (pids.length === 0)
        pids = await holders((await proc.list('/proc')).filter((name) => /^\d+$/.test(name)).map(Number), socket.inode)
      const peers = await Promise.all(pids.map((pid) => describe(proc, pid, socket.uid)))
      // A child holds the descriptor from its fork to its exec: it may have left the terminal, or have ended by now.
      const inTerminal = peers.filter(({ tty }) => tty !== null)
      const peer = inTerminal[0] ?? peers[0]
      if (!peer || new Set(inTerminal.map(({ tty }) => tty)).size > 1) return null
      known = [...new Set([peer.pid, ...known])].slice(0, 32)
      return peer
    },
  }
}

async function describe(proc: ProcFiles, pid: number, uid: number): Promise<Peer> {
  const stat = await proc.read(`/proc/${pid}/stat`)
  return {
    pid,
    uid,
    tty: stat === null ? null : ttyFromStat(stat),
    cwd: await proc.link(`/proc/${pid}/cwd`),
    session: stat === null ? null : fieldOf(stat, 6),
    startedAt: stat === null ? null : fieldOf(stat, 22),
  }
}

/** A field of `stat` by its number in proc_pid_stat(5); the second one, a name, may hold anything. */
const fieldOf = (stat: string, number: number): number =>
  Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[number - 3])

/** Field 7, tty_nr: minor in bits 31-20 and 7-0, major in 15-8; Unix98 PTYs have majors 136-143 (proc_pid_stat(5)). */
export function ttyFromStat(stat: string): string | null {
  const number = fieldOf(stat, 7)
  if (!Number.isInteger(number) || number === 0) return null
  const major = (number >> 8) & 0xff
  const minor = (number & 0xff) | ((number >> 12) & 0xfff00)
  if (major < 136 || major > 143) return null
  return `/dev/pts/${(major - 136) * 256 + minor}`
}
