import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolders } from '../../store/testing/temp-folder.ts'
import { calledScript, filesItRuns } from './files-it-runs.ts'

describe('the script a command calls', () => {
  it.each([
    ['npm test', 'test'],
    ['npm t', 'test'],
    ['npm start', 'start'],
    ['npm run lint', 'lint'],
    ['npm --silent run-script lint -- --fix', 'lint'],
    ['npm.cmd test', 'test'],
    ['npm ci', null],
    ['npm run', null],
    ['npm', null],
    ['npm constructor', null],
    ['pnpm lint', 'lint'],
    ['yarn lint', 'lint'],
    ['yarn run lint', 'lint'],
    ['bun run lint', 'lint'],
    ['bun test', null],
    ['node test', null],
  ])('%s', (command, script) => expect(calledScript(command.split(' '))).toBe(script))
})

describe('files a check runs', () => {
  const folder = tempFolders()
  const repository = async (files: Record<string, string>) => {
    const here = realpathSync(folder())
    await mkdir(join(here, 'scripts'))
    for (const [path, text] of Object.entries(files)) await writeFile(join(here, path), text)
    return here
  }
  const paths = async (here: string, argv: readonly string[]) => (await filesItRuns(here, argv)).map((one) => one.path)
  const manifest = (scripts: Record<string, string>) => JSON.stringify({ name: 'x', scripts })

  it('are those it names', async () => {
    const here = await repository({ 'x.sh': '1', 'scripts/check.mjs': '2', 'a.conf': '3', Makefile: 'all:' })
    expect(await paths(here, ['./x.sh'])).toEqual(['x.sh'])
    expect(await paths(here, ['node', 'scripts/check.mjs', '--config=a.conf', 'gone.mjs', 'scripts'])).toEqual([
      'scripts/check.mjs',
      'a.conf',
    ])
    expect(await paths(here, [join(here, 'x.sh')])).toEqual(['x.sh'])
    expect(await paths(here, ['make', 'check'])).toEqual(['Makefile'])
    expect(await paths(here, ['sh', '-c', 'cd . && ./x.sh; true'])).toEqual(['x.sh'])
  })

  it('are those its scripts name', async () => {
    const here = await repository({
      'scripts/check.mjs': '',
      'scripts/lint.sh': '',
      'package.json': manifest({
        pretest: 'npm run lint',
        test: 'FOO=1 node scripts/check.mjs && npm test',
        lint: 'sh "scripts/lint.sh"',
        other: './x',
      }),
    })
    expect(await paths(here, ['npm', 'test'])).toEqual(['scripts/lint.sh', 'scripts/check.mjs', 'package.json'])
  })

  it('have another mark when they, or the scripts on the way, are others', async () => {
    const before = await repository({ 'x.sh': '1', 'package.json': manifest({ test: './x.sh' }) })
    const marks = await filesItRuns(before, ['npm', 'test'])
    expect(await filesItRuns(before, ['npm', 'test'])).toEqual(marks)
    await writeFile(
      join(before, 'package.json'),
      JSON.stringify({ name: 'y', version: '2', scripts: { test: './x.sh', build: 'z' } }),
    )
    expect(await filesItRuns(before, ['npm', 'test'])).toEqual(marks)
    await writeFile(join(before, 'package.json'), manifest({ test: './x.sh', posttest: 'true' }))
    const after = await filesItRuns(before, ['npm', 'test'])
    expect(after[0]).toEqual(marks[0])
    expect(after[1]).not.toEqual(marks[1])
    await writeFile(join(before, 'x.sh'), '2')
    expect((await filesItRuns(before, ['npm', 'test']))[0]).not.toEqual(marks[0])
  })

  it('are none outside of the folder', async () => {
    const here = await repository({})
    const out = folder()
    await writeFile(join(out, 'x.sh'), '')
    await symlink(join(out, 'x.sh'), join(here, 'link.sh'))
    expect(await paths(here, [join(out, 'x.sh'), 'link.sh', '../x.sh', 'a\0b'])).toEqual([])
  })

  it('are bounded, and none where nothing can be read', async () => {
    const here = await repository({
      'package.json': '{ "scripts"',
      ...Object.fromEntries(Array.from({ length: 100 }, (_one, at) => [`f${at}`, ''])),
    })
    expect(
      await paths(
        here,
        Array.from({ length: 100 }, (_one, at) => `f${at}`),
      ),
    ).toHaveLength(64)
    expect(await paths(here, ['npm', 'test'])).toEqual([])
    expect(
      await paths(await repository({ 'package.json': '{ "scripts": { "test": 3, "__proto__": "x" } }' }), [
        'npm',
        'test',
      ]),
    ).toEqual([])
  })

  it('end where scripts call each other', async () => {
    const here = await repository({ 'package.json': manifest({ a: 'npm run b', b: 'npm run a && npm run b' }) })
    expect(await paths(here, ['npm', 'run', 'a'])).toEqual(['package.json'])
  })
})
