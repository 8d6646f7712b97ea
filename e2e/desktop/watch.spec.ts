/** `npm run desktop:check` where there is no Electron: what it says is missing, and how it reads a real bus. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { joinBus, noBus, showsNotifications, startBus } from '../../electron/shell/testing/session-bus.ts'
import { findChromium } from '../support/chromium.cjs'
import { cleanEnv } from '../support/engine-process.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'
import { noDesktop, onlyDouble } from './support/desktop.ts'
import { clickMenu, desktopOn, openBus, standInPanel, trayOf } from './watch/bus.mjs'
import { missingFor } from './watch/missing.mjs'
import { reportOf } from './watch/report.mjs'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean()
})
const double = resolve(import.meta.dirname, '../support/electron-double/electron')

function watch(env: Record<string, string | undefined>, ...args: string[]) {
  return new Promise<{ code: number | null; out: string; err: string }>((done) => {
    const child = spawn(process.execPath, [resolve(import.meta.dirname, 'watch.mjs'), ...args], {
      env: { ...cleanEnv(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = { out: '', err: '' }
    child.stdout.on('data', (data: Buffer) => (said.out += data.toString()))
    child.stderr.on('data', (data: Buffer) => (said.err += data.toString()))
    child.once('close', (code) => done({ code, ...said }))
  })
}

describe('without what it looks with', () => {
  it('says what is missing, and ends with 2', async () => {
    const nothing = { ELECTRON_BIN: '', DISPLAY: '', WAYLAND_DISPLAY: '', DBUS_SESSION_BUS_ADDRESS: '' }
    const { code, out, err } = await watch(nothing)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^Missing:\n {2}Electron: ELECTRON_BIN=/)
  })

  it.each([
    [{}, 'linux', ['Electron', 'A display', 'A session bus']],
    [{}, 'darwin', ['Electron']],
    [{ ELECTRON_BIN: '/nonexistent', WAYLAND_DISPLAY: 'w', DBUS_SESSION_BUS_ADDRESS: 'u' }, 'linux', ['Electron']],
    [{ ELECTRON_BIN: tmpdir() }, 'win32', ['Electron']],
    [{ ELECTRON_BIN: process.execPath, DISPLAY: ':0' }, 'linux', ['A session bus']],
  ] as const)('%j on %s', (env, platform, missing) => {
    const lines = missingFor({ env, platform, main: process.execPath })
    expect(lines.map((line: string) => line.split(':')[0])).toEqual(missing)
  })
})

/** A tray as Chromium registers it, with a menu. */
async function tray(address: string, clicked: string[]) {
  const name = 'org.kde.StatusNotifierItem-4711-1'
  const client = await joinBus(address, name)
  cleanUp.push(() => client.connection.stream.destroy())
  const entry = (id: number, label: string, more: unknown[] = []) => [
    '(ia{sv}av)',
    [id, [['label', ['s', label]], ...more], []],
  ]
  client.exportInterface(
    { Title: 'Onward', IconName: '', IconPixmap: [[1, 1, Buffer.from([0, 0, 0, 0])]], Menu: '/Menu' },
    '/StatusNotifierItem',
    {
      name: 'org.kde.StatusNotifierItem',
      methods: {},
      properties: { Title: 's', IconName: 's', IconPixmap: 'a(iiay)', Menu: 'o' },
    },
  )
  client.exportInterface(
    {
      GetLayout: () => [
        1,
        [0, [], [entry(1, 'Start at login, in the tray', [['toggle-state', ['i', 1]]]), entry(2, 'Quit')]],
      ],
      Event(id: number, kind: string) {
        clicked.push(`${kind} ${id}`)
      },
    },
    '/Menu',
    { name: 'com.canonical.dbusmenu', methods: { GetLayout: ['iias', 'u(ia{sv}av)'], Event: ['isvu', ''] } },
  )
  return { client, name }
}

