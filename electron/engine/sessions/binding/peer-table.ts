import { endianness } from 'node:os'
import ipaddr from 'ipaddr.js'
import type { ProcFiles } from './proc-files.ts'

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

/** `gone`: the system would name it, and does not: its owner has closed it. null: the system does not tell. */
export type FoundSocket = ClientSocket | 'gone' | null

/**
 * Looks for the client's end of connections on this machine in Linux's socket tables (proc_net(5)). A table is read
 * once for all who ask while it is waited for: reading it takes as long as it has rows.
 */
export function createPeerTable(proc: ProcFiles): (ends: ConnectionEnds) => Promise<FoundSocket> {
  const tables = { v4: nextReading(proc, '/proc/net/tcp'), v6: nextReading(proc, '/proc/net/tcp6') }
  const find = async (ends: ConnectionEnds): Promise<FoundSocket> => {
    const v4 = rowName(ends, 'v4')
    const inV4 = v4 && (await tables.v4())
    const found = v4 && inV4 ? inV4.get(v4) : null
    if (found) return found
    // a client may reach an IPv4 address through an IPv6 socket
    const inV6 = await tables.v6()
    return inV6?.get(rowName(ends, 'v6') ?? '') ?? (inV4 || inV6 ? 'gone' : null)
  }
  return async (ends) => {
    const found = await find(ends)
    // The kernel writes the table in pieces: a row moves past its reader when one before it goes.
    return found === 'gone' ? find(ends) : found
  }
}

/** A reading that begins after it is asked for, shared by all who ask until it does. */
function nextReading(proc: ProcFiles, path: string): () => Promise<Table | null> {
  let running: Promise<Table | null> | null = null
  let next: Promise<Table | null> | null = null
  const read = async () => {
    const text = await proc.read(path)
    return text ? socketsOf(text) : null
  }
  const begin = (): Promise<Table | null> => {
    next = null
    const reading = read().finally(() => {
      if (running === reading) running = null
    })
    running = reading
    return reading
  }
  return () => {
    if (running === null) return begin()
    next ??= running.then(begin, begin)
    return next
  }
}

/** Sockets that a process holds, by both their addresses; null where two sockets have the same. */
type Table = ReadonlyMap<string, ClientSocket | null>

function socketsOf(text: string): Table {
  const found = new Map<string, ClientSocket | null>()
  // sl, local, remote, state, queues, timer, retransmits, uid, timeout, inode
  const rows = /^ *\d+: (\S+ \S+) \S+ \S+ \S+ \S+ +(\d+) +\d+ (\d+)/gm
  for (const [, name = '', uid, inode = '0'] of text.matchAll(rows)) {
    // Of a closed one the table says inode 0 and user 0, whoever it was.
    if (inode === '0') continue
    const before = found.get(name)
    const isNew = before === undefined || before?.inode === inode
    found.set(name, isNew ? { inode, uid: Number(uid) } : null)
  }
  return found
}

/** The two addresses as the table writes them; null where the family has no such row. */
function rowName(ends: ConnectionEnds, family: 'v4' | 'v6'): string | null {
  const client = hexAddress(ends.clientAddress, family)
  const server = hexAddress(ends.serverAddress, family)
  return client && server ? `${client}:${hexPort(ends.clientPort)} ${server}:${hexPort(ends.serverPort)}` : null
}

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0')

/** Words of four bytes in the machine's own order (proc_net_tcp.txt of the kernel). */
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
