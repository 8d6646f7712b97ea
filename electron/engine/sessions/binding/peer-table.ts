import { endianness } from 'node:os'
import ipaddr from 'ipaddr.js'
import { askedTogether } from '../../base/asked-together.ts'
import { ownShare } from '../../base/fair-share.ts'
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
