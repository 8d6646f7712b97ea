/** `onward uninstall` on real files, for each system. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createAgentSetups } from '../../engine/discovery/setup/agent-setups.ts'
import { nodeConfigFiles } from '../../engine/config/node-files.ts'
import { installedParts } from '../../installed/parts.ts'
import { commandOf } from '../../installed/command/command.ts'
import { xdgAutostart } from '../../installed/login/xdg-autostart.ts'
import type { Install } from '../../installed/install.ts'
import { testMachine, type TestMachine } from '../../installed/testing/real-system.ts'
import { keychainError } from '../../engine/secrets/keychain.ts'
import { memoryKeychain } from '../../engine/secrets/testing/memory-keychain.ts'
import type { Cli } from '../cli.ts'
import { partsWith } from '../testing/cli-parts.ts'
import { onward } from '../testing/test-cli.ts'

const machines: TestMachine[] = []
afterEach(() => {
  for (const machine of machines.splice(0)) machine.remove()
})

const theirs = '# mine\nmodel = "o5"\n'

/** A person with a Codex set up for good, the start at login and the command. */
async function scene(install: Install = { kind: 'appimage', file: '/opt/Onward.AppImage', feedFile: null }) {
  const on = testMachine('linux', { run: async () => ({ code: 0, out: '', err: '' }) })
  machines.push(on)
  const home = join(on.home, '.onward')
  const codex = join(on.home, '.codex/config.toml')
  mkdirSync(join(on.home, '.codex'))
  mkdirSync(join(home, 'sessions'), { recursive: true })
  writeFileSync(codex, theirs)
  const before = on.snapshot()
  const setups = createAgentSetups({
    files: nodeConfigFiles(),
    folder: join(home, 'agent-setup'),
    facts: () => ({ home: on.home, env: {}, baseUrl: 'http://127.0.0.1:5520', keepsLogin: false }),
    needsKey: () => false,
  })
  const setup = (await setups.list()).find(({ client }) => client === 'codex')
  if (setup?.kind !== 'possible') throw new Error('codex can’t be set up')
  await setups.apply({ client: 'codex', fingerprint: setup.fingerprint })
  await xdgAutostart(on.system, ['/opt/onward', '--hidden']).set(true)
  await commandOf(install, on.system, home).install()
  const keychain = memoryKeychain()
  const run = (words: readonly string[] = [], more: Partial<Cli> = {}) =>
    onward(['uninstall', ...words], {
      env: { HOME: on.home },
      parts: partsWith({
        installed: async () => ({ ...installedParts({}), system: on.system, install, keychain: () => keychain }),
      }),
      ...more,
    })
  /** Two keys in the keychain, one in the file, and one of before whose copy may be left; and those of another home. */
  const storeKeys = () => {
    const names = [
      { name: 'glm-main', in: 'keychain', stray: [] },
      { name: 'zai-main', in: 'keychain', stray: [] },
      { name: 'kimi-main', in: 'file', stray: ['keychain'] },
    ]
    const index = { version: 1, home: 'this-home-0123456789', keep: 'keychain', moving: null, names }
    writeFileSync(join(home, 'secrets-index.json'), JSON.stringify(index))
    for (const { name } of names) keychain.content.set(`this-home-0123456789/${name}`, 'sk-1')
    keychain.content.set('other-home-0123456789/glm-main', 'sk-2')
  }
  return { on, home, codex, before, run, keychain, storeKeys }
}
const person = { tty: { in: true, out: false, err: true, columns: 80 } }
/** The files a command leaves outside the home: `.onward` itself keeps its folders. */
const outside = (snapshot: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(snapshot).filter(([path]) => !path.startsWith('home/ada/.onward')))

