import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, it, afterEach, beforeEach } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import type { ConnectionEnds, Peer, PeerFinder } from '../../sessions/binding/peer.ts'
import {
  authenticate,
  refuseUser,
  type Proof,
  type CallingUser,
  refuseForeign,
  connectionPeers,
} from './authenticate.ts'

const terminalByKey = (key: string) => (key === 'term-key' ? 'term-1' : null)
const ask = (
  headers: Record<string, string>,
  {
    keys = ['local-key', 'other-key'],
    urlKey = null,
    remoteAddress = '127.0.0.1',
  }: { keys?: string[]; urlKey?: string | null; remoteAddress?: string } = {},
) => {
  const who = authenticate({ headers, urlKey, remoteAddress }, keys, terminalByKey)
  return who.ok ? who.caller : who.refusal.code
}
const terminal = { kind: 'terminal', terminalId: 'term-1' }
const local = { kind: 'local', suffix: null }

describe('a key', () => {
  it.each([
    ['authorization', 'Bearer local-key'],
    ['authorization', 'bearer  local-key'],
    ['x-api-key', 'local-key'],
    ['x-goog-api-key', 'other-key'],
    ['x-onward-key', 'other-key'],
  ])('counts in %s: %s', (name, value) => {
    expect(ask({ [name]: value })).toEqual(local)
  })

  it.each([
    ['authorization', 'Bearer term-key'],
    ['x-api-key', 'term-key'],
    ['x-onward-key', 'term-key'],
    ['x-api-key', 'term-key::rcc-session:work'],
  ])('of a terminal counts in %s: %s', (name, value) => {
    expect(ask({ [name]: value })).toEqual(terminal)
    expect(ask({ [name]: value }, { keys: [] })).toEqual(terminal)
  })

  it("counts in the URL, beside the client's own credential", () => {
    expect(ask({ authorization: 'Bearer vendor-token' }, { urlKey: 'term-key' })).toEqual(terminal)
    expect(ask({ authorization: 'Bearer vendor-token' }, { urlKey: 'local-key' })).toEqual(local)
    expect(ask({ 'x-api-key': 'vendor-key', 'x-onward-key': 'local-key' })).toEqual(local)
  })

  it("counts in the query, as Google's clients may send it", () => {
    expect(
      authenticate(
        { headers: {}, urlKey: null, queryKey: 'local-key', remoteAddress: '127.0.0.1' },
        ['local-key'],
        terminalByKey,
      ),
    ).toEqual({ ok: true, caller: local, proof: 'shared-key' })
    expect(
      authenticate(
        { headers: {}, urlKey: null, queryKey: 'term-key', remoteAddress: '127.0.0.1' },
        ['local-key'],
        terminalByKey,
      ),
    ).toEqual({ ok: true, caller: terminal, proof: 'terminal-key' })
    expect(
      authenticate(
        { headers: {}, urlKey: null, queryKey: 'wrong', remoteAddress: '127.0.0.1' },
        ['local-key'],
        terminalByKey,
      ),
    ).toMatchObject({ ok: false })
  })

  it('names its terminal also where another key is in order', () => {
    expect(ask({ 'x-onward-key': 'local-key', authorization: 'Bearer term-key' })).toEqual(terminal)
  })

  it.each([
    [{}, 'missing-key'],
    [{ authorization: 'Bearer wrong' }, 'bad-key'],
    [{ authorization: 'Basic local-key' }, 'missing-key'],
    [{ authorization: 'local-key' }, 'missing-key'],
    [{ 'x-api-key': 'local-ke' }, 'bad-key'],
    [{ 'x-api-key': 'local-kez' }, 'bad-key'],
    [{ 'x-onward-key': 'wrong', authorization: 'Bearer local-key' }, 'bad-key'],
  ])('is refused: %j', (headers: Record<string, string>, code) => {
    expect(ask(headers)).toBe(code)
  })

  it('keeps its suffixes', () => {
    expect(ask({ authorization: 'Bearer local-key::rcc-session:work::rcc-sessiond:d1' })).toEqual({
      kind: 'local',
      suffix: { tmuxSessionId: 'work', daemonId: 'd1' },
    })
    expect(ask({ 'x-onward-key': 'local-key', authorization: 'Bearer sk-vendor::rcc-session:work' })).toEqual({
      kind: 'local',
      suffix: { tmuxSessionId: 'work', daemonId: null },
    })
  })
})

describe('without server.keys', () => {
  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.8.8'])('a peer at %s needs none', (remoteAddress) => {
    expect(ask({}, { keys: [], remoteAddress })).toEqual(local)
    expect(ask({ 'x-api-key': 'whatever' }, { keys: [], remoteAddress })).toEqual(local)
    expect(ask({ authorization: 'Bearer x::rcc-session:work' }, { keys: [], remoteAddress })).toEqual({
      kind: 'local',
      suffix: { tmuxSessionId: 'work', daemonId: null },
    })
  })
  it.each(['192.168.1.9', '::ffff:10.0.0.1', 'fe80::1', undefined])('a peer at %s is refused', (remoteAddress) => {
    const who = authenticate({ headers: { 'x-api-key': 'x' }, urlKey: null, remoteAddress }, [], terminalByKey)
    expect(who).toMatchObject({ ok: false, refusal: { status: 401, code: 'keys-required' } })
  })
})

