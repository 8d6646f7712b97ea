import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { waitFor } from '../../../shared/testing/wait-for.ts'
import { unless } from '../../../shared/testing/unless.ts'
import { disposables } from '../base/disposable.ts'
import { silentLog } from '../base/log.ts'
import { checkOwnSocket, isPipe, socketAt } from '../base/network/own-socket.ts'
import { systemRandom } from '../base/ids.ts'
import { listenOwnSocket, type OwnSocketOptions } from './listen-own-socket.ts'

const held = disposables()
afterEach(() => held.dispose())

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'onward-own-'))
  held.add({ dispose: () => rmSync(path, { recursive: true, force: true }) })
  return path
}

/** Echoes. */
async function listen(home: string, more: Partial<OwnSocketOptions> = {}) {
  const server = new WebSocketServer({ noServer: true })
  server.on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))))
  const own = await listenOwnSocket({
    home,
    env: {},
    random: systemRandom(),
    log: silentLog,
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (ws) => server.emit('connection', ws))
      return true
    },
    ...more,
  })
  held.add(own)
  return own
}

function echoed(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = new (socketAt(path))('ws://onward/control')
    held.add({ dispose: () => socket.terminate() })
    socket.on('open', () => socket.send('hello'))
    socket.on('message', (data) => resolve(String(data)))
    socket.on('error', reject)
  })
}

const noUsers = process.getuid?.() === 0 ? null : 'needs root to be another user'
const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups']

describe('the engine’s own socket', () => {
  it('is in a folder of the home that only its owner enters, whatever was there', async () => {
    const home = folder()
    mkdirSync(join(home, 'run'), { mode: 0o755 })
    chmodSync(join(home, 'run'), 0o755)
    const { path } = await listen(home)
    expect(path).toBe(join(home, 'run', 'engine.sock'))
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    await checkOwnSocket(path, home)
    expect(await echoed(path)).toBe('hello')
  })

  it('takes the place of one that a killed engine left, and leaves none', async () => {
    const home = folder()
    mkdirSync(join(home, 'run'), { mode: 0o700 })
    const path = join(home, 'run', 'engine.sock')
    const script =
      `require('net').createServer().listen(${JSON.stringify(path)}` + ", () => process.kill(process.pid, 'SIGKILL'))"
    spawnSync(process.execPath, ['-e', script])
    expect(existsSync(path)).toBe(true)
    await expect(echoed(path)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    const own = await listen(home)
    expect(await echoed(own.path)).toBe('hello')
    own.dispose()
    await waitFor('it is gone', () => !existsSync(path))
  })

  it.each(['with a space', 'mit ümläut und 中文', 'with:colon', 'with%20percent'])(
    'works in a home %s',
    async (name) => {
      const home = join(folder(), name)
      mkdirSync(home)
      const { path } = await listen(home)
      expect(path.startsWith(home)).toBe(true)
      expect(await echoed(path)).toBe('hello')
    },
  )

  it('of a home with too long a path is in a folder of its own elsewhere', async () => {
    const home = join(folder(), 'x'.repeat(120))
    mkdirSync(home)
    const temporary = folder()
    const { path } = await listen(home, { temporary })
    expect(dirname(dirname(path))).toBe(temporary)
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(107)
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    await checkOwnSocket(path, home)
    expect(await echoed(path)).toBe('hello')
  })

  it('prefers the folder that the system gives a user for this', async () => {
    const home = join(folder(), 'x'.repeat(120))
    mkdirSync(home)
    const runtime = folder()
    const { path } = await listen(home, { env: { XDG_RUNTIME_DIR: runtime } })
    expect(dirname(dirname(path))).toBe(runtime)
  })

  it('is never put into a folder that is a link, or a file', async () => {
    const home = folder()
    const other = folder()
    symlinkSync(other, join(home, 'run'))
    const temporary = folder()
    expect(dirname(dirname((await listen(home, { temporary })).path))).toBe(temporary)
    const another = folder()
    writeFileSync(join(another, 'run'), '')
    expect(dirname(dirname((await listen(another, { temporary })).path))).toBe(temporary)
    expect(existsSync(join(other, 'engine.sock'))).toBe(false)
  })

  it('says what is wrong where there is no place for it at all', async () => {
    const home = join(folder(), 'x'.repeat(120))
    mkdirSync(home)
    await expect(listen(home, { temporary: join(home, 'nowhere') })).rejects.toMatchObject({ code: 'socket-failed' })
  })

  it('is told from a pipe of Windows by its name', () => {
    expect(isPipe(String.raw`\\.\pipe\onward-x`)).toBe(true)
    expect(isPipe('/home/ada/.onward/run/engine.sock')).toBe(false)
  })
})

describe('another user', unless(noUsers), () => {
  it('can’t connect to it', async () => {
    const home = folder()
    chmodSync(home, 0o755)
    const { path } = await listen(home)
    const script =
      `const s = require('net').connect(${JSON.stringify(path)}, () => ` +
      "console.log('in')).on('error', (e) => console.log(e.code))"
    const said = execFileSync('setpriv', [...asNobody, process.execPath, '-e', script], { encoding: 'utf8' })
    expect(said.trim()).toBe('EACCES')
    expect(await echoed(path)).toBe('hello')
  })

  it('who made the folder in the temporary one first gets nothing', async () => {
    const home = join(folder(), 'x'.repeat(120))
    mkdirSync(home)
    const temporary = folder()
    chmodSync(temporary, 0o1777)
    const first = await listen(home, { temporary })
    first.dispose()
    rmSync(dirname(first.path), { recursive: true })
    execFileSync('setpriv', [...asNobody, 'mkdir', '-m', '700', dirname(first.path)])
    const { path } = await listen(home, { temporary })
    expect(dirname(path)).not.toBe(dirname(first.path))
    await checkOwnSocket(path, home)
    expect(await echoed(path)).toBe('hello')
  })

  it('whose folder a forged note names is not spoken to', async () => {
    const home = folder()
    const theirs = folder()
    execFileSync('chown', ['65534:65534', theirs])
    await expect(checkOwnSocket(join(theirs, 'engine.sock'), home)).rejects.toMatchObject({ code: 'socket-not-ours' })
    const open = folder()
    chmodSync(open, 0o777)
    const server = createServer().listen(join(open, 'engine.sock'))
    held.add({ dispose: () => server.close() })
    await expect(checkOwnSocket(join(open, 'engine.sock'), home)).rejects.toMatchObject({ code: 'socket-not-ours' })
  })
})
