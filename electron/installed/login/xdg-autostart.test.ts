import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { unless } from '../../../shared/testing/unless.ts'
import { waitFor } from '../../../shared/testing/wait-for.ts'
import { testMachine, type TestMachine } from '../testing/real-system.ts'
import { entryKeys } from './entry-keys.ts'
import { xdgAutostart } from './xdg-autostart.ts'

const machines: TestMachine[] = []
afterEach(() => {
  for (const machine of machines.splice(0)) machine.remove()
})
const machine = () => {
  const made = testMachine('linux')
  machines.push(made)
  return made
}
const argv = ['/opt/Onward/onward-desktop', '--hidden']

describe('the start at login on Linux', () => {
  it('is off, is switched on, says so, and leaves nothing behind', async () => {
    const { system, home, snapshot } = machine()
    const before = snapshot()
    const item = xdgAutostart(system, argv)
    expect(item.file).toBe(join(home, '.config/autostart/onward.desktop'))
    expect(await item.read()).toEqual({ kind: 'off' })
    await item.set(true)
    expect(await item.read()).toEqual({ kind: 'on' })
    const keys = entryKeys(readFileSync(item.file, 'utf8'))
    expect(keys.get('Exec')).toBe('"/opt/Onward/onward-desktop" "--hidden"')
    expect(keys.get('TryExec')).toBe('/opt/Onward/onward-desktop')
    await item.set(true)
    await item.set(false)
    expect(snapshot()).toEqual(before)
  })

  it('keeps the folder that was there, and the other entries in it', async () => {
    const { system, home, snapshot } = machine()
    mkdirSync(join(home, '.config/autostart'), { recursive: true })
    writeFileSync(join(home, '.config/autostart/else.desktop'), '[Desktop Entry]\n')
    const before = snapshot()
    const item = xdgAutostart(system, argv)
    await item.set(true)
    await item.set(false)
    expect(snapshot()).toEqual(before)
  })

  it.each([
    ['Hidden=true', 'off'],
    ['Hidden=false', 'on'],
    ['X-GNOME-Autostart-enabled=false', 'off'],
    ['X-GNOME-Autostart-enabled = false', 'off'],
    ['[Another Group]\nHidden=true', 'on'],
  ])('with %j written by a program of the desktop is %s, and can be switched again', async (line, kind) => {
    const { system } = machine()
    const item = xdgAutostart(system, argv)
    await item.set(true)
    const text = readFileSync(item.file, 'utf8').replace('X-GNOME-Autostart-enabled=true\n', '')
    writeFileSync(item.file, `${text}${line}\n`)
    expect((await item.read()).kind).toBe(kind)
    await item.set(true)
    expect(await item.read()).toEqual({ kind: 'on' })
  })

  it('of another Onward is said, and taken over', async () => {
    const { system } = machine()
    await xdgAutostart(system, ['/tmp/old/Onward.AppImage', '--hidden']).set(true)
    const item = xdgAutostart(system, argv)
    expect(await item.read()).toEqual({ kind: 'other', command: '"/tmp/old/Onward.AppImage" "--hidden"' })
    await item.set(true)
    expect(await item.read()).toEqual({ kind: 'on' })
  })

  it('never touches a file of that name that is not ours', async () => {
    const { system, snapshot } = machine()
    const item = xdgAutostart(system, argv)
    mkdirSync(dirname(item.file), { recursive: true })
    writeFileSync(item.file, '[Desktop Entry]\nExec=/bin/true\n')
    const before = snapshot()
    expect(await item.read()).toEqual({ kind: 'impossible', why: 'foreign-file', path: item.file })
    await expect(item.set(true)).rejects.toThrow(/is not Onward’s/)
    await expect(item.set(false)).rejects.toThrow(/is not Onward’s/)
    expect(snapshot()).toEqual(before)
  })

  it('says why it can’t be written', async () => {
    const { system, home } = machine()
    writeFileSync(join(home, '.config'), 'a file where the folder belongs')
    await expect(xdgAutostart(system, argv).set(true)).rejects.toThrow(/ENOTDIR|EEXIST/)
  })

  it.each([
    ['/cfg', '/cfg/autostart/onward.desktop'],
    ['relative', null],
    ['', null],
  ])('lies below XDG_CONFIG_HOME=%j, if that is a path', (folder, file) => {
    const { system, home } = machine()
    const item = xdgAutostart({ ...system, env: { ...system.env, XDG_CONFIG_HOME: folder } }, argv)
    expect(item.file).toBe(file ?? join(home, '.config/autostart/onward.desktop'))
  })
})

const noGio = spawnSync('gio', ['version']).status === 0 ? null : 'no gio here'
describe(`started by GLib itself${noGio ? ` (${noGio})` : ''}`, unless(noGio), () => {
  it.each(['plain', 'a b', '100%f', '$HOME `id`', 'a"b\\c', '量子 ü'])(
    'a program in “%s” gets its words',
    async (name) => {
      const { system, home } = machine()
      const folder = join(home, name)
      mkdirSync(folder)
      const program = join(folder, 'onward')
      writeFileSync(
        program,
        '#!/bin/sh\nprintf "%s|" "$0" "$@" > "$HOME/started.tmp"; mv "$HOME/started.tmp" "$HOME/started"\n',
      )
      chmodSync(program, 0o755)
      const item = xdgAutostart(system, [program, '--hidden', 'x  y'])
      await item.set(true)
      const ran = spawnSync('gio', ['launch', item.file], {
        env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' },
      })
      expect(ran.stderr.toString()).toBe('')
      const started = await waitFor('the program', () => {
        try {
          return readFileSync(join(home, 'started'), 'utf8')
        } catch {
          return null
        }
      })
      expect(started).toBe(`${program}|--hidden|x  y|`)
    },
  )
})
