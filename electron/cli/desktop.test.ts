import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decideStart, desktopFacts, type DesktopFacts } from './desktop.ts'

const all: DesktopFacts = {
  platform: 'linux',
  env: { DISPLAY: ':0' },
  packagedApp: null,
  electronBinary: '/e/electron',
  mainFile: '/o/main.js',
}

describe('what `onward start` opens', () => {
  const table: [string, Partial<DesktopFacts>, ReturnType<typeof decideStart>][] = [
    ['the repository’s Electron', {}, { kind: 'desktop', program: '/e/electron', args: ['/o/main.js'] }],
    [
      'the app itself',
      { packagedApp: '/opt/Onward/onward' },
      { kind: 'desktop', program: '/opt/Onward/onward', args: [] },
    ],
    [
      'the app under Wayland',
      { packagedApp: '/a', env: { WAYLAND_DISPLAY: 'wayland-0' } },
      { kind: 'desktop', program: '/a', args: [] },
    ],
    ['a browser without a display', { env: {} }, { kind: 'serve', why: 'there is no display' }],
    [
      'the app on macOS, which has no DISPLAY',
      { platform: 'darwin', env: {} },
      { kind: 'desktop', program: '/e/electron', args: ['/o/main.js'] },
    ],
    [
      'a browser without Electron',
      { electronBinary: null },
      { kind: 'serve', why: 'Electron’s binary is not installed' },
    ],
    [
      'a browser where only the command line is built',
      { mainFile: null },
      { kind: 'serve', why: 'the desktop app is not built' },
    ],
  ]
  it.each(table)('%s', (_name, facts, decision) => expect(decideStart({ ...all, ...facts })).toEqual(decision))
})

describe('finding Electron without downloading it', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onward-desktop-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('needs its note and its binary', async () => {
    const electron = join(folder, 'node_modules', 'electron')
    const out = join(folder, 'out', 'main')
    await mkdir(join(electron, 'dist'), { recursive: true })
    await mkdir(out, { recursive: true })
    const facts = () => desktopFacts({ platform: 'linux', env: {}, self: ['node', join(out, 'onward.js')] })
    expect(facts()).toMatchObject({ electronBinary: null, mainFile: null })
    await writeFile(join(electron, 'path.txt'), 'electron')
    expect(facts().electronBinary).toBeNull()
    await writeFile(join(electron, 'dist', 'electron'), '')
    await writeFile(join(out, 'main.js'), '')
    expect(facts()).toMatchObject({
      electronBinary: join(electron, 'dist', 'electron'),
      mainFile: join(out, 'main.js'),
    })
  })
})
