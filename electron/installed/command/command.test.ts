import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { testMachine, type TestMachine } from '../testing/real-system.ts'
import type { CommandItem, InstalledSystem } from '../types.ts'
import { appImageScript, commandOf, macLink, windowsPath } from './command.ts'
import { windowsUserPath } from './windows-user-path.ts'

const machines: TestMachine[] = []
afterEach(() => {
  for (const machine of machines.splice(0)) machine.remove()
})
const machine = (...how: Parameters<typeof testMachine>) => {
  const made = testMachine(...how)
  machines.push(made)
  return made
}
const roots = { rootsFolders: ['/usr/local/bin'] }
const onwardHome = ({ home }: TestMachine) => join(home, '.onward')

async function isUndoneExactly(item: CommandItem, { snapshot }: TestMachine, before: unknown): Promise<void> {
  await item.remove()
  expect(await item.read()).toEqual({ kind: 'absent' })
  const { 'home/ada/.onward': _, ...after } = snapshot()
  expect(after).toEqual(before)
  await item.remove()
}

describe('the command on macOS', () => {
  const contents = '/Applications/Onward.app/Contents'
  const script = `${contents}/Resources/bin/onward`
  const link = (on: TestMachine, at = contents) => macLink(on.system, onwardHome(on), at)

  it('is a link in /usr/local/bin where that is the person’s', async () => {
    const on = machine('darwin')
    mkdirSync(on.at('/usr/local/bin'), { recursive: true })
    const before = on.snapshot()
    const item = link(on)
    expect(await item.read()).toEqual({ kind: 'absent' })
    await item.install()
    expect(await item.read()).toEqual({ kind: 'installed', path: '/usr/local/bin/onward', onPath: false })
    expect(await on.system.linkTarget('/usr/local/bin/onward')).toBe(script)
    await item.install()
    await isUndoneExactly(item, on, before)
  })

  it('is in ~/.local/bin elsewhere, and says whether a login shell finds it there', async () => {
    const on = machine('darwin', roots)
    const before = on.snapshot()
    const path = join(on.home, '.local/bin/onward')
    await link(on).install()
    expect(await link(on).read()).toEqual({ kind: 'installed', path, onPath: false })
    const found = { ...on.system, loginPath: async () => `${on.home}/.local/bin:/usr/bin` }
    expect(await macLink(found, onwardHome(on), contents).read()).toEqual({ kind: 'installed', path, onPath: true })
    await isUndoneExactly(link(on), on, before)
  })

  it('never overwrites what is not ours, be it a file, a link or one that leads nowhere', async () => {
    for (const put of [
      (path: string) => writeFileSync(path, '#!/bin/sh\n'),
      (path: string) => symlinkSync('../lib/node_modules/onward/bin/onward.mjs', path),
      (path: string) => symlinkSync('/nowhere', path),
    ]) {
      const on = machine('darwin')
      mkdirSync(on.at('/usr/local/bin'), { recursive: true })
      put(on.at('/usr/local/bin/onward'))
      const before = on.snapshot()
      expect(await link(on).read()).toEqual({ kind: 'foreign', path: '/usr/local/bin/onward' })
      await expect(link(on).install()).rejects.toThrow(/is not Onward’s/)
      await link(on).remove()
      expect(on.snapshot()).toEqual(before)
    }
  })

  it('of an app that was moved is made anew, not doubled', async () => {
    const on = machine('darwin', roots)
    await link(on, '/Users/ada/Desktop/Onward.app/Contents').install()
    const item = link(on)
    expect(await item.read()).toEqual({ kind: 'absent' })
    await item.install()
    expect(await on.system.linkTarget(join(on.home, '.local/bin/onward'))).toBe(script)
  })

  it.each([
    '/Volumes/Onward 0.1.0/Onward.app/Contents',
    '/private/var/folders/x/AppTranslocation/1/d/Onward.app/Contents',
  ])('is not offered from %s, which is gone tomorrow', async (at) =>
    expect(await link(machine('darwin'), at).read()).toEqual({ kind: 'impossible', why: 'not-moved' }),
  )
})