describe('onward uninstall', () => {
  it('shows it all, asks, and leaves the machine as it was, to the last byte', async () => {
    const { on, run, codex, before, home } = await scene()
    expect(readFileSync(codex, 'utf8')).toContain('onward')
    const asked: string[] = []
    const ran = await run([], {
      ...person,
      askYesNo(question): boolean {
        asked.push(question)
        expect(readFileSync(codex, 'utf8')).toContain('onward')
        return true
      },
    })
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(asked).toEqual(['Do this? [y/N] '])
    for (const part of ['~/.codex/config.toml', '~/.config/autostart/onward.desktop', '~/.local/bin/onward'])
      expect(ran.out).toContain(part)
    expect(readFileSync(codex, 'utf8')).toBe(theirs)
    expect(outside(on.snapshot())).toEqual(outside(before))
    expect(existsSync(home)).toBe(true)
    expect(ran.out).toContain('What Onward keeps stays in ~/.onward')
    expect(ran.out).toContain('The program itself: rm /opt/Onward.AppImage')
    expect((await run()).out).toContain('Nothing of Onward is set up outside its home.')
  })

  it.each([
    ['a no', [], { ...person, askYesNo: (): boolean => false }, 0],
    ['nobody to ask', [], {}, 4],
    ['JSON without --yes', ['--json'], {}, 4],
    ['--dry-run', ['--dry-run'], {}, 0],
    ['--dry-run as JSON', ['--dry-run', '--json'], {}, 0],
    [
      'another word than the one asked for',
      ['--data'],
      { ...person, askYesNo: (): boolean => true, askLine: () => 'yes' },
      4,
    ],
  ] as const)('changes nothing by %s', async (_what, words, more, code) => {
    const { on, run } = await scene()
    const before = on.snapshot()
    expect((await run(words, more)).code).toBe(code)
    expect(on.snapshot()).toEqual(before)
  })

  it('removes the home only with --data, after a word was typed', async () => {
    const { run, home } = await scene()
    const ran = await run(['--data'], { ...person, askYesNo: (): boolean => true, askLine: () => 'remove' })
    expect(ran.code).toBe(0)
    expect(existsSync(home)).toBe(false)
  })

  it('says all of it as JSON, and asks nobody with --yes', async () => {
    const { run, home } = await scene()
    const ran = await run(['--data', '--yes', '--json'])
    expect(JSON.parse(ran.out)).toMatchObject({
      undoes: [{ kind: 'agent', client: 'codex' }, { kind: 'login' }, { kind: 'command' }],
      leaves: [],
      done: true,
      failed: [],
      removed: true,
    })
    expect(existsSync(home)).toBe(false)
  })

  it('keeps the home, whatever was said, while settings of an agent could not be put back', async () => {
    const { run, home, codex } = await scene()
    writeFileSync(codex, readFileSync(codex, 'utf8').replace('/v1', '/v2'))
    const ran = await run(['--data', '--yes'])
    expect(ran.code).toBe(1)
    expect(ran.out).toContain('Not the settings of codex: ~/.codex/config.toml changed where Onward wrote')
    expect(existsSync(join(home, 'agent-setup/codex-1.backup'))).toBe(true)
  })

  it('goes on when one thing can’t be undone, and says which', async () => {
    const { on, run, codex } = await scene()
    const { remove } = on.system
    on.system.remove = (path) =>
      path.endsWith('onward.desktop') ? Promise.reject(new Error('it is stuck')) : remove(path)
    const ran = await run(['--yes'])
    expect(ran.code).toBe(1)
    expect(ran.out).toMatch(/Not undone: the start at login: .*it is stuck/)
    expect(readFileSync(codex, 'utf8')).toBe(theirs)
    expect(existsSync(join(on.home, '.local/bin/onward'))).toBe(false)
  })

  it('of another home leaves login and command, which belong to the usual one', async () => {
    const { on, run } = await scene()
    const other = join(on.root, 'other')
    mkdirSync(join(other, 'sessions'), { recursive: true })
    expect((await run(['--home', other])).out).toContain('Nothing of Onward is set up outside its home.')
  })

  it.each(['', '/', '/home'])('removes no folder that is no home of Onward’s: “%s”', async (below) => {
    const { on, run } = await scene()
    const before = on.snapshot()
    const ran = await run(['--data', '--yes', '--home', below === '' ? on.home : `${on.root}${below}`])
    expect(ran).toMatchObject({ code: 4, err: expect.stringContaining('is no home of Onward’s') })
    expect(on.snapshot()).toEqual(before)
  })

  it('removes the home’s keys from the keychain with --data, after showing their names, no others', async () => {
    const { run, home, keychain, storeKeys } = await scene()
    storeKeys()
    const preview = await run(['--data', '--dry-run'])
    expect(preview.out).toContain('Removes from the system’s keychain: glm-main, zai-main, kimi-main.')
    expect(keychain.calls).toEqual([])
    const ran = await run(['--data', '--yes'])
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('The keychain holds none of these keys') })
    expect([...keychain.content.keys()]).toEqual(['other-home-0123456789/glm-main'])
    expect(existsSync(home)).toBe(false)
  })

  it('says by name which keys stay in a keychain that can’t be reached, and asks it once', async () => {
    const { run, home, keychain, storeKeys } = await scene()
    storeKeys()
    keychain.trouble = 'unreachable'
    const ran = await run(['--data', '--yes'])
    expect(ran.code).toBe(1)
    expect(ran.out).toContain(
      'Still in the keychain: the keychain can’t be reached (said the system). Remove them in ' +
        'your system’s own program for passwords, under dev.onward: this-home-0123456789/glm-main, ' +
        'this-home-0123456789/zai-main, this-home-0123456789/kimi-main',
    )
    expect(keychain.calls).toHaveLength(1)
    expect(existsSync(home)).toBe(false)
  })

  it('goes on with the other keys where the keychain keeps one, and tells JSON the same', async () => {
    const { run, keychain, storeKeys } = await scene()
    storeKeys()
    const { remove } = keychain
    keychain.remove = (account) =>
      account.endsWith('/glm-main') ? Promise.reject(keychainError('refused')) : remove(account)
    const ran = await run(['--data', '--yes', '--json'])
    expect(JSON.parse(ran.out)).toMatchObject({
      removed: true,
      stay: [{ name: 'glm-main', account: 'this-home-0123456789/glm-main', why: 'the keychain refused' }],
    })
    expect(ran.code).toBe(1)
  })

  it('says which keys stay without --data, and touches none', async () => {
    const { run, keychain, storeKeys } = await scene()
    storeKeys()
    const ran = await run(['--yes'])
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.out).toContain('stays in ~/.onward, and in the system’s keychain the keys glm-main, zai-main:')
    expect(keychain.calls).toEqual([])
  })

  it('does not guess at keys where the file that names them is damaged', async () => {
    const { run, home, keychain } = await scene()
    writeFileSync(join(home, 'secrets-index.json'), '{')
    const ran = await run(['--data', '--yes'])
    expect(ran.out).toContain('Which keys are in the system’s keychain is not known, so they stay there')
    expect(ran.code).toBe(1)
    expect(keychain.calls).toEqual([])
  })

  it('says how the program itself goes', async () => {
    const { run } = await scene({ kind: 'npm', at: '/x', feedFile: null })
    expect((await run(['--yes'])).out).toContain('The program itself: npm uninstall --global onward')
  })
})
