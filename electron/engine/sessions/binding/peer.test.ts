import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type ConnectionEnds, createPeerFinder, ttyFromStat, systemProcFiles, type ProcFiles } from './peer.ts'
import { settled } from '../../../../shared/testing/settled.ts'
import { notOnLinux, unless } from '../../../../shared/testing/unless.ts'

/** node-pty under its alias has no types of its own name; this is what the test needs of it */
interface PtyModule {
  spawn(
    file: string,
    args: string[],
    options: { cwd: string },
  ): { pid: number; onData(listener: (data: string) => void): void; kill(signal: string): void }
}
const ptyModule: string = 'node-pty'

const header = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
const line = (local: string, remote: string, state: string, uid: number, inode: number) =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 ` +
  `00000000  ${uid}        0 ${inode} 1 0000000000000000 20 4 30 10 -1\n`
// port 40000 is 9C40, 5520 is 1590
const table =
  header +
  line('0100007F:1590', '00000000:0000', '0A', 1000, 11) +
  line('0100007F:1590', '0100007F:9C40', '01', 1000, 12) +
  line('0100007F:9C40', '0100007F:1590', '01', 1000, 13)

const stat = (pid: number, tty: number, name = 'node') =>
  `${pid} (${name}) S 1 ${pid} ${pid} ${tty} ${pid} 4194304 ${'0 '.repeat(12)}77 0`
const ends = (more: Partial<ConnectionEnds> = {}): ConnectionEnds => ({
  clientAddress: '127.0.0.1',
  clientPort: 40000,
  serverAddress: '127.0.0.1',
  serverPort: 5520,
  ...more,
})
/** major 136, minor n */
const pts = (n: number) => (136 << 8) | (n & 0xff) | ((n >> 8) << 20)

/** A /proc of processes with their terminals and open descriptors. */
function fakeProc(
  processes: Record<number, { tty: number; fds: readonly string[] }>,
  tcp = table,
  tcp6 = header,
): ProcFiles & { readonly links: string[] } {
  const links: string[] = []
  const one = (path: string) => processes[Number(/^\/proc\/(\d+)\//.exec(path)?.[1])]
  return {
    links,
    async bytes(path) {
      return Buffer.from(path === '/proc/net/tcp' ? tcp : tcp6)
    },
    async read(path) {
      const pid = Number(/^\/proc\/(\d+)\/stat$/.exec(path)?.[1])
      return processes[pid] ? stat(pid, processes[pid].tty) : null
    },
    async list(path) {
      return path === '/proc'
        ? ['self', 'net', ...Object.keys(processes)]
        : (one(path)?.fds ?? []).map((_, i) => String(i))
    },
    async link(path) {
      links.push(path)
      return path.endsWith('/cwd') ? '/src' : (one(path)?.fds[Number(path.split('/').at(-1))] ?? null)
    },
  }
}

describe('createPeerFinder', () => {
  it('follows a connection to the process and its terminal', async () => {
    const proc = fakeProc({
      10: { tty: pts(1), fds: ['socket:[99]'] },
      20: { tty: pts(3), fds: ['/dev/null', 'socket:[13]'] },
    })
    const peers = createPeerFinder({ proc })
    expect(await peers.find(ends())).toEqual({
      pid: 20,
      uid: 1000,
      tty: '/dev/pts/3',
      cwd: '/src',
      session: 20,
      startedAt: 77,
    })
    expect(await peers.userOf(ends())).toBe(1000)
    proc.links.length = 0
    await peers.find(ends())
    expect(proc.links.some((path) => path.startsWith('/proc/10/'))).toBe(false)
  })

  it('finds all clients of one moment in one walk, and those known already without any', async () => {
    const clients = Array.from({ length: 64 }, (_, i) => i)
    const sockets = clients.map((i) =>
      line(`0100007F:${(40_000 + i).toString(16).toUpperCase()}`, '0100007F:1590', '01', 1000, 1_000 + i),
    )
    const proc = fakeProc(
      {
        10: { tty: pts(1), fds: Array<string>(50).fill('/dev/null') },
        20: { tty: pts(3), fds: clients.map((i) => `socket:[${1_000 + i}]`) },
        30: { tty: pts(4), fds: ['socket:[5]'] },
      },
      header + sockets.join(''),
    )
    const { find } = createPeerFinder({ proc })
    const all = () => Promise.all(clients.map((i) => find(ends({ clientPort: 40_000 + i }))))
    expect((await all()).map((peer) => peer?.pid)).toEqual(clients.map(() => 20))
    const looks = () => proc.links.filter((path) => path.includes('/fd/')).length
    expect(looks()).toBe(50 + 64 + 1)
    await all()
    expect(looks()).toBe(50 + 64 + 1 + 64)
  })

  it('reads the table once for a connection, whoever asks', async () => {
    const proc = fakeProc({ 20: { tty: pts(3), fds: ['socket:[13]'] } })
    let reads = 0
    const counted: ProcFiles = {
      ...proc,
      bytes: (path) => ((reads += path === '/proc/net/tcp' ? 1 : 0), proc.bytes(path)),
    }
    const [peers, connection] = [createPeerFinder({ proc: counted }), ends()]
    expect(await peers.userOf(connection)).toBe(1000)
    expect(await peers.find(connection)).toMatchObject({ pid: 20 })
    expect(reads).toBe(1)
    await peers.userOf(ends())
    expect(reads).toBe(2)
  })

  it.each<[string, ProcFiles]>([
    ['nobody holds the socket', fakeProc({ 10: { tty: pts(1), fds: [] } })],
    [
      'two terminals hold it',
      fakeProc({ 10: { tty: pts(1), fds: ['socket:[13]'] }, 20: { tty: pts(2), fds: ['socket:[13]'] } }),
    ],
    [
      'the table has it twice',
      fakeProc(
        { 10: { tty: pts(1), fds: ['socket:[13]'] } },
        table + line('0100007F:9C40', '0100007F:1590', '01', 1000, 14),
      ),
    ],
    [
      'its owner has closed it',
      fakeProc(
        { 10: { tty: pts(1), fds: ['socket:[0]'] } },
        header + line('0100007F:9C40', '0100007F:1590', '05', 0, 0),
      ),
    ],
    ['there is no table', fakeProc({ 10: { tty: pts(1), fds: ['socket:[13]'] } }, '', '')],
  ])('finds none when %s', async (_, proc) => {
    expect(await createPeerFinder({ proc }).find(ends())).toBeNull()
  })

  it('takes a descriptor that a child inherited for one peer', async () => {
    const proc = fakeProc({ 10: { tty: pts(1), fds: ['socket:[13]'] }, 20: { tty: pts(1), fds: ['socket:[13]'] } })
    expect(await createPeerFinder({ proc }).find(ends())).toMatchObject({ tty: '/dev/pts/1' })
  })

  it('takes a child that left the terminal, or ended meanwhile, for no terminal of its own', async () => {
    const holding = (tty: number) => ({ tty, fds: ['socket:[13]'] })
    const left = fakeProc({ 10: holding(0), 20: holding(pts(1)) })
    expect(await createPeerFinder({ proc: left }).find(ends())).toMatchObject({ pid: 20, tty: '/dev/pts/1' })
    const { read } = left
    const ended: ProcFiles = { ...left, read: async (path) => (path === '/proc/10/stat' ? null : read(path)) }
    expect(await createPeerFinder({ proc: ended }).find(ends())).toMatchObject({ pid: 20, tty: '/dev/pts/1' })
  })

  it('finds a client over IPv6 loopback', async () => {
    const tcp6 =
      header + line('00000000000000000000000001000000:9C40', '00000000000000000000000001000000:1590', '01', 1000, 13)
    const { find } = createPeerFinder({ proc: fakeProc({ 10: { tty: 0, fds: ['socket:[13]'] } }, header, tcp6) })
    expect(await find(ends({ clientAddress: '::1', serverAddress: '::1' }))).toMatchObject({
      pid: 10,
      uid: 1000,
      tty: null,
    })
    expect(await find(ends())).toBeNull()
  })

  it('finds a client that reaches an IPv4 address through an IPv6 socket', async () => {
    const mapped = '0000000000000000FFFF00000100007F'
    const proc = fakeProc({}, header, header + line(`${mapped}:9C40`, `${mapped}:1590`, '01', 65534, 13))
    const { userOf } = createPeerFinder({ proc })
    expect(await userOf(ends())).toBe(65534)
    expect(await userOf(ends({ clientAddress: '::ffff:127.0.0.1', serverAddress: '::ffff:127.0.0.1' }))).toBe(65534)
  })

  it('takes no other connection with the same ports for it', async () => {
    const proc = fakeProc({}, table + line('0200007F:9C40', '0100007F:1590', '01', 65534, 14))
    const { userOf } = createPeerFinder({ proc })
    expect(await userOf(ends())).toBe(1000)
    expect(await userOf(ends({ clientAddress: '127.0.0.2' }))).toBe(65534)
    expect(await userOf(ends({ clientAddress: '127.0.0.3' }))).toBe('gone')
    expect(await userOf(ends({ clientAddress: 'rubbish' }))).toBe('gone')
  })

  it('reads again where a row was passed over, and takes a row that was read twice for one', async () => {
    const texts = [header, table + line('0100007F:9C40', '0100007F:1590', '01', 1000, 13)]
    const found = fakeProc({ 10: { tty: pts(1), fds: ['socket:[13]'] } })
    const proc: ProcFiles = {
      ...found,
      bytes: async (path) => (path === '/proc/net/tcp' ? Buffer.from(texts.shift() ?? '') : found.bytes(path)),
    }
    expect(await createPeerFinder({ proc }).find(ends())).toMatchObject({ tty: '/dev/pts/1' })
    expect(texts).toEqual([])
  })

  it('makes no text of ten thousand foreign sockets', async () => {
    const foreign = Array.from({ length: 10_000 }, (_, i) =>
      line(`0100007F:${(10_000 + i).toString(16).toUpperCase()}`, '0100007F:1590', '01', 65534, 100 + i),
    )
    let read = 0
    const counted = (text: string) => {
      const bytes = Buffer.from(text)
      bytes.toString = (...how) => {
        const part = Buffer.prototype.toString.apply(bytes, how)
        read += part.length
        return part
      }
      return bytes
    }
    const own = line('0100007F:9C41', '0100007F:1590', '01', 1000, 13)
    const proc: ProcFiles = {
      ...fakeProc({}),
      bytes: async (path) => counted(path === '/proc/net/tcp' ? header + foreign.join('') + own : header),
    }
    const { userOf } = createPeerFinder({ proc })
    const all = await Promise.all([
      userOf(ends({ clientPort: 0x9c41 })),
      userOf(ends({ clientPort: 10_001 })),
      userOf(ends({ clientPort: 1 })),
    ])
    expect(all).toEqual([1000, 65534, 'gone'])
    expect(read).toBeLessThan(1_000)
  })

  it('is answered from a reading of its own where the last one failed', async () => {
    let fails = true
    const found = fakeProc({})
    const proc: ProcFiles = {
      ...found,
      bytes: (path) => (fails ? Promise.reject(new Error('too many open files')) : found.bytes(path)),
    }
    const { userOf } = createPeerFinder({ proc })
    await expect(Promise.all([userOf(ends()), userOf(ends())])).rejects.toThrow('too many open files')
    fails = false
    expect(await userOf(ends())).toBe(1000)
  })

  it('says nothing of a socket whose owner has closed it: the table names user 0 for it', async () => {
    const proc = fakeProc({}, header + line('0100007F:9C40', '0100007F:1590', '05', 0, 0))
    expect(await createPeerFinder({ proc }).userOf(ends())).toBe('gone')
    // and where there are no tables the system does not tell
    expect(await createPeerFinder({ proc: fakeProc({}, '', '') }).userOf(ends())).toBeNull()
  })

  it('reads a table once for all who ask while it is waited for, and never from before', async () => {
    const reads: (() => void)[] = []
    const proc: ProcFiles = {
      ...fakeProc({}),
      bytes: (path) =>
        new Promise((resolve) => reads.push(() => resolve(Buffer.from(path.endsWith('tcp') ? table : header)))),
    }
    const { userOf } = createPeerFinder({ proc })
    const first = userOf(ends())
    await settled()
    const others = Promise.all(Array.from({ length: 1_000 }, () => userOf(ends())))
    expect(reads).toHaveLength(1)
    reads[0]?.()
    await first
    await settled()
    expect(reads).toHaveLength(2)
    reads[1]?.()
    expect(new Set(await others)).toEqual(new Set([1000]))
    expect(reads).toHaveLength(2)
  })

  it('finds a real process in a real PTY', unless(notOnLinux), async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const arrived = new Promise<ConnectionEnds>((resolve) =>
      server.once('connection', (socket) => resolve(ends({ clientPort: socket.remotePort ?? 0, serverPort: port }))),
    )
    const { spawn } = (await import(ptyModule)) as PtyModule
    const child = spawn(
      '/bin/sh',
      [
        '-c',
        `tty; exec "${process.execPath}" -e 'require("net").connect(` +
          `${port}, "127.0.0.1"); setInterval(() => {}, 1000)'`,
      ],
      { cwd: '/' },
    )
    const said = new Promise<string>((resolve) => {
      let text = ''
      child.onData((data) => {
        text += data
        const tty = /\/dev\/pts\/\d+/.exec(text)
        if (tty) resolve(tty[0])
      })
    })
    try {
      const peers = createPeerFinder({ proc: systemProcFiles() })
      expect(await peers.find(await arrived)).toEqual({
        pid: child.pid,
        uid: process.getuid?.(),
        tty: await said,
        cwd: '/',
        // a PTY's first process leads its session
        session: child.pid,
        startedAt: expect.any(Number),
      })
    } finally {
      child.kill('SIGKILL')
      server.close()
    }
  })
})

describe('ttyFromStat', () => {
  it.each([
    [pts(0), '/dev/pts/0'],
    [pts(255), '/dev/pts/255'],
    [pts(256), '/dev/pts/256'],
    [(137 << 8) | 1, '/dev/pts/257'],
    [0, null],
    [(4 << 8) | 1, null],
  ])('reads tty_nr %i as %s', (number, tty) => {
    expect(ttyFromStat(stat(7, number, 'odd) S 1 (name'))).toBe(tty)
  })
})
