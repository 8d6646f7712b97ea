import { askedTogether } from '../../base/asked-together.ts'
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
  /** the process that leads its session, the first one in a terminal; null: it has ended */
  session: number | null
  /** in the kernel's ticks; distinguishes it from a later process with the same pid */
  startedAt: number | null
}

export interface PeerFinder {
  /** Finds exactly one process group on one terminal, or null. */
  find(ends: ConnectionEnds): Promise<Peer | null>
  /**
   * The user at the other end, without looking for the process. `gone`: the connection was closed. null: the system
   * does not show it.
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
  /** for a connection that lasts the table is read only once */
  const seen = new WeakMap<ConnectionEnds, Exclude<FoundSocket, 'gone' | null>>()

  const socketOf = async (ends: ConnectionEnds): Promise<FoundSocket> => {
    const before = seen.get(ends)
    if (before) return before
    const socket = await lookUp(ends)
    if (socket && socket !== 'gone') seen.set(ends, socket)
    return socket
  }

  const walk = async (pids: readonly number[], inodes: readonly string[]): Promise<Map<string, number[]>> => {
    const held = new Map(inodes.map((inode) => [`socket:[${inode}]`, [] as number[]]))
    await inBatches(pids, async (pid) => {
      const left = new Set(held.keys())
      for (const fd of await proc.list(`/proc/${pid}/fd`)) {
        if (left.size === 0) return
        const link = (await proc.link(`/proc/${pid}/fd/${fd}`)) ?? ''
        if (left.delete(link)) held.get(link)?.push(pid)
      }
    })
    return held
  }
  /** After a restart every client connects at once: one walk finds them all. */
  const holders = askedTogether(async (inodes: readonly string[]) => {
    const held = await walk(known, inodes)
    const strange = inodes.filter((inode) => held.get(`socket:[${inode}]`)?.length === 0)
    const all = strange.length > 0 ? (await proc.list('/proc')).filter((name) => /^\d+$/.test(name)).map(Number) : []
    const elsewhere = await walk(all, strange)
    const pids = inodes.map((inode) => elsewhere.get(`socket:[${inode}]`) ?? held.get(`socket:[${inode}]`) ?? [])
    known = [...new Set([...pids.flat(), ...known])].slice(0, 32)
    return pids
  })

  return {
    async userOf(ends) {
      const socket = await socketOf(ends)
      return socket === 'gone' ? 'gone' : (socket?.uid ?? null)
    },
    async find(ends) {
      const socket = await socketOf(ends)
      if (!socket || socket === 'gone') return null
      const pids = await holders(socket.inode)
      const peers = await Promise.all(pids.map((pid) => describe(proc, pid, socket.uid)))
      // A child holds the descriptor from its fork to its exec: it may have left the terminal, or have ended by now.
      const inTerminal = peers.filter(({ tty }) => tty !== null)
      const peer = inTerminal[0] ?? peers[0]
      return peer && new Set(inTerminal.map(({ tty }) => tty)).size <= 1 ? peer : null
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

/** Returns a field of `stat` by its number in proc_pid_stat(5); the second one, a name, may hold anything. */
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
