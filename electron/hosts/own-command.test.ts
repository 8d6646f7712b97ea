import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownCommand, type OwnProgram } from './own-command.ts'

describe('how a shell calls this program', () => {
  let at: string
  beforeEach(() => {
    at = realpathSync(mkdtempSync(join(tmpdir(), 'onward-own-')))
  })
  afterEach(() => rmSync(at, { recursive: true, force: true }))

  const file = (path: string): string => {
    const whole = join(at, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, '')
    chmodSync(whole, 0o755)
    return whole
  }
  const link = (path: string, to: string) => {
    mkdirSync(dirname(join(at, path)), { recursive: true })
    symlinkSync(to, join(at, path))
  }
  const program = (root: string, more: Partial<OwnProgram> = {}): OwnProgram => ({
    built: `${join(at, root, 'out/main')}/`,
    execPath: file('node/bin/node'),
    electron: false,
    platform: 'linux',
    ...more,
  })

  it('is the plain name where the first one of the PATH leads here', () => {
    link('usr/bin/onward', file('repo/bin/onward.mjs'))
    file('later/onward')
    expect(ownCommand(program('repo'), `${at}/usr/bin:${at}/later`)).toBe('onward')
  })

  it('is the whole way where the name is another program, or nobody’s', () => {
    const bin = file('repo/bin/onward.mjs')
    const own = program('repo')
    file('usr/bin/onward')
    link('later/onward', bin)
    expect(ownCommand(own, `${at}/usr/bin:${at}/later`)).toBe(`${own.execPath} ${bin}`)
    expect(ownCommand(own, `${at}/none:${at}/node/bin`)).toBe(`node ${bin}`)
    expect(ownCommand(own, null)).toBe(`${own.execPath} ${bin}`)
  })

  it('is the command of an Onward that another machine installed here', () => {
    const bin = file('home/.local/share/onward/1.2.3/bin/onward')
    const own = program('home/.local/share/onward/1.2.3')
    link('home/.local/bin/onward', bin)
    expect(ownCommand(own, `${at}/home/.local/bin`)).toBe('onward')
    expect(ownCommand(own, `${at}/none`)).toBe(bin)
  })

  it('does not count what npm puts before the PATH of what it starts', () => {
    const bin = file('repo/bin/onward.mjs')
    link('repo/node_modules/.bin/onward', bin)
    expect(ownCommand(program('repo'), `${at}/repo/node_modules/.bin:${at}/node/bin`)).toBe(`node ${bin}`)
  })

  it('is quoted for the shell', () => {
    const bin = file('my code/it’s/bin/onward.mjs')
    expect(ownCommand(program('my code/it’s'), `${at}/node/bin`)).toBe(`node '${bin}'`)
  })

  it('is an installed app’s own command', () => {
    const app = file('opt/Onward/resources/bin/onward')
    const own = program('opt/Onward/resources/app.asar', { electron: true })
    expect(ownCommand(own, `${at}/usr/bin`)).toBe(app)
    link('usr/bin/onward', app)
    expect(ownCommand(own, `${at}/usr/bin`)).toBe('onward')
  })

  it('has Electron run as Node where there is no other', () => {
    const bin = file('repo/bin/onward.mjs')
    const own = program('repo', { electron: true, execPath: '/e/electron' })
    expect(ownCommand(own, `${at}/none`)).toBe(`/usr/bin/env ELECTRON_RUN_AS_NODE=1 /e/electron ${bin}`)
    expect(ownCommand(own, `${at}/node/bin`)).toBe(`node ${bin}`)
  })
})
