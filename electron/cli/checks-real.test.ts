/** The commands on real checks: files in a folder, programs that run, approvals that are kept. */
import { afterEach, describe, expect, it } from 'vitest'
import type { ControlApi } from '../../shared/operations/index.ts'
import { silentLog } from '../engine/base/log.ts'
import { virtualClock } from '../engine/base/testing/virtual-clock.ts'
import { createStore } from '../engine/store/create-store.ts'
import { memoryFiles } from '../engine/store/testing/memory-files.ts'
import { createChecks } from '../engine/workspace/checks/create-checks.ts'
import { never, realFolder } from '../engine/workspace/testing/real-folder.ts'
import { cliHomes } from './testing/cli-homes.ts'

const { against } = cliHomes()
const cleanUp: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanUp.splice(0).reverse()) clean()
})

function project() {
  const { folder, put, runProgram, remove } = realFolder()
  cleanUp.push(remove)
  const clock = virtualClock()
  const store = createStore({
    root: '/r',
    files: memoryFiles(),
    clock,
    log: silentLog,
    onProblem: ({ message }) => {
      throw new Error(message)
    },
  })
  const checks = createChecks({ store, runProgram, clock, log: silentLog, defaultTimeoutSeconds: () => 60 })
  cleanUp.push(() => checks.dispose())
  const after = async (work: Promise<unknown>) => {
    await work
    return checks.of(folder)
  }
  const api: Partial<ControlApi> = {
    checks: () => checks.of(folder),
    approveCheck: ({ name, argv }) => after(checks.approve(folder, name, argv)),
    forgetCheck: ({ name }) => after(checks.forget(folder, name)),
    declareCheck: ({ name, command, timeoutSeconds }) =>
      after(checks.declare(folder, { name, command, timeoutSeconds })),
    runCheck: ({ name }) => after(checks.run(folder, name, never)),
  }
  const person = { tty: { in: true, out: false, err: true, columns: 80 }, env: { NO_COLOR: '1' }, askLine: () => 'yes' }
  return {
    folder,
    put,
    declare: (run: readonly string[]) => put('.onward.json', JSON.stringify({ checks: [{ name: 'tests', run }] })),
    onward: (...words: string[]) => against(api, ['checks', ...words], person),
  }
}

describe('a check of .onward.json', () => {
  it('runs once it is approved, is asked again when its words change, stays required until forgotten', async () => {
    const { folder, put, declare, onward } = project()
    put('tests.cjs', 'console.log("2 of 214 fail"); process.exit(1)')
    declare([process.execPath, 'tests.cjs'])
    expect(await onward('run', 'b', 'tests')).toMatchObject({ code: 4, out: '' })

    const approved = await onward('approve', 'b', 'tests')
    expect(approved).toMatchObject({ code: 0, out: expect.stringMatching(/^○ tests .* approved {2}never ran/m) })
    expect(approved.err).toContain(`  Folder  ${folder}\n  Runs    ${process.execPath} tests.cjs\n`)
    expect(await onward('run', 'b', 'tests')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^▲ Check tests fails: 2 of 214 fail/),
    })

    put('tests.cjs', 'process.exit(0)')
    expect(await onward('run', 'b', 'tests')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Not what they were when it was approved: tests.cjs'),
    })

    declare([process.execPath, 'tests.cjs', '--fast'])
    expect((await onward('b')).out).toMatch(/^◆ tests .* changed since its approval/m)
    expect((await onward('run', 'b', 'tests')).code).toBe(4)
    expect((await onward('approve', 'b', 'tests')).err).toContain(
      `  Runs    ${process.execPath} tests.cjs --fast\n  Before  ${process.execPath} tests.cjs\n`,
    )

    put('.onward.json', '{}')
    expect((await onward('b')).out).toMatch(/^○ tests .* no longer declared, still required/m)
    expect((await onward('run', 'b', 'tests')).code).toBe(0)
    expect((await onward('forget', 'b', 'tests')).out).toContain('No check is declared')
  })
  it('that can’t be read is said so', async () => {
    const { put, onward } = project()
    put('.onward.json', '{ "checks": 1 }')
    expect((await onward('b')).out).toContain('▲ .onward.json, line 1: “checks” has to be a list of checks.\n')
  })
})

describe('a check that a person adds', () => {
  it.each([
    [['-e', 'process.exit(process.argv[1] === "it’s $HOME" ? 0 : 1)', 'it’s $HOME']],
    [['-e', "process.exit(process.argv[1] === '' ? 0 : 1)", '']],
  ])('runs with exactly its words: %j', async (args) => {
    const { onward } = project()
    expect(await onward('add', 'b', '--name', 'mine', '--', process.execPath, ...args)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^○ mine /m),
    })
    expect(await onward('run', 'b', 'mine')).toMatchObject({ code: 0 })
  })
  it.each([
    [['npm', 'test\u202e'], /can’t be seen/],
    [[''], /No program is named/],
  ])('is refused where it could not be approved for what it is: %j', async (argv, why) => {
    const { onward } = project()
    expect(await onward('add', 'b', '--name', 'mine', '--', ...argv)).toMatchObject({
      code: 4,
      err: expect.stringMatching(why),
    })
    expect((await onward('b')).out).toContain('No check is declared')
  })
  it('has a name of its own', async () => {
    const { onward } = project()
    await onward('add', 'b', '--name', 'mine', '--', 'true')
    expect(await onward('add', 'b', '--name', 'mine', '--', 'false')).toMatchObject({ code: 4 })
    expect((await onward('run', 'b', 'mine')).code).toBe(0)
  })
})
