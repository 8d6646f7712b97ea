import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sentencesOf } from '../../shared/sentences/index.ts'
import type { CliParts } from './cli.ts'
import { parts as realParts } from './parts.ts'
import { onward, testHome, type TestHome } from './testing/test-cli.ts'

const no = () => {
  throw new Error('not part of this test')
}
const parts: CliParts = {
  sentencesOf: async (language) => sentencesOf(language),
  checkConfig: realParts.checkConfig,
  policiesFor: async () => null,
  serviceSystem: no,
  installed: no,
  serve: no,
  runWrapped: no,
  resumeArgv: no,
  openLink: no,
  installer: no,
  relay: no,
}
const person = { in: true, out: true, err: true, columns: 80 }

let home: TestHome
let file = ''
beforeEach(async () => {
  home = await testHome()
  file = join(home.path, 'config.json')
  await writeFile(file, '// mine\n{ "server": { "port": 1 } }\n', { mode: 0o600 })
})
afterEach(() => home.remove())

/** A small editor: each time it is started, the next script runs with the file as $1. */
async function editor(...scripts: string[]): Promise<string> {
  const path = join(home.path, 'my editor.sh')
  const cases = scripts.map((script, i) => `${i}) ${script} ;;`).join('\n')
  await writeFile(
    path,
    `#!/bin/sh\nn=$(cat "${home.path}/n" 2>/dev/null || echo 0)\necho $((n + 1)) > "${home.path}` +
      `/n"\nprintf '%s' "$1" > "${home.path}/asked"\ncase $n in\n${cases}\n*) exit 9 ;;\nesac\n`,
  )
  await chmod(path, 0o755)
  return `'${path}'`
}
const edit = (env: Record<string, string>, more: Parameters<typeof onward>[1] = {}) =>
  onward(['config', 'edit', '--home', home.path], {
    parts,
    env: { PATH: process.env.PATH, NO_COLOR: '1', ...env },
    ...more,
  })
const left = async () => (await readdir(home.path)).filter((name) => name.startsWith('edit-'))
const good = (port: number) => `printf '%s' '{ "server": { "port": ${port} } }' > "$1"`
const bad = `printf '%s' '{ "server": { "port": "x" } }' > "$1"`

