import { chmod, cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createStore } from '../../store/create-store.ts'
import { faultyFiles } from '../../store/testing/faulty-files.ts'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import { tempFolders } from '../../store/testing/temp-folder.ts'
import { realPrograms } from '../testing/real-programs.ts'
import { createChecks } from './create-checks.ts'
import { until } from '../../../../shared/testing/wait-for.ts'

const folder = tempFolders()
const never = () => new AbortController().signal

/** A real folder with a check that notes in `ran` that it was there. */
function scene() {
  const here = realpathSync(folder())
  const clock = virtualClock()
  const files = faultyFiles(memoryFiles())
  const news: string[] = []
  const open = () =>
    createChecks({
      store: createStore({ root: '/r', files, clock, log: silentLog, onProblem: () => undefined }),
      runProgram: realPrograms(clock),
      clock,
      log: silentLog,
      defaultTimeoutSeconds: () => 600,
      changed: (where) => news.push(where),
    })
  const declare = (checks: unknown) => writeFile(join(here, '.onward.json'), JSON.stringify({ checks }))
  return {
    here,
    clock,
    files,
    news,
    open,
    checks: open(),
    declare,
    ran: () =>
      readFile(join(here, 'ran'), 'utf8').then(
        // the shell makes the file before it writes to it
        (text) => text.split('\n').filter((line) => line !== ''),
        () => [],
      ),
  }
}
const note = (word: string) => ['sh', '-c', `echo ${word} >> ran; echo ${word} is well`]
const code = (expected: string) => expect.objectContaining({ code: expected })

