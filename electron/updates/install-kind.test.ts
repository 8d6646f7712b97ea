import { describe, expect, it } from 'vitest'
import { howTo } from './how.ts'
import { installed, type InstallFacts } from './install-kind.ts'

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
  return installed(facts)
}
const opt = '/opt/Onward/resources'
const asar = `${opt}/app.asar/out/main/onward.js`

describe('how this Onward was installed', () => {
  it.each<[string, Scene, string, string]>([
    ['npm', { program: '/usr/lib/node_modules/onward/out/main/onward.js' }, 'npm', '/usr/lib/node_modules/onward'],
    [
      'a repository',
      { program: '/src/onward/out/main/onward.js', files: { '/src/onward/.git': '' } },
      'repository',
      '/src/onward',
    ],
    ['a folder', { program: '/srv/onward/out/main/onward.js' }, 'folder', '/srv/onward'],
    ['a deb that says so', { program: asar, files: { [`${opt}/package-type`]: 'deb\n' } }, 'deb', '/opt/Onward'],
    ['an rpm that says so', { program: asar, files: { [`${opt}/package-type`]: 'rpm' } }, 'rpm', '/opt/Onward'],
    ['a deb that dpkg knows', { program: asar, files: { '/var/lib/dpkg/info/onward.list': '' } }, 'deb', '/opt/Onward'],
    ['an rpm', { program: asar, files: { '/var/lib/rpm': '' } }, 'rpm', '/opt/Onward'],
    [
      'an AppImage',
      {
        program: '/tmp/.mount_OnwXYZ/resources/app.asar/out/main/main.js',
        env: { APPIMAGE: '/home/me/Onward.AppImage' },
      },
      'appimage',
      '/home/me/Onward.AppImage',
    ],
    [
      'an unpacked folder',
      { program: '/home/me/linux-unpacked/resources/app.asar/out/main/main.js' },
      'folder',
      '/home/me/linux-unpacked',
    ],
    [
      'a Mac app',
      { platform: 'darwin', program: '/Applications/Onward.app/Contents/Resources/app.asar/out/main/main.js' },
      'mac',
      '/Applications/Onward.app',
    ],
    [
      'a Windows program',
      { platform: 'win32', program: 'C:\\Onward\\resources\\app.asar\\out\\main\\main.js' },
      'windows',
      // POSIX takes it for one name; on Windows it is the folder above.
      '.',
    ],
  ])('%s', (_what, scene, kind, at) => {
    const found = of(scene)
    expect(found).toMatchObject({ kind, at })
    expect(howTo(found).steps.length).toBeGreaterThan(0)
  })

  it('an AppImage in whose environment another program runs is no AppImage of ours', () => {
    expect(of({ program: '/usr/lib/node_modules/onward/out/main/onward.js', env: { APPIMAGE: '/x' } }).kind).toBe('npm')
  })

  it('names the place of new versions only where the package has one', () => {
    expect(of({ program: asar }).feedFile).toBeNull()
    expect(of({ program: asar, files: { [`${opt}/app-update.yml`]: '' } }).feedFile).toBe(`${opt}/app-update.yml`)
  })
})
