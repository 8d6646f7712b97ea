import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tempFolders } from '../../store/testing/temp-folder.ts'
import { readDeclaration } from './declaration.ts'
import { declarationOf } from './create-checks.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const tests = { name: 'tests', argv: ['npm', 'test'], timeoutSeconds: null }

describe('a declaration of checks', () => {
  it.each([
    ['a list', '{ "checks": [ { "name": "tests", "run": ["npm", "test"] } ] }', [tests]],
    ['a command', '{ "checks": [ { "name": "tests", "run": "npm test" } ] }', [tests]],
    [
      'an object',
      '{ "checks": { "tests": "npm test", "types": { "run": ["npx", "tsc"], "timeoutSeconds": 60 } } }',
      [tests, { name: 'types', argv: ['npx', 'tsc'], timeoutSeconds: 60 }],
    ],
    ['an object of lists', '{ "checks": { "tests": ["npm", "test"] } }', [tests]],
    [
      'comments and members of others',
      '\uFEFF{ // ours\n "later": 1, "checks": [ { "name": " tests ' +
        '", "run": "npm test", "approved": true, "note": "x", }, ], }',
      [tests],
    ],
    ['none', '{ "checks": [] }', []],
    ['nothing of ours', '{ "later": {} }', []],
    [
      'words that look like the environment’s',
      '{ "checks": [ { "name": "a", "run": ["echo", "${HOME}", "$(id)"] } ] }',
      [{ name: 'a', argv: ['echo', '${HOME}', '$(id)'], timeoutSeconds: null }],
    ],
    [
      'names of objects’ own members',
      '{ "checks": [ { "name": "__proto__", "run": "a" }, { "name": "constructor", "run": "b" } ] }',
      [
        { name: '__proto__', argv: ['a'], timeoutSeconds: null },
        { name: 'constructor', argv: ['b'], timeoutSeconds: null },
      ],
    ],
  ])('%s', (_name, text, checks) => expect(readDeclaration(text)).toEqual({ checks, problem: null }))

  it.each([
    ['no JSON', '{ "checks": [', /line 1: /],
    ['empty', '', /line 1: The file is empty/],
    ['no object', '[]', /has to be an object/],
    ['checks of another kind', '{ "checks": 3 }', /has to be a list/],
    ['a member twice', '{ "checks": [],\n "checks": [] }', /line 2: .*twice/],
    ['__proto__', '{ "__proto__": { "checks": [] } }', /can not be used/],
    ['no name', '{ "checks": [\n { "run": "npm test" } ] }', /line 2: A check needs a “name”/],
    ['an empty name', '{ "checks": { " ": "npm test" } }', /needs a “name”/],
    ['a name that draws', '{ "checks": { "a\\u001b[2K": "npm test" } }', /that can be seen/],
    ['no command', '{ "checks": [ { "name": "a" } ] }', /“a” needs a “run”/],
    ['words of another kind', '{ "checks": [ { "name": "a", "run": ["x", 3] } ] }', /“a” needs a “run”/],
    ['no words', '{ "checks": [ { "name": "a", "run": [] } ] }', /No program is named/],
    ['an empty program', '{ "checks": [ { "name": "a", "run": [" "] } ] }', /No program is named/],
    ['words that can’t be seen', '{ "checks": [ { "name": "a", "run": ["x", "a\\u0000b"] } ] }', /can’t be seen/],
    ['a pipe', '{ "checks": [ { "name": "a", "run": "x | y" } ] }', /pipe.*script/],
    ['a timeout that is none', '{ "checks": [ { "name": "a", "run": "x", "timeoutSeconds": 0 } ] }', /timeoutSeconds/],
    ['too deep', `{ "checks": ${'['.repeat(5_000)}`, /nested too deeply/],
  ])('%s is a problem', (_name, text, problem) =>
    expect(readDeclaration(text)).toEqual({ checks: [], problem: expect.stringMatching(problem) }),
  )

  it('keeps what can be read beside what can’t', () => {
    expect(readDeclaration('{ "checks": { "a": "x", "b": "y | z", "c": "w" } }')).toMatchObject({
      checks: [{ name: 'a' }, { name: 'c' }],
      problem: expect.stringContaining('“b”'),
    })
    expect(
      readDeclaration('{ "checks": [ { "name": "a", "run": "x" }, { "name": "a ", "run": "rm" } ] }'),
    ).toMatchObject({ checks: [{ name: 'a', argv: ['x'] }], problem: expect.stringContaining('called “a”') })
  })

  it('takes fifty', () => {
    const many = (count: number) =>
      JSON.stringify({ checks: Array.from({ length: count }, (_one, at) => ({ name: `n${at}`, run: 'x' })) })
    expect(readDeclaration(many(50))).toMatchObject({ problem: null, checks: { length: 50 } })
    expect(readDeclaration(many(10_000))).toMatchObject({
      problem: expect.stringContaining('There are 10000 checks'),
      checks: { length: 50 },
    })
  })

  it('is read or is a problem, whatever it says', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((json) => `{ "checks": ${json} }`),
        ),
        (text) => {
          const { checks, problem } = readDeclaration(text)
          for (const check of checks) {
            expect(Object.keys(check).sort()).toEqual(['argv', 'name', 'timeoutSeconds'])
            expect(check.argv.length).toBeGreaterThan(0)
          }
          if (problem !== null) expect(problem).toMatch(/^\.onward\.json, line \d+: ./)
        },
      ),
      runs(500),
    )
  })
})