describe('checks of a folder', () => {
  it('run once a person approved exactly them', async () => {
    const { checks, here, declare, ran, news } = scene()
    await declare({ tests: note('a') })
    expect(checks.peek(here)).toBeNull()
    expect(await checks.of(here)).toEqual({
      folder: here,
      problem: null,
      checks: [
        expect.objectContaining({
          name: 'tests',
          approval: 'not-approved',
          argv: note('a'),
          timeoutSeconds: 600,
          running: false,
          last: null,
        }),
      ],
    })
    await expect(checks.run(here, 'tests', never())).rejects.toEqual(code('check-not-approved'))
    await expect(checks.approve(here, 'tests', note('b'))).rejects.toEqual(code('check-changed'))
    await expect(checks.approve(here, 'other', note('a'))).rejects.toEqual(code('check-unknown'))
    await expect(checks.run(here, 'other', never())).rejects.toEqual(code('check-unknown'))
    expect(await ran()).toEqual([])
    expect(await checks.approve(here, 'tests', note('a'))).toMatchObject({ approval: 'approved' })
    expect(await checks.run(here, 'tests', never())).toMatchObject({
      run: { name: 'tests', outcome: 'passed', exitCode: 0, say: 'a is well' },
      output: 'a is well',
    })
    expect(await ran()).toEqual(['a'])
    expect(checks.peek(here)).toMatchObject({ checks: [{ approval: 'approved', last: { outcome: 'passed' } }] })
    expect(new Set(news)).toEqual(new Set([here]))
  })

  it('are shown without looking again as they are after each change, and made out once between two', async () => {
    const { checks, here, declare } = scene()
    await declare({ tests: ['true'] })
    await checks.of(here)
    const steps: (() => Promise<unknown>)[] = [
      () => checks.approve(here, 'tests', ['true']),
      () => checks.run(here, 'tests', never()),
      () => checks.declare(here, { name: 'lint', command: 'true x' }),
      () => checks.run(here, 'lint', never()),
      () => checks.forget(here, 'tests'),
      () => checks.forget(here, 'lint'),
    ]
    for (const step of steps) {
      const before = checks.peek(here)
      await step()
      const after = checks.peek(here)
      expect(after).not.toEqual(before)
      expect(checks.peek(here)).toBe(after)
      expect(after).toEqual(await checks.of(here))
    }
  })

  it('do not run when the file was changed a moment ago, and stay required when they go from it', async () => {
    const { checks, here, declare, ran } = scene()
    await declare({ tests: note('a') })
    await checks.approve(here, 'tests', note('a'))
    await declare({ tests: note('b') })
    await expect(checks.run(here, 'tests', never())).rejects.toEqual(code('check-not-approved'))
    expect(await checks.of(here)).toMatchObject({
      checks: [{ approval: 'changed', argv: note('b'), approvedArgv: note('a') }],
    })
    expect(await ran()).toEqual([])
    await rm(join(here, '.onward.json'))
    expect(await checks.of(here)).toMatchObject({ checks: [{ approval: 'removed', argv: note('a') }] })
    expect(await checks.run(here, 'tests', never())).toMatchObject({ run: { outcome: 'passed' } })
    await writeFile(join(here, '.onward.json'), '{')
    expect(await checks.of(here)).toMatchObject({
      problem: expect.stringContaining('.onward.json'),
      checks: [{ approval: 'removed' }],
    })
    expect(await checks.approve(here, 'tests', note('a'))).toMatchObject({ approval: 'approved', from: 'dashboard' })
    await checks.forget(here, 'tests')
    expect((await checks.of(here)).checks).toEqual([])
    await expect(checks.forget(here, 'tests')).rejects.toEqual(code('check-unknown'))
  })

  it('are approved for one real folder', async () => {
    const { checks, here, declare } = scene()
    await declare({ tests: note('a') })
    await checks.approve(here, 'tests', note('a'))
    const others = realpathSync(folder())
    await symlink(here, join(others, 'link'))
    expect(await checks.of(join(others, 'link'))).toMatchObject({ folder: here, checks: [{ approval: 'approved' }] })
    await cp(here, join(others, 'copy'), { recursive: true })
    expect(await checks.of(join(others, 'copy'))).toMatchObject({ checks: [{ approval: 'not-approved' }] })
    await mkdir(join(here, 'inner'))
    await cp(join(here, '.onward.json'), join(here, 'inner', '.onward.json'))
    await expect(checks.run(join(here, 'inner'), 'tests', never())).rejects.toEqual(code('check-not-approved'))
    await rename(here, join(others, 'moved'))
    expect(await checks.of(join(others, 'moved'))).toMatchObject({ checks: [{ approval: 'not-approved' }] })
    expect(await checks.of(here)).toMatchObject({
      problem: expect.stringContaining('can’t be read'),
      checks: [{ approval: 'removed' }],
    })
    await expect(checks.approve(here, 'tests', note('a'))).rejects.toEqual(code('no-folder'))
    await rename(join(others, 'moved'), here)
  })

  it('can be declared by a person', async () => {
    const { checks, here, declare } = scene()
    expect(await checks.declare(here, { command: 'node -e ""', timeoutSeconds: 5 })).toMatchObject({
      name: 'node -e',
      argv: ['node', '-e', ''],
      approval: 'approved',
      from: 'dashboard',
      timeoutSeconds: 5,
    })
    expect(await checks.run(here, 'node -e', never())).toMatchObject({
      run: { outcome: 'passed', say: 'it said nothing' },
      output: '',
    })
    await expect(checks.declare(here, { name: 'node -e', command: 'true' })).rejects.toEqual(code('check-exists'))
    await expect(checks.declare(here, { command: 'npm test | tail' })).rejects.toEqual(code('bad-command'))
    await expect(checks.declare(here, { name: 'a\u202Eb', command: 'true' })).rejects.toEqual(code('bad-command'))
    await declare({ 'node -e': 'true' })
    expect(await checks.of(here)).toMatchObject({ checks: [{ approval: 'changed', argv: ['true'] }] })
  })

  it('say which of the files they run are others', async () => {
    const { checks, here, declare } = scene()
    await writeFile(join(here, 'check.sh'), '#!/bin/sh\nexit 3\n')
    await chmod(join(here, 'check.sh'), 0o755)
    await declare({ tests: './check.sh' })
    expect(await checks.approve(here, 'tests', ['./check.sh'])).toMatchObject({ changedFiles: [] })
    expect(await checks.run(here, 'tests', never())).toMatchObject({
      run: { outcome: 'failed', exitCode: 3, say: 'it ended with 3 and said nothing' },
    })
    await writeFile(join(here, 'check.sh'), '#!/bin/sh\nexit 0\n')
    expect(await checks.of(here)).toMatchObject({ checks: [{ approval: 'approved', changedFiles: ['check.sh'] }] })
    expect(await checks.approve(here, 'tests', ['./check.sh'])).toMatchObject({ changedFiles: [] })
    expect(checks.peek(here)).toMatchObject({ checks: [{ changedFiles: [] }] })
  })
})

