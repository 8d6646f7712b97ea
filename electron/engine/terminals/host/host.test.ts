import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { homeId } from '../../../../shared/control/proof.ts'
import { proveToEngine, type PlainSocket } from '../../../../shared/control/prove-to-engine.ts'
import type { TerminalChunk } from '../../../../shared/state.ts'
import { disposables } from '../../base/disposable.ts'
import { silentLog } from '../../base/log.ts'
import { skippingClock } from '../../base/testing/skipping-clock.ts'
import { socketAt } from '../../base/network/own-socket.ts'
import { openPtyWith } from '../open-pty.ts'
import { readerFile, type ReaderFile } from '../testing/reader-pty.ts'
import type { TypeControl, TypeResult } from '../types.ts'
import { defaultTypingSettings } from '../typing/port.ts'
import { createHostHub, type HostHub } from './hub.ts'
import { hostPath, type AgentEnding, type HostTerminalFacts } from './messages.ts'
import { createHostSockets } from './sockets.ts'
import { stayConnected } from './stay-connected.ts'
import { createTerminalHost, type TerminalHost } from './terminal-host.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'

const clock = skippingClock()
const token = 'token-of-this-home-'.padEnd(43, '0')
const never: TypeControl = { requestArrived: new AbortController().signal, stop: new AbortController().signal }
const held = disposables()
afterEach(() => held.dispose())

interface EngineSide {
  hub: HostHub
  path: string
  announced: HostTerminalFacts[][]
  exited: [string, number | null][]
  late: { entryId: string; result: TypeResult }[]
  sizes: [string, number, number][]
  away: Set<string>
  endings: (AgentEnding | null)[]
  pasted: [string, string | null, number][]
  /** the connections break, as when the process is killed */
  die(): Promise<void>
}

/** The engine's end: a server on a socket of its own, announced in the home as the real one does it. */
async function startEngine(home: string): Promise<EngineSide> {
  const side = {
    announced: [] as HostTerminalFacts[][],
    exited: [] as [string, number | null][],
    late: [] as EngineSide['late'],
    sizes: [] as EngineSide['sizes'],
    pasted: [] as EngineSide['pasted'],
    away: new Set<string>(),
    endings: [] as (AgentEnding | null)[],
  }
  const hub = createHostHub({
    clock,
    log: silentLog,
    announced: (_hostId, _pid, terminals) => {
      side.announced.push([...terminals])
    },
    disconnected: () => undefined,
    away: side.away,
    exited: (terminalId, exitCode, ending) => {
      side.exited.push([terminalId, exitCode])
      side.endings.push(ending)
    },
    pasted: (...paste) => {
      side.pasted.push(paste)
    },
    sized: (...size) => {
      side.sizes.push(size)
    },
    lateOutcome: (_terminalId, entryId, result) => {
      side.late.push({ entryId, result })
    },
  })
  const sockets = createHostSockets({
    hub,
    keys: { keyOf: (id) => (id === homeId ? token : null) },
    log: silentLog,
    clock,
  })
  const server = createServer((_request, response) => response.end())
  server.on('upgrade', (request, socket, head) => {
    if (!sockets.handleUpgrade(request, socket, head)) socket.destroy()
  })
  const folder = join(home, 'run')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'engine.sock')
  rmSync(path, { force: true })
  await new Promise<void>((done) => {
    server.listen(path, done)
  })
  writeFileSync(join(home, 'control-token'), `${token}\n`, { mode: 0o600 })
  writeFileSync(
    join(home, 'engine.json'),
    JSON.stringify({ pid: process.pid, host: '127.0.0.1', port: 1, socket: path, startedAt: 1, version: '0' }),
  )
  const die = async () => {
    hub.dispose()
    sockets.dispose()
    await new Promise((done) => {
      server.close(done)
    })
  }
  held.add({
    dispose: () => {
      void die()
    },
  })
  return { hub, path, ...side, die }
}

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'onward-host-'))
  held.add({ dispose: () => rmSync(home, { recursive: true, force: true }) })
  return home
}

async function startHost(home: string): Promise<TerminalHost> {
  const openPty = await openPtyWith({ clock, log: silentLog })
  const host = createTerminalHost({
    hostId: 'h1',
    pid: process.pid,
    openPty,
    clock,
    log: silentLog,
    onCount: () => undefined,
  })
  held.add(host)
  held.add(stayConnected({ home, host, clock, log: silentLog }))
  return host
}

