import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import type { ConnectionEnds } from '../../sessions/binding/peer-table.ts'
import type { Peer, PeerFinder } from '../../sessions/binding/peer.ts'
import { connectionPeers } from './connection-peer.ts'

const server = createServer()
let client: Socket
let socket: Socket

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const arrived = new Promise<Socket>((resolve) => server.once('connection', resolve))
  client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket = await arrived
})
afterEach(() => {
  client.destroy()
  socket.destroy()
  server.close()
})

const peer: Peer = { pid: 7, uid: 1000, tty: '/dev/pts/1', cwd: null, session: 20, startedAt: 1 }
function finder(answer: { uid?: number | 'gone' | null; peer?: Peer | null } = {}) {
  const asked: ConnectionEnds[] = []
  const one: PeerFinder = {
    async userOf(ends) {
      asked.push(ends)
      return answer.uid ?? null
    },
    async find(ends) {
      asked.push(ends)
      return answer.peer ?? null
    },
  }
  return { one, asked, answer }
}

describe('who is at the other end of a connection', () => {
  it.each<[number | 'gone' | null, string]>([
    [1000, 'own'],
    ['gone', 'gone'],
    [65534, 'other'],
    [0, 'other'],
    [null, 'untold'],
  ])('user %s is %s to user 1000', async (uid, said) => {
    const { one, asked } = finder({ uid })
    const peers = connectionPeers(one, 1000, virtualClock())
    expect(await peers.userOf(socket)).toBe(said)
    expect(asked).toEqual([
      {
        clientAddress: '127.0.0.1',
        clientPort: socket.remotePort,
        serverAddress: '127.0.0.1',
        serverPort: (server.address() as AddressInfo).port,
      },
    ])
  })

  it('is asked for once, and known at once from then on', async () => {
    const { one, asked } = finder({ uid: 1000 })
    const peers = connectionPeers(one, 1000, virtualClock())
    await Promise.all([peers.userOf(socket), peers.userOf(socket)])
    expect(peers.userOf(socket)).toBe('own')
    expect(asked).toHaveLength(1)
  })

  it('is untold where the system can not be asked', async () => {
    expect(await connectionPeers(null, 1000, virtualClock()).userOf(socket)).toBe('untold')
    expect(await connectionPeers(finder({ uid: 1000 }).one, null, virtualClock()).userOf(socket)).toBe('untold')
  })

  it('is unread where the system could not be asked, which is asked again', async () => {
    const answers = [() => Promise.reject(new Error('too many open files')), async () => 1000]
    const broken: PeerFinder = { userOf: () => answers.shift()?.() ?? Promise.resolve(null), find: async () => null }
    const peers = connectionPeers(broken, 1000, virtualClock())
    expect(await peers.userOf(socket)).toBe('unread')
    expect(await peers.userOf(socket)).toBe('own')
  })

  it('is a process that is looked for once, and after a while again where it was not found', async () => {
    const clock = virtualClock()
    const found = finder({ peer: null })
    const peers = connectionPeers(found.one, 1000, clock)
    expect(await peers.processOf(socket)).toBeNull()
    found.answer.peer = peer
    expect(await peers.processOf(socket)).toBeNull()
    await clock.advance(5_000)
    expect(await peers.processOf(socket)).toEqual(peer)
    found.answer.peer = null
    expect(await peers.processOf(socket)).toEqual(peer)
    expect(found.asked).toHaveLength(2)
  })
})
