/**
 * What `npm run package:dir` makes, unpacked and started. Electron's own program is a stand-in: it can't be had here.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { extractAll, getRawHeader, listPackage } from '@electron/asar'
import { getCurrentFuseWire, FuseV1Options, FuseVersion } from '@electron/fuses'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'
import { noDesktop, startDesktop } from './desktop/support/desktop.ts'
import { cleanEnv, removeHomes, startEngine } from './support/engine-process.ts'
import { makeStandInElectron, makeStandInFpm } from './support/stand-in-electron/make.ts'

const root = resolve(import.meta.dirname, '..')
const onlyLinux = process.platform === 'linux' && process.arch === 'x64' ? null : 'the packager of this system differs'
/** All that is ours, without Electron: what a download grows by. */
const MOST_BYTES = 13 * 2 ** 20

let folder = ''
const unpacked = () => join(folder, 'to/linux-unpacked')
const resources = () => join(unpacked(), 'resources')
const asar = () => join(resources(), 'app.asar')
const packed = () => listPackage(asar(), { isPack: false }).map((path) => path.slice(1))
const build = (...args: string[]) =>
  execFileSync(
    process.execPath,
    [join(root, 'scripts/package-desktop.mjs'), '--electron', join(folder, 'electron'), ...args],
    { encoding: 'utf8', env: { ...cleanEnv(), CUSTOM_FPM_PATH: join(folder, 'fpm/fpm') } },
  )

