import { afterEach, describe, expect, it } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../../engine/base/log.ts'
import { virtualClock } from '../../engine/base/testing/virtual-clock.ts'
import { socketPath } from '../notifications/bus-address.ts'
import { nameHasOwner } from '../notifications/dbus.ts'
import { joinBus, noBus, startBus } from '../testing/session-bus.ts'
import { isTrayShown, trayState, trayWithinMs, waitForTray } from './tray-presence.ts'
import { unless } from '../../../shared/testing/unless.ts'

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

describe(`on a real session bus${noBus ? ` (${noBus})` : ''}`, unless(noBus), () => {
  async function realBus(): Promise<string> {
    const { address, stop } = await startBus()
    cleanUp.push(stop)
    return address
  }

  it('a name nobody owns is not there, the bus’s own is', async () => {
    const address = await realBus()
    expect(await nameHasOwner(address, 'org.kde.StatusNotifierWatcher')).toBe(false)
    expect(await nameHasOwner(address, 'org.freedesktop.DBus')).toBe(true)
  })

  it('a desktop without a watcher shows no tray, and does from the moment one comes', async () => {
    const address = await realBus()
    expect(await ask({ DBUS_SESSION_BUS_ADDRESS: address })).toBe(false)
    const panel = await joinBus(address, 'org.kde.StatusNotifierWatcher')
    cleanUp.push(() => panel.connection.stream.destroy())
    expect(await ask({ DBUS_SESSION_BUS_ADDRESS: address })).toBe(true)
  })
})

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
