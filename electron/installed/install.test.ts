import { describe, expect, it } from 'vitest'
import { howTo } from '../updates/how.ts'
import { commandOf } from './command/command.ts'
import { installOf, placeOfInstall, programGoes, type InstallFacts } from './install.ts'
import { testMachine } from './testing/real-system.ts'

interface Scene {
  platform?: NodeJS.Platform
  program: string
  env?: Record<string, string>
  files?: Readonly<Record<string, string>>
}
function of({ platform = 'linux', program, env = {}, files = {} }: Scene) {
  const facts: InstallFacts = {
    platform,
    env,
    program,
    exists: (path) => path in files,
    read: (path) => files[path] ?? null,
  }
  return installOf(facts)
}
const opt = '/opt/Onward/resources'
const asar = `${opt}/app.asar/out/main/onward.js`

describe('how this Onward was installed', () => {
  it.each<[string, Scene, string, string, string]>([
    [
      'npm',
      { program: '/usr/lib/node_modules/onward/out/main/onward.js' },
      'npm',
      '/usr/lib/node_modules/onward',
      'npm uninstall --global onward',
    ],
    [
      'a repository',
      { program: '/src/onward/out/main/onward.js', files: { '/src/onward/.git': '' } },
      'repository',
      '/src/onward',
      'It runs from /src/onward: remove that folder.',
    ],
    [
      'a folder',
      { program: '/srv/onward/out/main/onward.js' },
      'folder',
      '/srv/onward',
      'It runs from /srv/onward: remove that folder.',
    ],
    [
      'a folder that another machine’s Onward made over ssh',
      { program: '/home/me/.local/share/onward/1.2.3/out/main/onward.js' },
      'folder',
      '/home/me/.local/share/onward/1.2.3',
      'rm -r ~/.local/bin/onward ~/.local/share/onward',
    ],
    [
      'a deb that says so',
      { program: asar, files: { [`${opt}/package-type`]: 'deb\n' } },
      'deb',
      '/opt/Onward',
      'sudo apt remove onward',
    ],
    [
      'an rpm that says so',
      { program: asar, files: { [`${opt}/package-type`]: 'rpm' } },
      'rpm',
      '/opt/Onward',
      'sudo dnf remove onward, or on SUSE: sudo zypper remove onward',
    ],
    [
      'a deb that dpkg knows',
      { program: asar, files: { '/var/lib/dpkg/info/onward.list': '' } },
      'deb',
      '/opt/Onward',
      'sudo apt remove onward',
    ],
    [
      'an rpm',
      { program: asar, files: { '/var/lib/rpm': '' } },
      'rpm',
      '/opt/Onward',
      'sudo dnf remove onward, or on SUSE: sudo zypper remove onward',
    ],
    [
      'an AppImage',
      {
        program: '/tmp/.mount_OnwXYZ/resources/app.asar/out/main/main.js',
        env: { APPIMAGE: '/home/me/Onward.AppImage', APPDIR: '/tmp/.mount_OnwXYZ/' },
      },
      'appimage',
      '/home/me/Onward.AppImage',
      'rm /home/me/Onward.AppImage',
    ],
    [
      'an unpacked folder',
      { program: '/home/me/linux-unpacked/resources/app.asar/out/main/main.js' },
      'folder',
      '/home/me/linux-unpacked',
      'It runs from /home/me/linux-unpacked: remove that folder.',
    ],
    [
      'a Mac app',
      { platform: 'darwin', program: '/Applications/Onward.app/Contents/Resources/app.asar/out/main/main.js' },
      'mac',
      '/Applications/Onward.app',
      'Move /Applications/Onward.app to the Trash.',
    ],
    [
      'a Windows program',
      { platform: 'win32', program: 'C:\\Onward\\resources\\app.asar\\out\\main\\main.js' },
      'windows',
      'C:\\Onward',
      'Settings, Apps, Installed apps, Onward; or run C:\\Onward\\Uninstall Onward.exe',
    ],
  ])('%s', (_what, scene, kind, at, goes) => {
    const found = of(scene)
    expect(found.kind).toBe(kind)
    expect(placeOfInstall(found)).toBe(at)
    expect(programGoes(found)).toBe(goes)
    expect(howTo(found).steps.length).toBeGreaterThan(0)
  })

  it('an AppImage in whose environment another program runs is no AppImage of ours', () => {
    expect(of({ program: '/usr/lib/node_modules/onward/out/main/onward.js', env: { APPIMAGE: '/x' } }).kind).toBe('npm')
    // Another AppImage started this one, which is a package of its own.
    const env = { APPIMAGE: '/home/me/Shell.AppImage', APPDIR: '/tmp/.mount_Shell' }
    expect(of({ program: asar, env, files: { [`${opt}/package-type`]: 'deb' } }).kind).toBe('deb')
  })

  it.each([
    ['deb', { kind: 'with-package' }],
    ['rpm', { kind: 'with-package' }],
    ['npm', { kind: 'impossible', why: 'not-installed' }],
    ['repository', { kind: 'impossible', why: 'not-installed' }],
    ['folder', { kind: 'impossible', why: 'not-installed' }],
  ] as const)('says of the command where it is none of ours to install: %s', async (kind, state) => {
    const on = testMachine('linux')
    expect(await commandOf({ kind, at: '/x', feedFile: null }, on.system, '/x').read()).toEqual(state)
    on.remove()
  })

  it('names the place of new versions only where the package has one', () => {
    expect(of({ program: asar }).feedFile).toBeNull()
    expect(of({ program: asar, files: { [`${opt}/app-update.yml`]: '' } }).feedFile).toBe(`${opt}/app-update.yml`)
  })
})
