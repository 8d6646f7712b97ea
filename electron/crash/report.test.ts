import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OnwardError } from '../engine/base/errors.ts'
import { crashFolder, forgetCrashes, keepCrash, lastCrash } from '../engine/records/crash-shelf.ts'
import { knownSecrets } from './record-crash.ts'
import { crashReport, type CrashFacts } from './report.ts'
import { noteUncleanEnd } from './unclean-end.ts'

const at = Date.UTC(2026, 10, 24, 9, 0)
const facts: CrashFacts = {
  where: 'serve',
  at,
  what: new Error('boom'),
  version: '0.1.0',
  system: 'linux 6.1 x64',
  runtime: 'Node v20',
  ranFor: 61_000,
  log: ['{"level":30,"msg":"started"}'],
  secrets: ['hunter2hunter2'],
  personsFolder: '/home/ada',
}
const of = (more: Partial<CrashFacts>) => crashReport({ ...facts, ...more })

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'onward-crash-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('the report of a crash', () => {
  it('says what ended, when, of which version, where in the program, and what the log said last', () => {
    const report = of({})
    expect(report).toContain('The engine (onward serve) ended unexpectedly at 2026-11-24T09:00:00.000Z.')
    for (const line of ['Onward 0.1.0', 'linux 6.1 x64', 'Node v20', 'ran for 61 s', '  Error: boom'])
      expect(report.split('\n')).toContain(line)
    expect(report).toMatch(/\n {6}at .*report\.test\.ts/)
    expect(report).toContain('"msg":"started"')
  })

  it('holds no key, known by its value or by its form, and not whose computer it is', () => {
    const report = of({
      what: new OnwardError('x', 'key hunter2hunter2 at /home/ada/.onward was refused'),
      log: ['Bearer abcdefghijklmnop', 'sk-ant-1234567890', 'https://me:pw@example.com', 'hunter2hunter2'],
    })
    for (const secret of ['hunter2', 'abcdefghijklmnop', '1234567890', ':pw@', '/home/ada'])
      expect(report).not.toContain(secret)
    expect(report).toContain('~/.onward')
  })

  it.each([
    ['a parser’s', () => JSON.parse('I am the agent and this is secret') as unknown],
    [
      'a quoting one',
      () => {
        throw new TypeError("can't read 'the text of a prompt' here")
      },
    ],
    [
      'one with an open quotation',
      () => {
        throw new Error('bad "the text of a prompt and more')
      },
    ],
    [
      'one of several lines',
      () => {
        throw new Error('bad\nthe text of a prompt')
      },
    ],
  ])('repeats no text of a conversation out of an error: %s', (_what, fails) => {
    let what: unknown
    try {
      fails()
    } catch (error) {
      what = error
    }
    expect(of({ what })).not.toMatch(/text of a prompt|I am the/)
  })

  it('names causes, and takes what is no error', () => {
    expect(
      of({ what: new Error('outer', { cause: Object.assign(new Error('no room'), { code: 'ENOSPC' }) }) }),
    ).toMatch(/Error: outer[\s\S]*caused by\n {2}Error \(ENOSPC\): no room/)
    expect(of({ what: { text: 'a prompt' } })).toContain('a thrown object')
  })
})

describe('known secrets', () => {
  it('are the keys of config, secrets and environment', () => {
    writeFileSync(join(home, 'secrets.json'), '{"openai-main":"abcd1234efgh"}')
    writeFileSync(
      join(home, 'config.json'),
      '// mine\n{"providers":{"p":{"baseUrl":"https://x.example/v1","keys":[{"alias":"a","value":"qwer5678tyui"}]}}}',
    )
    expect(knownSecrets(home, { MY_API_KEY: 'env-secret-1', PATH: '/usr/bin' })).toEqual([
      'env-secret-1',
      'abcd1234efgh',
      'qwer5678tyui',
    ])
  })
})

describe('reports', () => {
  it('are the person’s alone, the newest ten', () => {
    for (let i = 0; i < 14; i++) keepCrash(home, at + i, `report ${i}`)
    expect(readdirSync(crashFolder(home))).toHaveLength(10)
    expect(lastCrash(home)).toEqual({
      at: at + 13,
      path: join(crashFolder(home), `crash-${at + 13}.txt`),
      report: 'report 13',
    })
    if (process.platform !== 'win32') expect(statSync(lastCrash(home)?.path ?? '').mode & 0o777).toBe(0o600)
    forgetCrashes(home)
    expect(lastCrash(home)).toBeNull()
  })
  it('of one moment are two', () => {
    keepCrash(home, at, 'one')
    keepCrash(home, at, 'two')
    expect(readdirSync(crashFolder(home))).toHaveLength(2)
  })
})

describe('an engine that was killed', () => {
  const context = () => ({ home, version: '0.1.0', env: {}, now: () => at })
  const left = (more: object = {}) =>
    writeFileSync(
      join(home, 'engine.json'),
      JSON.stringify({
        pid: 2 ** 22 + 1,
        host: '127.0.0.1',
        port: 1,
        socket: '/x',
        startedAt: at - 5_000,
        version: '0.0.9',
        start: null,
        ...more,
      }),
    )
  it('is told of by the next one, once', async () => {
    left()
    await noteUncleanEnd(context(), 0)
    expect(lastCrash(home)?.report).toContain('It ended without a word')
    expect(lastCrash(home)?.report).toContain('Onward 0.0.9')
    await noteUncleanEnd(context(), 0)
    expect(readdirSync(crashFolder(home))).toHaveLength(1)
  })
  it.each<[string, () => void, number]>([
    ['none ran', () => undefined, 0],
    ['it still runs', () => left({ pid: process.pid }), 0],
    ['the machine was switched off since', left, at - 1_000],
    [
      'it wrote its own report',
      () => {
        left()
        keepCrash(home, at - 1, 'own')
      },
      0,
    ],
    ['its note can’t be read', () => writeFileSync(join(home, 'engine.json'), '{'), 0],
  ])('is not told of when %s', async (_what, before, bootedAt) => {
    before()
    const had = lastCrash(home)
    await noteUncleanEnd(context(), bootedAt)
    expect(lastCrash(home)).toEqual(had)
  })
})