describe('what speaks for a caller', () => {
  const proofOf = (headers: Record<string, string>, keys: string[]) => {
    const who = authenticate({ headers, urlKey: null, remoteAddress: '127.0.0.1' }, keys, terminalByKey)
    return who.ok && who.proof
  }

  it('is its key, or its address alone', () => {
    expect(proofOf({}, [])).toBe('address')
    expect(proofOf({ 'x-api-key': "a vendor's" }, [])).toBe('address')
    expect(proofOf({ 'x-api-key': 'term-key' }, [])).toBe('terminal-key')
    expect(proofOf({ 'x-api-key': 'local-key' }, ['local-key'])).toBe('shared-key')
  })

  it.each<[CallingUser, Proof, string | null]>([
    ['own', 'address', null],
    ['other', 'address', 'other-user'],
    ['gone', 'address', 'key-needed'],
    ['untold', 'address', 'key-needed'],
    ['own', 'terminal-key', null],
    ['other', 'terminal-key', 'other-user'],
    ['gone', 'terminal-key', 'key-needed'],
    ['untold', 'terminal-key', null],
    ['other', 'shared-key', null],
    ['unread', 'address', 'user-unread'],
    ['unread', 'terminal-key', 'user-unread'],
    ['unread', 'shared-key', null],
  ])('a caller that is %s, by its %s: %s', (user, proof, code) => {
    expect(refuseUser(user, proof)?.code ?? null).toBe(code)
  })
})

const code = (host?: string, origin?: string, allowed: string[] = [], local = '127.0.0.1') =>
  refuseForeign(host, origin, local, allowed)?.code ?? null

describe('the Host header', () => {
  it.each(['127.0.0.1', '127.0.0.1:5520', 'localhost:5520', 'LOCALHOST', '127.1.2.3:80', '[::1]:5520', '[::1]'])(
    'lets %s in',
    (host) => {
      expect(code(host)).toBeNull()
    },
  )
  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:5520',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost:5520@evil.example',
    'local host',
    '192.168.1.5:5520',
    '[::2]:5520',
    'localhost:',
    'localhost:123456',
    'localhost:5520:5520',
    '2130706433',
    '0.0.0.0:5520',
    'evil.example, localhost',
  ])('refuses %s', (host) => {
    expect(code(host)).toBe('foreign-host')
  })
  it('lets the address in that the connection came in on, where the config binds it', () => {
    expect(code('192.168.1.5:5520', undefined, [], '192.168.1.5')).toBeNull()
    expect(code('192.168.1.5:5520', undefined, [], '::ffff:192.168.1.5')).toBeNull()
    expect(code('[fe80::1]:5520', undefined, [], 'fe80::1')).toBeNull()
    expect(code('192.168.1.6:5520', undefined, [], '192.168.1.5')).toBe('foreign-host')
  })
  it.each([
    ['host.docker.internal:5520', ['host.docker.internal'], null],
    ['Host.Docker.Internal', ['host.docker.internal'], null],
    ['box:5520', ['box:5520'], null],
    ['box:5521', ['box:5520'], 'foreign-host'],
    ['mybox', ['box'], 'foreign-host'],
  ])('%s with allowedHosts %j', (host, allowed, expected) => {
    expect(code(host, undefined, allowed)).toBe(expected)
  })
})

describe('the Origin header', () => {
  it.each([
    ['http://127.0.0.1:5520', '127.0.0.1:5520', null],
    ['http://localhost:5520', 'localhost:5520', null],
    ['HTTP://LocalHost:5520', 'localhost:5520', null],
    ['http://localhost:3000', 'localhost:5520', 'foreign-origin'],
    ['http://localhost:5520', '127.0.0.1:5520', 'foreign-origin'],
    ['https://evil.example', 'localhost:5520', 'foreign-origin'],
    ['null', 'localhost:5520', 'foreign-origin'],
    ['', 'localhost:5520', 'foreign-origin'],
    ['file://', 'localhost:5520', 'foreign-origin'],
    ['chrome-extension://abc', 'localhost:5520', 'foreign-origin'],
    ['http://localhost:5520.evil.example', 'localhost:5520', 'foreign-origin'],
    ['http://localhost:5520/', 'localhost:5520', 'foreign-origin'],
  ])('%s on %s', (origin, host, expected) => {
    expect(code(host, origin)).toBe(expected)
  })
  it('may be listed', () => {
    expect(code('localhost:5520', 'http://localhost:5173', ['localhost:5173'])).toBeNull()
    expect(code('localhost:5520', 'http://localhost:5174', ['localhost:5173'])).toBe('foreign-origin')
    expect(code('onward.example', 'https://onward.example', ['onward.example'])).toBeNull()
  })
})

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
