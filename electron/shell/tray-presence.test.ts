import { afterEach, describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../engine/base/log.ts'
import { virtualClock } from '../engine/base/testing/virtual-clock.ts'
import { encodeCall, firstMessage } from './dbus-message.ts'
import { nameHasOwner, socketPath } from './session-bus.ts'
import { isTrayShown, trayState, trayWithinMs, waitForTray } from './tray-presence.ts'
import { runs } from '../../shared/testing/runs.ts'
import { unless } from '../../shared/testing/unless.ts'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean()
})

const uid = process.getuid?.() ?? 0
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'onward-bus-'))
  cleanUp.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}
const ask = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
  isTrayShown({ platform, env, uid, log: silentLog })

/** A bus that says what a test wants it to say. */
async function scriptedBus(onData: (socket: Socket, data: Buffer) => void): Promise<string> {
  const path = join(folder(), 'bus')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (data) => onData(socket, data))
  })
  await new Promise<void>((done) => server.listen(path, done))
  cleanUp.push(() => {
    for (const s of sockets) s.destroy()
    return new Promise((done) => server.close(done))
  })
  return `unix:path=${path}`
}

const noBus =
  process.platform !== 'linux'
    ? 'not Linux'
    : spawnSync('dbus-daemon', ['--version']).status === 0
      ? null
      : 'no dbus-daemon here'