describe('the file of a declaration', () => {
  const folder = tempFolders()
  const text = '{ "checks": { "tests": "npm test" } }'

  it('is read from its folder', async () => {
    const here = folder()
    expect(await declarationOf({ folder: here, closed: [] })).toEqual({ checks: [], problem: null })
    await writeFile(join(here, '.onward.json'), text)
    expect(await declarationOf({ folder: here, closed: [] })).toEqual({ checks: [tests], problem: null })
  })

  it('may be a link within the folder, and not out of it', async () => {
    const [here, other] = [folder(), folder()]
    await writeFile(join(here, 'a.json'), text)
    await symlink('a.json', join(here, '.onward.json'))
    expect(await declarationOf({ folder: here, closed: [] })).toEqual({ checks: [tests], problem: null })
    const there = folder()
    await writeFile(join(other, 'a.json'), text)
    await symlink(join(other, 'a.json'), join(there, '.onward.json'))
    expect(await declarationOf({ folder: there, closed: [] })).toEqual({
      checks: [],
      problem: expect.stringContaining('leads out'),
    })
  })

  it('is a problem as a folder, as a pipe, too large, and as no text', async () => {
    const asFolder = folder()
    await mkdir(join(asFolder, '.onward.json'))
    expect(await declarationOf({ folder: asFolder, closed: [] })).toEqual({
      checks: [],
      problem: expect.stringContaining('is a folder'),
    })
    const asPipe = folder()
    await promisify(execFile)('mkfifo', [join(asPipe, '.onward.json')])
    expect(await declarationOf({ folder: asPipe, closed: [] })).toEqual({
      checks: [],
      problem: expect.stringContaining('neither a file'),
    })
    const large = folder()
    await writeFile(join(large, '.onward.json'), `${text}${' '.repeat(256 * 1024)}`)
    expect(await declarationOf({ folder: large, closed: [] })).toEqual({
      checks: [],
      problem: expect.stringContaining('larger than 256 KiB'),
    })
    const binary = folder()
    await writeFile(join(binary, '.onward.json'), Buffer.from([0x7b, 0xff, 0x7d]))
    expect(await declarationOf({ folder: binary, closed: [] })).toEqual({
      checks: [],
      problem: expect.stringContaining('not UTF-8'),
    })
  })
})