describe('the packaged desktop app', unless(onlyLinux), () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'onward-packaged-'))
    makeStandInElectron(join(folder, 'electron'))
    makeStandInFpm(join(folder, 'fpm'))
    expect(build('--target', 'deb', '--to', join(folder, 'to'))).toContain('deb: built')
    extractAll(asar(), join(resources(), 'app.asar.extracted'))
  })
  afterAll(() => {
    removeHomes()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is Electron under a name of its own, the archive, node-pty beside it, and the command', () => {
    expect(readdirSync(unpacked()).sort()).toEqual([
      'LICENSE.electron.txt',
      'LICENSES.chromium.html',
      'chrome-sandbox',
      'chrome_crashpad_handler',
      'libffmpeg.so',
      'locales',
      'onward-desktop',
      'resources',
      'version',
    ])
    const beside = join(resources(), 'app.asar.unpacked/node_modules')
    expect(readdirSync(beside).sort()).toEqual(['@lydell', '@napi-rs', 'node-pty'])
    expect(readdirSync(join(beside, '@lydell'))).toEqual([`node-pty-${process.platform}-${process.arch}`])
    expect(existsSync(join(beside, '@lydell/node-pty-linux-x64/pty.node'))).toBe(true)
    expect(readdirSync(join(beside, '@napi-rs'))).toEqual([`keyring-${process.platform}-${process.arch}-gnu`])
    expect(statSync(join(resources(), 'bin/onward')).mode & 0o111).toBe(0o111)
  })

  it('has in its archive what runs, and nothing else', () => {
    const kinds = packed()
      .filter((path) => /\.\w+$|LICENSE$/.test(path) && !path.startsWith('node_modules/'))
      .map((path) =>
        path
          .replace(/^out\/main\/[\w.-]+\.js$/, 'out/main/*.js')
          .replace(/^out\/renderer\/assets\/[\w.-]+\.(js|css|woff2)$/, 'out/renderer/assets/*')
          .replace(/^build\/icons\/[\w@.-]+\.(png|ico)$/, 'build/icons/*'),
      )
    expect([...new Set(kinds)].sort()).toEqual([
      'LICENSE',
      'build/icons/*',
      'out/main/*.js',
      'out/main/licenses.md',
      'out/main/package.json',
      'out/preload/preload.cjs',
      'out/renderer/app-256.png',
      'out/renderer/app-512.png',
      'out/renderer/assets/*',
      'out/renderer/favicon.svg',
      'out/renderer/first.js',
      'out/renderer/index.html',
      'out/renderer/licenses.md',
      'out/renderer/licenses/noto-sans-symbols-2.txt',
      'out/renderer/manifest.webmanifest',
      'out/renderer/sw.js',
      'package.json',
    ])
    const modules = packed().filter((path) => /^node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path))
    expect(modules).toHaveLength(4)
    expect(packed().filter((path) => path.includes('part-electron-updater'))).toHaveLength(1)
    expect(statSync(asar()).size).toBeLessThan(MOST_BYTES)
  })

  it('carries of package.json what an app is asked for, and nothing of the repository', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(resources(), 'app.asar.extracted/package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: 'onward', type: 'module', main: 'out/main/main.js', license: 'MIT' })
    // Wayland: the window's icon is found by the name of the desktop entry.
    expect(manifest).toMatchObject({ desktopName: 'onward-desktop.desktop' })
    expect(manifest).not.toHaveProperty('devDependencies')
    expect(manifest).not.toHaveProperty('scripts')
  })

  it('is an archive in which a changed byte is seen', () => {
    const { header } = getRawHeader(asar())
    expect(JSON.stringify(header)).toContain('"integrity":{"algorithm":"SHA256"')
  })

  it('has its switches set in the program itself', async () => {
    const wire = await getCurrentFuseWire(join(unpacked(), 'onward-desktop'))
    expect(wire.version).toBe(FuseVersion.V1)
    const on = Object.entries(wire).flatMap(([at, state]) => (Number(state) === 49 ? [Number(at)] : []))
    expect(on).toEqual([
      FuseV1Options.RunAsNode,
      FuseV1Options.EnableNodeOptionsEnvironmentVariable,
      FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
      FuseV1Options.OnlyLoadAppFromAsar,
    ])
  })

  it('is asked for as a deb with desktop entry, links of onward://, the command on the PATH and its manual', () => {
    const asked = readFileSync(join(folder, 'fpm/asked'), 'utf8').split('\n')
    expect(asked).toContain(`${unpacked()}/=/opt/Onward`)
    expect(asked.filter((word) => word.includes('/hicolor/')).map((word) => word.split('=')[1])).toEqual(
      [32, 256, 512].map((size) => `/usr/share/icons/hicolor/${size}x${size}/apps/onward-desktop.png`),
    )
    const at = (place: string) => asked.filter((word) => word.endsWith(`=${place}`)).length
    expect(['/usr/share/man/man1/onward.1.gz', '/usr/share/doc/onward/copyright'].map(at)).toEqual([1, 1])
    expect(gunzipSync(readFileSync(join(folder, 'fpm/page.gz'))).toString()).toContain('\n.SH EXIT STATUS\n')
    const entry = readFileSync(join(folder, 'fpm/desktop'), 'utf8')
    for (const line of [
      'Name=Onward',
      'Exec=/opt/Onward/onward-desktop %U',
      'Icon=onward-desktop',
      'MimeType=x-scheme-handler/onward;',
      'Categories=Development;',
      'Terminal=false',
      'StartupWMClass=Onward',
    ])
      expect(entry.split('\n')).toContain(line)
    expect(readFileSync(join(folder, 'fpm/after-install'), 'utf8')).toContain(
      "ln -sf '/opt/Onward/resources/bin/onward' /usr/bin/onward",
    )
    expect(readFileSync(join(folder, 'fpm/before-remove'), 'utf8')).toContain('onward uninstall')
  })

  it('runs its command line from anywhere by a link, and hands the variable on to nobody', async () => {
    const link = join(folder, 'onward')
    symlinkSync(join(resources(), 'bin/onward'), link)
    const engine = await startEngine({ bin: join(resources(), 'app.asar.extracted/out/main/onward.js') })
    const run = (...words: string[]) =>
      execFileSync(link, words, { encoding: 'utf8', cwd: folder, env: { ...cleanEnv(), ONWARD_HOME: engine.home } })
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    expect(run('--version')).toBe(`${version}\n`)
    expect(run('run', '--', 'sh', '-c', 'echo "[$ELECTRON_RUN_AS_NODE]"')).toContain('[]')
    await engine.stop()
  })

  it('starts from its archive', unless(noDesktop), async () => {
    const app = await startDesktop({ main: join(resources(), 'app.asar.extracted/out/main/main.js') })
    const page = await app.page()
    await page.getByRole('button', { name: 'Set up Onward' }).first().waitFor()
    expect((await app.state()).notifications).toEqual([])
    await app.close()
  })
})
