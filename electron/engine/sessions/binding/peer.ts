import { close, open, promises as fs, read } from 'node:fs'
import { endianness } from 'node:os'
import ipaddr from 'ipaddr.js'
import { systemCodeOf } from '../../base/errors.ts'
import { ownShare } from '../../base/work.ts'
import { inBatches } from '../../store/in-batches.ts'

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

/** Both ends of a connection, as the server's socket names them. */
export interface ConnectionEnds {
  clientAddress: string
  clientPort: number
  serverAddress: string
  serverPort: number
}

/** The client's socket: its user, and the inode by which a process holds it. */
export interface ClientSocket {
  inode: string
  uid: number
}

/** `gone`: the system would name it, and does not: its owner has closed it. null: the system does not show it. */
export type FoundSocket = ClientSocket | 'gone' | null

/**
 * Looks for the client's end of connections on this machine in Linux's socket tables (proc_net(5)). A table is read
 * once for all callers who wait for it: reading takes longer with each row, and anybody can add some.
 */
export function createPeerTable(proc: ProcFiles): (ends: ConnectionEnds) => Promise<FoundSocket> {
  const tables = { v4: openTable(proc, '/proc/net/tcp'), v6: openTable(proc, '/proc/net/tcp6') }
  const find = async (ends: ConnectionEnds): Promise<FoundSocket> => {
    const v4 = rowName(ends, 'v4')
    const inV4 = v4 ? await tables.v4(v4) : null
    if (inV4 && inV4 !== 'gone') return inV4
    // a client may reach an IPv4 address through an IPv6 socket
    return (await tables.v6(rowName(ends, 'v6') ?? '')) ?? inV4
  }
  return async (ends) => {
    const found = await find(ends)
    // The kernel writes the table in pieces: a row moves past its reader when one before it goes.
    return found === 'gone' ? find(ends) : found
  }
}

const openTable = (proc: ProcFiles, path: string): ((name: string) => Promise<FoundSocket>) =>
  askedTogether(async (names) => {
    const table = await proc.bytes(path)
    const found: FoundSocket[] = []
    for (const name of names) {
      await ownShare()
      found.push(table && table.length > 0 ? socketIn(table, name) : null)
    }
    return found
  })

/** The rest of a row, from its queues on: timer, retransmits, uid, timeout, inode. */
const restOfRow = /^\S+ \S+ \S+ \S+ +(\d+) +\d+ (\d+)/
/** bytes: of an inode's last digit at most */
const longestRest = 120

/** Searched in the bytes: a text or a list of ten thousand rows would take longer than all the rest of a call. */
function socketIn(table: Buffer, name: string): FoundSocket {
  const sought = Buffer.from(`: ${name} `, 'latin1')
  let found: ClientSocket | null = null
  for (let at = table.indexOf(sought); at >= 0; at = table.indexOf(sought, at + sought.length)) {
    const rest = at + sought.length
    const [, uid, inode = '0'] = restOfRow.exec(table.toString('latin1', rest, rest + longestRest)) ?? []
    // A closed socket has inode 0 and user 0 in the table, whatever they were before.
    if (inode === '0') continue
    // A row may be read twice; two sockets with the same addresses can't be told apart.
    if (found && found.inode !== inode) return 'gone'
    found = { inode, uid: Number(uid) }
  }
  return found ?? 'gone'
}

/** Returns the two addresses as the table writes them; null if the family has no such row. */
function rowName(ends: ConnectionEnds, family: 'v4' | 'v6'): string | null {
  const client = hexAddress(ends.clientAddress, family)
  const server = hexAddress(ends.serverAddress, family)
  return client && server ? `${client}:${hexPort(ends.clientPort)} ${server}:${hexPort(ends.serverPort)}` : null
}

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0')

/** Writes an address in words of four bytes in the machine's own order (proc_net_tcp.txt of the kernel). */
function hexAddress(text: string, family: 'v4' | 'v6'): string | null {
  if (!ipaddr.isValid(text)) return null
  const address = ipaddr.process(text)
  if (family === 'v4' && address.kind() !== 'ipv4') return null
  const plain = address.toByteArray()
  const bytes = family === 'v6' && plain.length === 4 ? [...Array<number>(10).fill(0), 0xff, 0xff, ...plain] : plain
  const words = Array.from({ length: bytes.length / 4 }, (_, i) => bytes.slice(4 * i, 4 * i + 4))
  return words
    .flatMap((word) => (endianness() === 'LE' ? word.toReversed() : word))
    .map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
    .join('')
}

/** Reads Linux's /proc. Null or empty if a process is gone or belongs to another user. */
export interface ProcFiles {
  read(path: string): Promise<string | null>
  /** of files that anybody can make long */
  bytes(path: string): Promise<Buffer | null>
  list(path: string): Promise<readonly string[]>
  link(path: string): Promise<string | null>
}

const hidden = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'EINVAL', 'ENOTDIR'])

const orHidden = async <T>(work: Promise<T>, nothing: T): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (hidden.has(systemCodeOf(error) ?? '')) return nothing
    throw error
  }
}

/** The kernel hands out a page at a time: with a promise for each, reading took twice as long. */
const readBytes = (path: string): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    open(path, 'r', (failed, fd) => {
      if (failed) return reject(failed)
      let bytes = Buffer.allocUnsafe(32 * 1024)
      let length = 0
      const more = () => {
        if (bytes.length - length < 8 * 1024) bytes = Buffer.concat([bytes], 2 * bytes.length)
        read(fd, bytes, length, bytes.length - length, null, (error, count) => {
          length += count
          if (!error && count > 0) return more()
          close(fd, () => (error ? reject(error) : resolve(bytes.subarray(0, length))))
        })
      }
      more()
    }),
  )

export const systemProcFiles = (): ProcFiles => ({
  read: (path) => orHidden<string | null>(fs.readFile(path, 'utf8'), null),
  bytes: (path) => orHidden<Buffer | null>(readBytes(path), null),
  list: (path) => orHidden<readonly string[]>(fs.readdir(path), []),
  link: (path) => orHidden<string | null>(fs.readlink(path), null),
})

/**
 * Makes one run of `answer` out of all questions that come in while the last run goes on. Each is answered by a run
 * that begins after it was asked; a run that fails fails for those whom it was to answer.
 */
function askedTogether<Question, Answer>(
  answer: (asked: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve()
  let next: { asked: Question[]; answers: Promise<readonly Answer[]> } | null = null
  return async (question) => {
    if (!next) {
      const asked: Question[] = []
      const answers = last.then(() => {
        next = null
        return answer(asked)
      })
      next = { asked, answers }
      last = answers.catch(() => {})
    }
    const place = next.asked.push(question) - 1
    return (await next.answers)[place] as Answer
  }
}