describe(`a real session bus${noBus ? ` (${noBus})` : ''}`, unless(noBus), () => {
  async function bus() {
    const started = await startBus()
    cleanUp.push(() => started.stop())
    const open = openBus(started.address)
    cleanUp.push(() => open.close())
    return { address: started.address, open }
  }

  it('of an empty desktop shows neither tray nor notifications', async () => {
    expect(await desktopOn((await bus()).open)).toEqual({ panel: false, notices: null })
  })

  it('with a panel in its place has the tray that registers there, its menu, and passes a click on', async () => {
    const { address, open } = await bus()
    await standInPanel(open)
    const looking = openBus(address)
    cleanUp.push(() => looking.close())
    expect(await desktopOn(looking)).toEqual({ panel: true, notices: null })
    expect(await trayOf(looking, process.pid)).toBeNull()
    const clicked: string[] = []
    const { client, name } = await tray(address, clicked)
    await registers(client, name)
    const seen = await trayOf(looking, process.pid)
    expect(seen).toMatchObject({
      title: 'Onward',
      hasIcon: true,
      menu: [
        { id: 1, label: 'Start at login, in the tray', checked: true },
        { id: 2, label: 'Quit' },
      ],
    })
    expect(await trayOf(looking, 1)).toBeNull()
    if (seen) await clickMenu(looking, seen, 'Quit')
    expect(clicked).toEqual(['clicked 2'])
    if (seen) await expect(clickMenu(looking, seen, 'Else')).rejects.toThrow('the tray has no Else')
  })

  it(
    'is watched with the double, of which nothing may be claimed',
    unless(firstOf(noDesktop, onlyDouble)),
    async () => {
      const { address } = await bus()
      const shows = await showsNotifications(address, ['body', 'actions'])
      cleanUp.push(() => shows.leave())
      const folder = mkdtempSync(join(tmpdir(), 'onward-watched-'))
      cleanUp.push(() => rmSync(folder, { recursive: true, force: true }))
      const { code, out, err } = await watch(
        {
          ELECTRON_BIN: double,
          CHROMIUM_BIN: findChromium() ?? '',
          DISPLAY: ':0',
          DBUS_SESSION_BUS_ADDRESS: address,
          XDG_CURRENT_DESKTOP: 'Test',
          TMPDIR: folder,
        },
        '--no-specs',
      )
      expect(err).toBe('')
      expect(out).toMatch(/^window +works /m)
      expect(out).toMatch(/^notification +works .*look here/m)
      expect(out).toMatch(/^buttons +works +Open, Snooze 10 min, Cancel$/m)
      expect(out).toMatch(/^link +works /m)
      // The double puts nothing on the bus.
      expect(out).toMatch(/^tray without a panel +FAILS +the tray did not come$/m)
      expect(out).toContain('- Nothing: this is the double and no Electron.')
      expect(code).toBe(1)
    },
  )
})

async function registers(client: Awaited<ReturnType<typeof joinBus>>, name: string): Promise<void> {
  await new Promise<void>((done, failed) =>
    client.invoke(
      {
        destination: 'org.kde.StatusNotifierWatcher',
        path: '/StatusNotifierWatcher',
        interface: 'org.kde.StatusNotifierWatcher',
        member: 'RegisterStatusNotifierItem',
        signature: 's',
        body: [name],
      },
      (error) => (error ? failed(new Error(JSON.stringify(error))) : done()),
    ),
  )
}

describe('what the README may say', () => {
  const rows = [
    { what: 'window', result: 'works', detail: 'Onward' },
    { what: 'tray', result: 'fails', detail: 'the tray did not come' },
    { what: 'buttons', result: 'skipped', detail: '' },
  ]
  const found = { electron: 'Electron 45.4.1', isDouble: false, desktop: 'KDE (wayland)', rows }
  it('is what was seen to work, on which desktop, and no more', () => {
    expect(reportOf(found)).toEqual({
      works: false,
      text: [
        'Electron 45.4.1 on KDE (wayland)',
        '',
        'window   works          Onward',
        'tray     FAILS          the tray did not come',
        'buttons  not looked at',
        '',
        'The README may say:',
        '- The window opens and shows the dashboard on Electron 45.4.1, KDE (wayland).',
        '',
      ].join('\n'),
    })
  })
  it('is nothing of the double', () => {
    const { text } = reportOf({ ...found, isDouble: true })
    expect(text).toContain('The README may say:\n- Nothing: this is the double and no Electron.\n')
  })
})