describe('config edit', () => {
  it('puts a right text in place, from a copy that nobody else can read', async () => {
    const ran = await edit({
      EDITOR: 'false',
      VISUAL: await editor(
        `stat -c %a "$1" "$(dirname "$1")" > "${home.path}/modes"; cat "$1" > "${home.path}/saw"; ${good(2)}`,
      ),
    })
    expect(ran).toMatchObject({ code: 0, out: `✓ ${file} is changed. A running engine takes it over at once.\n` })
    expect(await readFile(file, 'utf8')).toBe('{ "server": { "port": 2 } }')
    expect(await readFile(join(home.path, 'saw'), 'utf8')).toBe('// mine\n{ "server": { "port": 1 } }\n')
    expect((await readFile(join(home.path, 'modes'), 'utf8')).split('\n')).toEqual(['600', '700', ''])
    expect([(await stat(file)).mode & 0o777, await left()]).toEqual([0o600, []])
  })

  it('takes an editor with arguments', async () => {
    const path = await editor(good(3))
    expect((await edit({ EDITOR: `env A=1 ${path}` })).code).toBe(0)
    expect(await readFile(file, 'utf8')).toContain('3')
  })

  it('changes nothing where nothing was changed', async () => {
    expect(await edit({ EDITOR: await editor('true') })).toMatchObject({ code: 0, out: '○ Nothing was changed.\n' })
    expect(await left()).toEqual([])
  })

  it('begins a config where there is none, also a home', async () => {
    await rm(file)
    const path = await editor(`cp "$1" "${home.path}/saw"; ${good(4)}`)
    const deep = join(home.path, 'deep', 'er')
    const ran = await onward(['config', 'edit', '--home', deep, '--json'], {
      parts,
      env: { PATH: process.env.PATH, EDITOR: path },
    })
    expect([ran.code, JSON.parse(ran.out)]).toEqual([0, { path: join(deep, 'config.json'), changed: true }])
    expect(await readFile(join(home.path, 'saw'), 'utf8')).toContain('$schema')
    expect([(await stat(join(deep, 'config.json'))).mode & 0o777, (await stat(deep)).mode & 0o777]).toEqual([
      0o600, 0o700,
    ])
  })

  it('shows what is wrong and opens it again, until it is right', async () => {
    const questions: string[] = []
    const ran = await edit(
      { EDITOR: await editor(bad, bad, good(5)) },
      {
        tty: person,
        askYesNo: (question) => {
          questions.push(question)
          return true
        },
      },
    )
    expect(ran.code).toBe(0)
    expect(ran.err.match(/config\.json:1:23 server\.port: This must be a number\./g)).toHaveLength(2)
    expect(questions).toEqual(['Edit it again? [y/N] ', 'Edit it again? [y/N] '])
    expect(await readFile(file, 'utf8')).toContain('5')
    expect(await left()).toEqual([])
  })

  it.each([
    ['a person gives up', person],
    ['no person is there', { in: false, out: false, err: false, columns: 80 }],
  ])('keeps the text where %s, and leaves the config alone', async (_who, tty) => {
    const ran = await edit({ EDITOR: await editor(bad) }, { tty, askYesNo: () => false })
    const [folder = ''] = await left()
    const copy = join(home.path, folder, 'config.json')
    expect(ran.code).toBe(1)
    expect(ran.err).toContain(`your text is kept in ${copy}.`)
    expect(await readFile(copy, 'utf8')).toContain('"x"')
    expect(await readFile(file, 'utf8')).toContain('// mine')
  })

  it.each([
    ['exit 3', 'ended with 3'],
    ['kill -9 $$', 'ended with'],
  ])('fails when the editor does: %s', async (script, said) => {
    const ran = await edit({ EDITOR: await editor(script) })
    expect(ran.code).toBe(1)
    expect(ran.err).toContain(said)
    expect(ran.err).toContain('Nothing was changed.')
    expect([await left(), await readFile(file, 'utf8')]).toEqual([[], '// mine\n{ "server": { "port": 1 } }\n'])
  })

  it('keeps what an editor wrote before it failed', async () => {
    const ran = await edit({ EDITOR: await editor(`${good(6)}; exit 1`) })
    expect([ran.code, (await left()).length]).toEqual([1, 1])
    expect(await readFile(file, 'utf8')).toContain('// mine')
  })

  it('says that there is no such editor', async () => {
    const ran = await edit({ EDITOR: 'no-such-editor-anywhere' })
    expect([ran.code, await left()]).toEqual([1, []])
    expect(ran.err).toContain('The editor no-such-editor-anywhere was not found.')
  })

  it('asks before it writes over another’s change', async () => {
    const elsewhere = `printf '{}' > "${file}"; ${good(7)}`
    const ran = await edit({ EDITOR: await editor(elsewhere) })
    expect([ran.code, (await left()).length, await readFile(file, 'utf8')]).toEqual([1, 1, '{}'])
    await rm(join(home.path, 'n'))
    await writeFile(file, '{ }')
    const questions: string[] = []
    expect(
      (
        await edit(
          { EDITOR: await editor(elsewhere) },
          {
            tty: person,
            askYesNo: (question) => {
              questions.push(question)
              return true
            },
          },
        )
      ).code,
    ).toBe(0)
    expect(questions).toEqual([`${file} was changed by another program meanwhile. Write over it? [y/N] `])
    expect(await readFile(file, 'utf8')).toContain('7')
  })

  it('writes through a link and keeps the mode', async () => {
    await mkdir(join(home.path, 'kept'))
    const real = join(home.path, 'kept', 'c.json')
    await writeFile(real, '{}')
    await chmod(real, 0o640)
    await rm(file)
    await symlink(real, file)
    expect((await edit({ EDITOR: await editor(good(8)) })).code).toBe(0)
    expect([
      (await lstat(file)).isSymbolicLink(),
      (await stat(real)).mode & 0o777,
      await readFile(real, 'utf8'),
    ]).toEqual([true, 0o640, '{ "server": { "port": 8 } }'])
  })
})