describe('the command of an AppImage', () => {
  const installed = (on: TestMachine, path: string) => appImageScript(on.system, onwardHome(on), path)

  it('is a script that is undone exactly', async () => {
    const on = machine('linux')
    const before = on.snapshot()
    const item = installed(on, join(on.home, 'Onward.AppImage'))
    await item.install()
    expect(await item.read()).toMatchObject({ kind: 'installed', path: join(on.home, '.local/bin/onward') })
    await isUndoneExactly(item, on, before)
  })

  it('runs the command line within, with every word, also where AppRun would put an option first', async () => {
    const on = machine('linux')
    // As electron-builder's AppRun and the runtime do: the program lies in a mount that is another one each time.
    const mount = join(on.root, 'mount')
    mkdirSync(join(mount, 'resources/app.asar/out/main'), { recursive: true })
    symlinkSync(process.execPath, join(mount, 'real-node'))
    writeFileSync(
      join(mount, 'resources/app.asar/out/main/onward.js'),
      'console.log(JSON.stringify(process.argv.slice(2)), process.env.ELECTRON_RUN_AS_NODE)',
    )
    writeFileSync(join(mount, 'resources/app.asar/package.json'), '{"type":"module"}')
    execFileSync('cp', [process.execPath, join(mount, 'onward-desktop')])
    const appImage = join(on.home, "Ada's Onward.AppImage")
    writeFileSync(
      appImage,
      `#!/usr/bin/env bash
before=(--no-sandbox)
for arg in "$@"; do if [ "$arg" = --no-sandbox ]; then before=(); fi; done
exec ${JSON.stringify(join(mount, 'onward-desktop'))} "\${before[@]}" "$@"
`,
    )
    chmodSync(appImage, 0o755)
    await installed(on, appImage).install()
    const path = join(on.home, '.local/bin/onward')
    const words = ['run', '--', 'sh', '-c', 'echo "$X"', '--help', '-e', '']
    expect(execFileSync(path, words, { encoding: 'utf8' })).toBe(`${JSON.stringify(words)} 1\n`)
    expect(execFileSync(path, ['--version'], { encoding: 'utf8' })).toBe('["--version"] 1\n')
    renameSync(appImage, `${appImage}.moved`)
    expect(spawnSync(path, ['status'], { encoding: 'utf8' })).toMatchObject({
      status: 127,
      stderr: expect.stringContaining('is not there any more'),
    })
  })

  it('of one that was moved is made anew; one changed by hand is left alone', async () => {
    const on = machine('linux')
    const path = join(on.home, '.local/bin/onward')
    await installed(on, "/a/it's.AppImage").install()
    await installed(on, '/b/Onward.AppImage').install()
    expect(await installed(on, '/b/Onward.AppImage').read()).toMatchObject({ kind: 'installed' })
    writeFileSync(path, `${readFileSync(path, 'utf8')}# mine\n`)
    expect(await installed(on, '/b/Onward.AppImage').read()).toEqual({ kind: 'foreign', path })
    await installed(on, '/b/Onward.AppImage').remove()
    expect(readFileSync(path, 'utf8')).toContain('# mine')
  })
})

/** The two scripts of windows-user-path.ts on a registry in memory. */
function registry(value: string | null) {
  const state = { value, announced: 0 }
  const system = {
    ...testMachineOfWindows(),
    async run(argv: readonly string[]) {
      const script = Buffer.from(argv.at(-1) ?? '', 'base64').toString('utf16le')
      const set = /FromBase64String\('(.*)'\)/.exec(script)?.[1]
      if (set !== undefined) state.value = Buffer.from(set, 'base64').toString()
      else if (script.includes('DeleteValue')) state.value = null
      else return { code: 0, out: `${JSON.stringify({ value: state.value })}\r\n`, err: '' }
      if (script.includes('SetEnvironmentVariable')) state.announced++
      return { code: 0, out: '', err: '' }
    },
  }
  return { state, system }
}
const testMachineOfWindows = (): InstalledSystem => machine('win32').system

describe('the command on Windows', () => {
  const folder = 'C:\\Users\\Ada Ü\\AppData\\Local\\Programs\\Onward'
  it.each([null, '', 'C:\\a', 'C:\\a;', '%USERPROFILE%\\bin;;C:\\量子 "x"'])(
    'is a folder on the person’s PATH, and %j comes back as it was',
    async (before) => {
      const { system, state } = registry(before)
      const item = commandOf({ kind: 'windows', folder, feedFile: null }, system, '/x')
      expect(await item.read()).toEqual({ kind: 'absent' })
      await item.install()
      await item.install()
      expect(state).toEqual({
        value: before === null ? `${folder}\\resources\\bin` : `${before};${folder}\\resources\\bin`,
        announced: 1,
      })
      expect(await item.read()).toMatchObject({ kind: 'installed', onPath: true })
      await item.remove()
      await item.remove()
      expect(state).toEqual({ value: before, announced: 2 })
    },
  )

  it('is found however it is written', async () => {
    const { system, state } = registry(`c:\\users\\ada ü\\appdata\\local\\programs\\ONWARD\\resources\\bin\\;C:\\b`)
    const item = windowsPath(windowsUserPath(system), folder)
    expect(await item.read()).toMatchObject({ kind: 'installed' })
    await item.remove()
    expect(state.value).toBe('C:\\b')
  })

  it('says what PowerShell said', async () => {
    const system = { ...testMachineOfWindows(), run: async () => ({ code: 1, out: '', err: 'Access is denied.' }) }
    await expect(commandOf({ kind: 'windows', folder, feedFile: null }, system, '/x').install()).rejects.toThrow(
      /Access is denied/,
    )
  })
})
