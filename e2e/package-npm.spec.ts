/** What `npm i -g` of the packed Onward gives to somebody who has Node and nothing else. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notOnLinux, onWindows, unless } from '../shared/testing/unless.ts'
import { installAgents } from './support/agents.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { endTerminalHosts } from './support/hosted-agent-driver.ts'
import { endAgents } from './support/real/end-agents.ts'
import { realAgents } from './support/real/index.ts'
import { startAgent, type Person } from './support/real/person.ts'

const root = resolve(import.meta.dirname, '..')
/** The shell is of every system; no compiler, no tool and no other program is. */
const bare = ['node', 'npm', 'sh', 'env']

let folder = ''
let env: Record<string, string> = {}
const installed = () => join(folder, 'prefix/lib/node_modules/onward')
const command = () => join(folder, 'prefix/bin/onward')
const onward = (...words: string[]) => execFileSync(command(), words, { env, encoding: 'utf8', timeout: 60_000 })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onward-npm-'))
  const [bin, home] = [join(folder, 'bin'), join(folder, 'home')]
  for (const path of [bin, home]) mkdirSync(path)
  for (const name of bare) {
    const found = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, name))
    symlinkSync(name === 'node' ? process.execPath : (found.find((path) => existsSync(path)) ?? name), join(bin, name))
  }
  env = { PATH: bin, HOME: home }
  execFileSync(process.execPath, [join(root, 'scripts/package-npm.mjs'), '--to', join(folder, 'packed')])
  const [tgz] = readdirSync(join(folder, 'packed')).filter((name) => name.endsWith('.tgz'))
  execFileSync(
    join(bin, 'npm'),
    ['install', '--global', '--prefix', join(folder, 'prefix'), '--no-audit', join(folder, 'packed', tgz ?? 'none')],
    { env: { ...wayToPackages(), ...env }, cwd: home },
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** How this machine reaches the registry is nothing that Onward brings. */
function wayToPackages(): Record<string, string> {
  const ways = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_(?!prefix|global)|NODE_EXTRA_CA)|_proxy$/i.test(name),
  )
  return Object.fromEntries([
    ['npm_config_userconfig', join(homedir(), '.npmrc')],
    ...ways.map(([k, v]) => [k, v ?? '']),
  ])
}

/** Every file of it, from its own folder. */
const filesOf = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))

describe('the package', () => {
  it('holds what runs, with the licenses of what is in it, and nothing else', () => {
    const files = filesOf(installed()).filter((path) => !path.startsWith('node_modules/'))
    const kinds = new Set(
      files.map((path) =>
        path
          .replace(/^out\/main\/[\w.-]+\.js$/, 'out/main/*.js')
          .replace(/^docs\/(?:(?:decisions|plots|design)\/)?[\w-]+\.(md|webp|svg|html|css)$/, 'docs/*.$1')
          .replace(/^out\/renderer\/assets\/[\w.-]+\.(js|css|woff2)$/, 'out/renderer/assets/*'),
      ),
    )
    expect([...kinds].sort()).toEqual([
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin/onward.mjs',
      'docs/*.css',
      'docs/*.html',
      'docs/*.md',
      'docs/*.svg',
      'docs/*.webp',
      'man/onward.1',
      'out/main/*.js',
      'out/main/licenses.md',
      'out/main/package.json',
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
    expect(files).not.toContain('out/main/main.js')
    expect(files.filter((path) => /part-desktop-(app|home)-/.test(path))).toEqual([])
    // only the desktop app replaces itself
    expect(files.filter((path) => path.includes('electron-updater'))).toEqual([])
    for (const of of ['main', 'renderer'])
      expect(readFileSync(join(installed(), 'out', of, 'licenses.md'), 'utf8')).toContain('MIT License')
  })

  it('brings node-pty and the keychain’s library with the native parts of this machine, and no other package', () => {
    const names = filesOf(join(installed(), 'node_modules'))
      .filter((path) => /^(@[^/]+\/)?[^/]+\/package\.json$/.test(path))
      .map((path) => dirname(path))
    const [keyring = '', more] = names.filter((name) => name.startsWith('@napi-rs/keyring-'))
    expect(more).toBeUndefined()
    expect(keyring).toContain(`-${process.platform}-${process.arch}`)
    expect(names.sort()).toEqual(
      [`@lydell/node-pty-${process.platform}-${process.arch}`, 'node-pty', '@napi-rs/keyring', keyring].sort(),
    )
  })

  it('runs from the path', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    expect(onward('--version')).toBe(`${version}\n`)
    expect(onward('--help')).toContain('serve')
  })

  it('brings the manual page to where npm puts them', unless(onWindows), () => {
    const page = readFileSync(join(folder, 'prefix/share/man/man1/onward.1'), 'utf8')
    // all but its first line, which has the day
    expect(page.split('\n').slice(1)).toEqual(onward('man').split('\n').slice(1))
    expect(page).toContain('\n.SH EXIT STATUS\n')
  })
})

describe('its engine', () => {
  let engine: EngineProcess
  let person: Person | null = null
  beforeAll(async () => {
    // Agents are the person's own; the engine is found by them as a person's is, on the PATH.
    const agents = [installAgents().path, env.PATH ?? '', '/usr/bin', '/bin'].join(delimiter)
    engine = await startEngine({
      env: { ...env, PATH: agents, ONWARD_KEYCHAIN: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' },
      bin: realpathSync(command()),
    })
  })
  afterAll(async () => {
    person?.dispose()
    endAgents(engine.home)
    await engine.stop()
    endTerminalHosts(engine.home)
    removeHomes()
  })

  it('finds the keychain’s library, and says that there is no session to ask', unless(notOnLinux), async () => {
    await expect(engine.control.api.moveSecrets.mutate('keychain')).rejects.toThrow('The keychain can’t be reached')
  })

  it('serves the dashboard with every file it names', async () => {
    const link = new URL(await engine.dashboard())
    expect((await fetch(link)).status).toBe(200)
    const html = readFileSync(join(installed(), 'out/renderer/index.html'), 'utf8')
    const named = Array.from(html.matchAll(/(?:src|href)="([^"]+\.(?:js|css|svg))"/g), ([, path = '']) => path)
    expect(named.length).toBeGreaterThan(1)
    for (const path of named)
      expect((await fetch(new URL(path, `${link.origin}${link.pathname}`))).status, path).toBe(200)
  })

  it('keeps a real Codex in a terminal of the dashboard going, without a provider', async () => {
    person = await startAgent(realAgents.codex, { engine, how: 'hosted', name: 'work' })
    await person.say('start <**stopMessage:"go on please",2**>')
    const done = await engine.control.session((session) => session.shape === 'done', 120_000)
    expect(done).toMatchObject({ client: 'codex' })
    expect(engine.control.events.filter(({ body }) => body.type === 'confirmed')).toHaveLength(2)
  })
})