describe('an approval', () => {
  it('outlives a start of Onward, and does not count when it can’t be kept', async () => {
    const { checks, open, here, declare, files } = scene()
    await declare({ tests: note('a') })
    files.fail('ENOSPC', 'writeAtomic')
    await expect(checks.approve(here, 'tests', note('a'))).rejects.toEqual(code('store-failed'))
    await expect(checks.declare(here, { command: 'true' })).rejects.toEqual(code('store-failed'))
    expect(await checks.of(here)).toMatchObject({ checks: [{ approval: 'not-approved' }] })
    await expect(checks.run(here, 'tests', never())).rejects.toEqual(code('check-not-approved'))
    files.mend()
    await checks.approve(here, 'tests', note('a'))
    const later = open()
    await later.load()
    expect(await later.of(here)).toMatchObject({ checks: [{ approval: 'approved' }] })
    files.fail('EIO', 'writeAtomic', 'remove')
    await expect(later.forget(here, 'tests')).rejects.toEqual(code('store-failed'))
    expect(await later.of(here)).toMatchObject({ checks: [{ approval: 'approved' }] })
  })
})

describe('runs of checks', () => {
  const gate = (word: string) => [
    'sh',
    '-c',
    // it ends with its folder, too: a test that fails opens no gate
    `echo ${word} >> ran; while [ ! -e go ]; do [ -e ran ] || exit 1; sleep 0.02; done; echo end-${word} >> ran`,
  ]

  it('go one after the other in a folder; one that is stopped before its turn never begins', async () => {
    const { checks, here, declare, ran } = scene()
    await declare({ a: gate('a'), b: gate('b') })
    await checks.approve(here, 'a', gate('a'))
    await checks.approve(here, 'b', gate('b'))
    const first = checks.run(here, 'a', never())
    const stopping = new AbortController()
    const stopped = checks.run(here, 'b', stopping.signal)
    const second = checks.run(here, 'b', never())
    await until(async () => (await ran()).length === 1)
    expect(checks.peek(here)?.checks.map((one) => one.running)).toEqual([true, false])
    stopping.abort()
    expect(await stopped).toMatchObject({ run: { outcome: 'stopped', argv: gate('b') } })
    await writeFile(join(here, 'go'), '')
    expect((await Promise.all([first, second])).map((one) => one.run.outcome)).toEqual(['passed', 'passed'])
    expect(await ran()).toEqual(['a', 'end-a', 'b', 'end-b'])
  })

  it('look again when their turn comes', async () => {
    const { checks, here, declare, ran } = scene()
    await declare({ a: gate('a'), b: gate('b') })
    await checks.approve(here, 'a', gate('a'))
    await checks.approve(here, 'b', gate('b'))
    const first = checks.run(here, 'a', never())
    const second = checks.run(here, 'b', never())
    const refused = expect(second).rejects.toEqual(code('check-not-approved'))
    await until(async () => (await ran()).length === 1)
    await declare({ a: gate('a'), b: note('evil') })
    await writeFile(join(here, 'go'), '')
    await refused
    expect((await first).run.outcome).toBe('passed')
    expect(await ran()).toEqual(['a', 'end-a'])
  })

  it.each(['stop', 'forget', 'dispose', 'time'] as const)('end with all they started: %s', async (how) => {
    const { checks, here, declare, ran, clock } = scene()
    await declare([{ name: 'a', run: gate('a'), timeoutSeconds: 7 }])
    await checks.approve(here, 'a', gate('a'))
    const stopping = new AbortController()
    const run = checks.run(here, 'a', stopping.signal)
    await until(async () => (await ran()).length === 1)
    if (how === 'stop') stopping.abort()
    else if (how === 'forget') await checks.forget(here, 'a')
    else if (how === 'dispose') checks.dispose()
    else await clock.advance(7_000)
    expect(await run).toMatchObject({
      run:
        how === 'time'
          ? { outcome: 'timed-out', say: 'it had not ended after 7 s', exitCode: null }
          : { outcome: 'stopped' },
    })
    expect(await ran()).toEqual(['a'])
  })

  it('have no shell, colours or prompts', async () => {
    const { checks, here, declare } = scene()
    const argv = [
      'node',
      '-e',
      'console.log(process.argv.slice(1).join(), process.env.CI, process.env.NO_COLOR, process.env.FORCE_COLOR)',
      '$(id);*',
    ]
    await declare({ a: argv })
    await checks.approve(here, 'a', argv)
    expect((await checks.run(here, 'a', never())).output).toBe('$(id);* 1 1 0')
  })

  it('that can’t begin say why', async () => {
    const { checks, here } = scene()
    await checks.declare(here, { name: 'a', command: 'there-is-no-such-program' })
    expect(await checks.run(here, 'a', never())).toMatchObject({
      run: { outcome: 'not-started', say: expect.stringContaining('no program “there-is-no') },
    })
  })
})
