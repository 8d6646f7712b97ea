import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createPeerFinder, socketsIn, ttyFromStat } from './peer.ts'
import { systemProcFiles, type ProcFiles } from './proc-files.ts'
import { notOnLinux, unless } from '../../../shared/testing/unless.ts'

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
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0000000000000000 20 4 30 10 -1\n`
// port 40000 is 9C40, 5520 is 1590
const table =
  header +
  line('0100007F:1590', '00000000:0000', '0A', 1000, 11) +
  line('0100007F:1590', '0100007F:9C40', '01', 1000, 12) +
  line('0100007F:9C40', '0100007F:1590', '01', 1000, 13)

const stat = (pid: number, tty: number, name = 'node') => `${pid} (${name}) S 1 ${pid} ${pid} ${tty} ${pid} 4194304 1 0`
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
    async read(path) {
      if (path === '/proc/net/tcp') return tcp
      if (path === '/proc/net/tcp6') return tcp6
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
  const serverPort = () => 5520

  it('follows a connection to the process and its terminal', async () => {
    const proc = fakeProc({
      10: { tty: pts(1), fds: ['socket:[99]'] },
      20: { tty: pts(3), fds: ['/dev/null', 'socket:[13]'] },
    })
    const peers = createPeerFinder({ proc, serverPort })
    expect(await peers.find(40000)).toEqual({ pid: 20, uid: 1000, tty: '/dev/pts/3', cwd: '/src' })
    expect(await peers.userOf(40000)).toBe(1000)
    proc.links.length = 0
    await peers.find(40000)
    expect(proc.links.some((path) => path.startsWith('/proc/10/'))).toBe(false)
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
        table,
        header + line('0000000000000000FFFF00000100007F:9C40', '0000000000000000FFFF00000100007F:1590', '01', 1000, 14),
      ),
    ],
    [
      'it is closing',
      fakeProc(
        { 10: { tty: pts(1), fds: ['socket:[13]'] } },
        header + line('0100007F:9C40', '0100007F:1590', '06', 1000, 13),
      ),
    ],
    ['there is no table', fakeProc({ 10: { tty: pts(1), fds: ['socket:[13]'] } }, '', '')],
  ])('finds none when %s', async (_, proc) => {
    expect(await createPeerFinder({ proc, serverPort }).find(40000)).toBeNull()
  })

  it('takes a descriptor that a child inherited for one peer', async () => {
    const proc = fakeProc({ 10: { tty: pts(1), fds: ['socket:[13]'] }, 20: { tty: pts(1), fds: ['socket:[13]'] } })
    expect(await createPeerFinder({ proc, serverPort }).find(40000)).toMatchObject({ tty: '/dev/pts/1' })
  })

  it('finds a client over IPv6 loopback', async () => {
    const tcp6 =
      header + line('00000000000000000000000001000000:9C40', '00000000000000000000000001000000:1590', '01', 1000, 13)
    expect(
      await createPeerFinder({
        proc: fakeProc({ 10: { tty: 0, fds: ['socket:[13]'] } }, header, tcp6),
        serverPort,
      }).find(40000),
    ).toEqual({ pid: 10, uid: 1000, tty: null, cwd: '/src' })
  })

  it('finds a real process in a real PTY', unless(notOnLinux), async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const arrived = new Promise<number>((resolve) =>
      server.once('connection', (socket) => resolve(socket.remotePort ?? 0)),
    )
    const { spawn } = (await import(ptyModule)) as PtyModule
    const child = spawn(
      '/bin/sh',
      [
        '-c',
        `tty; exec "${process.execPath}" -e 'require("net").connect(${port}, "127.0.0.1"); setInterval(() => {}, 1000)'`,
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
      const peers = createPeerFinder({ proc: systemProcFiles(), serverPort: () => port })
      expect(await peers.find(await arrived)).toEqual({
        pid: child.pid,
        uid: process.getuid?.(),
        tty: await said,
        cwd: '/',
      })
    } finally {
      child.kill('SIGKILL')
      server.close()
    }
  })
})

describe('socketsIn', () => {
  it("reads the client's end only", () => {
    expect(socketsIn(table, 40000, 5520)).toEqual([{ inode: '13', uid: 1000 }])
    expect(socketsIn(table, 5520, 40000)).toEqual([{ inode: '12', uid: 1000 }])
    expect(socketsIn('rubbish\nmore rubbish', 1, 2)).toEqual([])
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