describe(`on a real session bus${noBus ? ` (${noBus})` : ''}`, unless(noBus), () => {
  async function realBus(): Promise<string> {
    const daemon = spawn(
      'dbus-daemon',
      ['--session', '--nofork', '--print-address=1', `--address=unix:path=${join(folder(), 'bus')}`],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    const gone = new Promise((done) => daemon.once('exit', done))
    cleanUp.push(() => {
      daemon.kill()
      return gone
    })
    return new Promise((resolve) => daemon.stdout.once('data', (data: Buffer) => resolve(data.toString().trim())))
  }

  it('a name nobody owns is not there, the bus’s own is', async () => {
    const address = await realBus()
    expect(await nameHasOwner(address, uid, 'org.kde.StatusNotifierWatcher')).toBe(false)
    expect(await nameHasOwner(address, uid, 'org.freedesktop.DBus')).toBe(true)
  })

  it('a desktop without a watcher shows no tray, and does from the moment one comes', async () => {
    const address = await realBus()
    expect(await ask({ DBUS_SESSION_BUS_ADDRESS: address })).toBe(false)
    const panel = createConnection(socketPath(address) ?? '')
    cleanUp.push(() => panel.destroy())
    const owned = new Promise<void>((done) => {
      panel.on('data', () => {
        if (panel.bytesRead > 300) done()
      })
    })
    panel.write(`\0AUTH EXTERNAL ${Buffer.from(String(uid)).toString('hex')}\r\nBEGIN\r\n`)
    const bus = {
      destination: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
    }
    panel.write(encodeCall({ ...bus, serial: 1, member: 'Hello', args: [] }))
    // RequestName(name, flags): two words of the wire more than our question needs, so it is written by hand
    panel.write(requestName('org.kde.StatusNotifierWatcher'))
    await owned
    expect(await ask({ DBUS_SESSION_BUS_ADDRESS: address })).toBe(true)
  })
})

/** `NameHasOwner` has the signature `s`, `RequestName` `su`: the same call with one number behind the text. */
function requestName(name: string): Buffer {
  const call = encodeCall({
    destination: 'org.freedesktop.DBus',
    path: '/org/freedesktop/DBus',
    interface: 'org.freedesktop.DBus',
    serial: 2,
    member: 'RequestName',
    args: [name, ''],
  })
  const text = Buffer.from(`${name}\0`)
  const pad = (4 - ((4 + text.length) % 4)) % 4
  const body = 4 + text.length + pad + 4
  const bytes = Buffer.from(call)
  bytes.writeUInt32LE(body, 4)
  const signature = bytes.lastIndexOf('ss\0')
  bytes.write('su', signature, 'latin1')
  // the second text is a length of zero and its zero byte: the length stands where the number belongs
  return bytes.subarray(0, bytes.length - 1)
}

describe('asking for a tray', () => {
  it.each([
    ['the person says there is one', { ONWARD_TRAY: '1' }, 'linux', true],
    ['the person says there is none', { ONWARD_TRAY: '0' }, 'darwin', false],
    ['macOS always has one', {}, 'darwin', true],
    ['Windows always has one', {}, 'win32', true],
    ['a bus that is not there', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' }, 'linux', false],
    ['a bus over the network is not asked', { DBUS_SESSION_BUS_ADDRESS: 'tcp:host=127.0.0.1,port=1' }, 'linux', false],
  ] as const)('%s', async (_what, env, platform, shown) => {
    expect(await ask(env, platform)).toBe(shown)
  })

  it.each([
    [
      'refuses us',
      (s: Socket) => {
        s.write('REJECTED EXTERNAL\r\n')
      },
    ],
    [
      'hangs up',
      (s: Socket) => {
        s.end()
      },
    ],
    [
      'talks nonsense',
      (s: Socket) => {
        s.write(`OK 1234\r\n${'x'.repeat(64)}`)
      },
    ],
    [
      'sends a message without an end',
      (s: Socket) => {
        s.write(
          Buffer.concat([
            Buffer.from('OK 1234\r\n'),
            Buffer.from([108, 2, 0, 1, 255, 255, 255, 255, 1, 0, 0, 0, 0, 0, 0, 0]),
          ]),
        )
      },
    ],
    [
      'answers with an error',
      (s: Socket) => {
        s.write(
          Buffer.concat([Buffer.from('OK 1234\r\n'), Buffer.from([108, 3, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])]),
        )
      },
    ],
  ])('a bus that %s counts as none', async (_what, answer) => {
    const address = await scriptedBus((socket) => answer(socket))
    expect(await ask({ DBUS_SESSION_BUS_ADDRESS: address })).toBe(false)
  })

  it('a bus that says nothing counts as none, in bounded time', async () => {
    const address = await scriptedBus(() => undefined)
    expect(await ask({ DBUS_SESSION_BUS_ADDRESS: address })).toBe(false)
  })
})

describe('what is said of a missing tray', () => {
  it.each([
    [true, 'GNOME', 'shown'],
    [false, 'ubuntu:GNOME', 'none-on-gnome'],
    [false, 'KDE', 'none'],
    [false, undefined, 'none'],
  ] as const)('shown %s on %s: %s', (shown, desktop, state) => {
    expect(trayState(shown, desktop === undefined ? {} : { XDG_CURRENT_DESKTOP: desktop })).toBe(state)
  })
})

describe('a hidden start', () => {
  it.each([
    [0, true],
    [3_000, true],
    [trayWithinMs, false],
  ])('that sees a tray after %i ms is found: %s', async (afterMs, found) => {
    const clock = virtualClock()
    const begin = clock.now()
    const result = waitForTray(clock, async () => clock.now() - begin >= afterMs)
    await clock.advance(trayWithinMs)
    expect(await result).toBe(found)
  })
})

describe('bus addresses', () => {
  it.each([
    ['unix:path=/run/user/1000/bus', '/run/user/1000/bus'],
    ['unix:path=/tmp/a%20b,guid=12', '/tmp/a b'],
    ['unix:abstract=/tmp/dbus-x,guid=12', '\0/tmp/dbus-x'],
    ['tcp:host=x;unix:path=/b', '/b'],
    ['unix:runtime=yes', null],
    ['', null],
  ])('%s', (address, path) => {
    expect(socketPath(address)).toBe(path)
  })
})

describe('messages', () => {
  it('are read however they are cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 40 }).filter((s) => !s.includes('\0')),
        fc.nat(),
        (name, cut) => {
          const bytes = encodeCall({
            serial: 7,
            destination: 'a.b',
            path: '/a',
            interface: 'a.b',
            member: name,
            args: [name],
          })
          const at = cut % bytes.length
          expect(firstMessage(bytes.subarray(0, at))).toBeNull()
          expect(firstMessage(Buffer.concat([bytes, Buffer.from('rest')]))).toMatchObject({
            kind: 'call',
            replyTo: null,
            size: bytes.length,
          })
        },
      ),
      runs(100),
    )
  })

  it('of any bytes are refused or understood, never read past their end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          const message = firstMessage(Buffer.from(bytes))
          expect(message === null || message.size <= bytes.length).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }),
      runs(100),
    )
  })
})