function newReader(...flags: string[]): ReaderFile {
  const file = readerFile(...flags)
  held.add({
    dispose: () => {
      if (file.pid() !== null) killQuietly(file.pid() ?? 0)
      file.remove()
    },
  })
  return file
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

async function open(engine: EngineSide, file: ReaderFile, terminalId = 't1'): Promise<void> {
  expect(await engine.hub.whenConnected('h1', 10_000)).toBe(true)
  await engine.hub.open('h1', {
    terminalId,
    client: 'codex',
    argv: file.argv,
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color' },
    cwd: file.folder,
    cols: 90,
    rows: 24,
  })
  await ready(engine, terminalId)
}
const ready = (engine: EngineSide, terminalId = 't1') =>
  waitFor('an idle terminal', async () => (await engine.hub.target(terminalId)?.read())?.kind === 'ready')

describe('terminals of a host', () => {
  it('are opened, looked at, typed into and closed by the engine', async () => {
    const home = newHome()
    const engine = await startEngine(home)
    const host = await startHost(home)
    const file = newReader()
    await open(engine, file)
    const target = engine.hub.target('t1')
    expect(await target?.type({ entryId: 'e1', text: 'go on', client: 'codex' }, never)).toEqual({
      kind: 'submitted',
      extraEnter: false,
    })
    expect(file.read()?.toString()).toBe('\u001b[200~go on\u001b[201~\r')
    expect(host.alive).toBe(1)
    engine.hub.close('t1')
    await waitFor('the end', () => engine.exited.length === 1)
    expect(engine.exited[0]?.[0]).toBe('t1')
    expect((await target?.read())?.kind).toBe('gone')
    expect(host.alive).toBe(0)
  })

  it('tell what a person pasted into them, before the program has it, and again to the next engine', async () => {
    const home = newHome()
    const engine = await startEngine(home)
    await startHost(home)
    const file = newReader()
    await open(engine, file)
    const page = 'A page says:\r<**sm:"evil"**>\rand more'
    engine.hub.write('t1', `\u001b[200~${page}\u001b[201~`)
    await waitFor('the paste', () => engine.pasted.length === 1)
    expect(engine.pasted[0]).toEqual(['t1', page, expect.any(Number)])
    await engine.die()
    const next = await startEngine(home)
    await waitFor('the paste again', () => next.pasted.length === 1)
    expect(next.pasted[0]).toEqual(['t1', page, expect.any(Number)])
    expect(engine.pasted).toHaveLength(1)
  })

  it('say why they can’t be opened', async () => {
    const home = newHome()
    const engine = await startEngine(home)
    await startHost(home)
    await engine.hub.whenConnected('h1', 10_000)
    const spec = {
      terminalId: 't1',
      client: 'other' as const,
      argv: ['/bin/true'],
      env: {},
      cwd: '/no/such/folder',
      cols: 80,
      rows: 24,
    }
    await expect(engine.hub.open('h1', spec)).rejects.toMatchObject({
      code: 'folder-not-found',
      message: 'There is no folder /no/such/folder.',
    })
    await expect(engine.hub.open('nobody', spec)).rejects.toThrow(/No terminal host/)
  })

  it('are started again by the engine, in their place and with their environment', async () => {
    const home = newHome()
    const engine = await startEngine(home)
    const host = await startHost(home)
    const script = join(home, 'codex')
    writeFileSync(script, '#!/bin/sh\necho "$OF_PERSON in $PWD: $*"\nexec sleep 600\n', { mode: 0o755 })
    expect(await engine.hub.whenConnected('h1', 10_000)).toBe(true)
    const env = { PATH: process.env.PATH ?? '', OF_PERSON: 'theirs' }
    const spec = { terminalId: 't1', client: 'codex' as const, argv: [script, '-m', 'x', 'fix'], env, cwd: home }
    const first = await engine.hub.open('h1', { ...spec, cols: 200, rows: 24 })
    let shown = ''
    const watching = new AbortController()
    const watch = (async () => {
      for await (const chunk of engine.hub.watch('t1', watching.signal)) if ('data' in chunk) shown += chunk.data
    })()
    await waitFor('its first words', () => shown.includes(`theirs in ${home}: -m x fix`))
    engine.away.add('t1')
    process.kill(first.pid, 'SIGKILL')
    await waitFor('its end', () => engine.exited.length === 1)
    expect(engine.endings).toEqual([{ signal: 'SIGKILL', asked: null, resumes: true }])
    expect(host.alive).toBe(0)
    const again = await engine.hub.restart('t1', 'its-conversation')
    expect(again.pid).not.toBe(first.pid)
    await waitFor('its next words', () => shown.includes(`theirs in ${home}: -m x resume its-conversation`))
    expect(host.hello().terminals).toMatchObject([{ terminalId: 't1', pid: again.pid, alive: true, cols: 200 }])
    // nothing is started beside one that lives
    expect(await engine.hub.restart('t1', 'its-conversation')).toEqual(again)
    engine.away.clear()
    engine.hub.close('t1')
    await watch
    expect(engine.endings.at(-1)).toMatchObject({ asked: 'told' })
  })

  it('are shown from a whole screen on, only while somebody watches', async () => {
    const home = newHome()
    const engine = await startEngine(home)
    await startHost(home)
    const file = newReader()
    await open(engine, file)
    const seen: TerminalChunk[] = []
    const watching = new AbortController()
    const watch = (async () => {
      for await (const chunk of engine.hub.watch('t1', watching.signal)) seen.push(chunk)
    })()
    await waitFor('the screen', () => seen.length > 0)
    expect(seen[0]).toMatchObject({ type: 'screen', cols: 90, rows: 24 })
    expect(seen[0]?.type === 'screen' && seen[0].data).toContain('0 submitted')
    engine.hub.write('t1', 'by hand\r')
    await waitFor('what it drew', () =>
      seen.some((chunk) => chunk.type === 'data' && chunk.data.includes('1 submitted')),
    )
    engine.hub.resize('t1', 100, 30)
    await waitFor('the new size', () => seen.some((chunk) => chunk.type === 'resize' && chunk.cols === 100))
    expect(engine.sizes).toEqual([
      ['t1', 90, 24],
      ['t1', 100, 30],
    ])
    watching.abort()
    await watch
    const count = seen.length
    engine.hub.write('t1', 'unseen\r')
    await waitFor('the line to be read', () => file.read()?.toString().includes('unseen\r') === true)
    await nextTurn()
    expect(seen).toHaveLength(count)
  })

  it('get no second reply to a query from a viewer’s own emulation', async () => {
    const home = newHome()
    const engine = await startEngine(home)
    await startHost(home)
    const file = newReader()
    await open(engine, file)
    engine.hub.write('t1', '\u001b[?62;4c\u001b[12;40Rx\u001b]11;rgb:0000/0000/0000\u001b\\')
    await waitFor('the letter', () => (file.read()?.length ?? 0) > 0)
    expect(file.read()?.toString()).toBe('x')
    // and the letter counts as the person's
    expect(await engine.hub.target('t1')?.read()).toMatchObject({ kind: 'hold', reason: { code: 'typing' } })
  })
})

describe('a host whose engine goes away', () => {
  it('finishes what was ordered, types it once, and tells the next engine', async () => {
    const home = newHome()
    const first = await startEngine(home)
    await startHost(home)
    const file = newReader()
    await open(first, file)
    const attempt = first.hub.target('t1')?.type({ entryId: 'e1', text: 'once', client: 'codex' }, never)
    await waitFor('the text', () => (file.read()?.length ?? 0) > 0)
    await first.die()
    expect(await attempt).toMatchObject({ kind: 'enter-owed', reason: { code: 'terminal-offline' } })
    await waitFor('Enter', () => file.read()?.toString() === '\u001b[200~once\u001b[201~\r')

    const second = await startEngine(home)
    await waitFor('the late outcome', () => second.late.length === 1)
    expect(second.late).toEqual([{ entryId: 'e1', result: { kind: 'submitted', extraEnter: false } }])
    expect(second.announced[0]).toMatchObject([{ terminalId: 't1', alive: true }])
    await ready(second)
    expect(await second.hub.target('t1')?.type({ entryId: 'e1', text: 'once', client: 'codex' }, never)).toMatchObject({
      kind: 'enter-owed',
    })
    expect(file.read()?.toString()).toBe('\u001b[200~once\u001b[201~\r')
  })

  it('presses Enter no second time without an engine that would hear of a request', async () => {
    const home = newHome()
    const first = await startEngine(home)
    const host = await startHost(home)
    const file = newReader('--swallow-enters', '9')
    await open(first, file)
    const attempt = first.hub.target('t1')?.type({ entryId: 'e1', text: 'once', client: 'codex' }, never)
    await waitFor('Enter', () => file.read()?.toString() === '\u001b[200~once\u001b[201~\r')
    await first.die()
    await attempt
    await waitFor('its screen', () => file.drawn() === file.read()?.length)
    clock.skip(defaultTypingSettings.patienceMs)
    await waitFor('the outcome', () => host.hello().outcomes.length === 1)
    expect(file.read()?.toString()).toBe('\u001b[200~once\u001b[201~\r')
    const second = await startEngine(home)
    await waitFor('the late outcome', () => second.late.length === 1)
    expect(second.late).toMatchObject([{ entryId: 'e1', result: { kind: 'enter-owed', entered: true } }])
    await waitFor('its receipt', () => host.hello().outcomes.length === 0)
  })

  it('keeps the program running and tells of its end later', async () => {
    const home = newHome()
    const first = await startEngine(home)
    await startHost(home)
    const file = newReader()
    await open(first, file)
    await first.die()
    expect(() => process.kill(file.pid() ?? 0, 0)).not.toThrow()
    process.kill(file.pid() ?? 0, 'SIGTERM')
    await waitFor('the end of the program', () => {
      try {
        process.kill(file.pid() ?? 0, 0)
        return false
      } catch {
        return true
      }
    })
    const second = await startEngine(home)
    await waitFor('the announcement', () => second.announced.length > 0)
    expect(second.announced[0]).toMatchObject([{ terminalId: 't1', alive: false, exitCode: 143 }])
  })
})

describe('who may talk to whom', () => {
  const dial = async (path: string, say: (socket: WebSocket) => Promise<void> | void) => {
    const socket = new (socketAt(path))(`ws://onward${hostPath}`)
    const closed = new Promise<number>((done) => {
      socket.on('close', done)
    })
    socket.on('open', () => void say(socket))
    held.add({ dispose: () => socket.terminate() })
    return closed
  }
  const proving = (message: string, key: string) => async (socket: WebSocket) => {
    await proveToEngine(socket as unknown as PlainSocket, { id: homeId, key }, hostPath)
    if (socket.readyState === socket.OPEN) socket.send(message)
  }
  const hello = (changes: object = {}) =>
    JSON.stringify({ type: 'hello', version: 1, hostId: 'x', pid: 1, terminals: [], outcomes: [], ...changes })

  it.each([
    ['a hello without a proof', (socket: WebSocket) => socket.send(hello()), 4401],
    ['a hello with the token in it', (socket: WebSocket) => socket.send(hello({ token })), 4401],
    ['no hello', proving('{"type":"reading"}', token), 4400],
    ['something that is not JSON', proving('{', token), 4400],
    ['another version', proving(hello({ version: 2 }), token), 4409],
  ])('%s is refused', async (_what, say, code) => {
    const engine = await startEngine(newHome())
    expect(await dial(engine.path, say)).toBe(code)
    expect(engine.hub.connected('x')).toBe(false)
  })

  it('what has proved nothing is cut behind 4 KB', async () => {
    const engine = await startEngine(newHome())
    for (const size of [5_000, 8_000_000])
      expect([1006, 4401]).toContain(await dial(engine.path, (socket) => socket.send('x'.repeat(size), { fin: false })))
  })

  it('a host survives whatever an engine sends', async () => {
    const home = newHome()
    const engine = await startEngine(home)
    const host = await startHost(home)
    const file = newReader()
    await open(engine, file)
    for (const text of [
      '',
      '{',
      '[]',
      '{"type":"open"}',
      '{"type":"resize","terminalId":"t1","cols":-1,"rows":0}',
      '{"type":"write","terminalId":"nope","data":"x"}',
      '{"type":"close"}',
    ])
      host.receive(text)
    expect(host.alive).toBe(1)
    expect((await engine.hub.target('t1')?.read())?.kind).toBe('ready')
  })
})
