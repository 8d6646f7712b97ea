import type { App } from 'electron'
import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../cli/service/testing/fake-system.ts'
import type { InstalledSystem } from '../../installed/types.ts'
import { loginItem, openedAtLogin } from './login-item.ts'

type Settings = ReturnType<App['getLoginItemSettings']>
const settings = (more: Partial<Settings> = {}): Settings => ({
  openAtLogin: false,
  wasOpenedAtLogin: false,
  status: 'not-registered',
  executableWillLaunchAtLogin: false,
  launchItems: [],
  ...more,
})

/** `takes`: the system's settings after it was asked to set something. */
function item(platform: NodeJS.Platform, now: Settings, takes: Partial<Settings> = {}) {
  const asked: unknown[] = []
  const electron = {
    getLoginItemSettings(options?: unknown) {
      asked.push(['get', options])
      return now
    },
    setLoginItemSettings(to: { openAtLogin?: boolean }) {
      asked.push(['set', to])
      now = { ...now, ...takes }
    },
  } as Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>
  const system = fakeSystem(platform) as unknown as InstalledSystem
  const made = loginItem({
    app: electron,
    system,
    argv: ['C:\\Program Files\\electron.exe', 'C:\\On ward\\main.js'],
    home: '/h/.onward',
    usualHome: '/h/.onward',
  })
  return { made, asked, electron }
}

describe('the start at login on macOS', () => {
  it.each([
    [{}, { kind: 'off' }],
    [{ openAtLogin: true, status: 'enabled' }, { kind: 'on' }],
    [{ status: 'not-found' }, { kind: 'off' }],
    [{ status: 'requires-approval' }, { kind: 'held-back', by: 'system-settings' }],
  ] as const)('with %j is %j', async (now, state) => {
    expect(await item('darwin', settings(now)).made.read()).toEqual(state)
  })

  it('is asked of the system without anything that new systems ignore', async () => {
    const { made, asked } = item('darwin', settings(), { openAtLogin: true, status: 'enabled' })
    await made.set(true)
    expect(asked).toContainEqual(['set', { openAtLogin: true }])
    expect(await made.read()).toEqual({ kind: 'on' })
  })

  it('that a person has to allow is no failure, and one that was not taken is', async () => {
    await item('darwin', settings(), { status: 'requires-approval' }).made.set(true)
    await expect(item('darwin', settings()).made.set(true)).rejects.toThrow(/did not take it/)
    await expect(item('darwin', settings({ openAtLogin: true })).made.set(false)).rejects.toThrow(/did not take it/)
  })

  it('hides the window of an app that the system opened', () => {
    const { electron } = item('darwin', settings({ wasOpenedAtLogin: true }))
    expect(openedAtLogin(electron, 'darwin')).toBe(true)
    expect(openedAtLogin(electron, 'win32')).toBe(false)
    expect(openedAtLogin(item('darwin', settings()).electron, 'darwin')).toBe(false)
  })
})

describe('the start at login on Windows', () => {
  const words = { path: 'C:\\Program Files\\electron.exe', args: ['"C:\\On ward\\main.js"', '--hidden'] }
  it.each([
    [{}, { kind: 'off' }],
    [{ openAtLogin: true, executableWillLaunchAtLogin: true }, { kind: 'on' }],
    [{ openAtLogin: true }, { kind: 'held-back', by: 'task-manager' }],
    [
      {
        executableWillLaunchAtLogin: true,
        launchItems: [{ name: 'x', path: 'C:\\electron.exe', args: ['old'], scope: 'user', enabled: true }],
      },
      { kind: 'other', command: 'C:\\electron.exe old' },
    ],
  ] as const)('with %j is %j', async (now, state) => {
    const { made, asked } = item('win32', settings(now as Partial<Settings>))
    expect(await made.read()).toEqual(state)
    expect(asked).toEqual([['get', words]])
  })

  it('writes the same words as it asks for', async () => {
    const { made, asked } = item('win32', settings(), { openAtLogin: true, executableWillLaunchAtLogin: true })
    await made.set(true)
    expect(asked[0]).toEqual(['set', { openAtLogin: true, ...words }])
  })
})

describe('another home than the usual one', () => {
  it.each(['linux', 'darwin', 'win32'] as const)(
    'is not started at login on %s, and Electron is not asked',
    async (platform) => {
      const electron = {} as Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>
      const system = fakeSystem(platform) as unknown as InstalledSystem
      const made = loginItem({ app: electron, system, argv: ['/x'], home: '/tmp/h', usualHome: '/h/.onward' })
      expect(await made.read()).toEqual({ kind: 'impossible', why: 'other-home', path: '/tmp/h' })
      await expect(made.set(true)).rejects.toThrow('/tmp/h')
    },
  )
})
