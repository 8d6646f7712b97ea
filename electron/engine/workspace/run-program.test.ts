import { realpathSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { tempFolders } from '../store/testing/temp-folder.ts'
import { createRunProgram } from './run-program.ts'
import { createRunningPrograms } from './running-programs.ts'
import { lives, nodeProgram, realPrograms } from './testing/real-programs.ts'
import { until } from '../../../shared/testing/wait-for.ts'

const folder = tempFolders()
const never = () => new AbortController().signal
const MINUTE = 60_000

describe('a program', () => {
  it('runs in its folder, with its input, and its end is told', async () => {
    const cwd = folder()
    const end = await realPrograms()(
      {
        argv: nodeProgram(`
      let text = ''
      process.stdin.on('data', (part) => { text += part }).on('end', () => {
        console.log(process.cwd() + ' ' + text)
        console.error('oh')
        process.exitCode = 3
      })`),
        cwd,
        stdin: 'größer',
        timeoutMs: MINUTE,
      },
      never(),
    )
    expect(end).toMatchObject({
      kind: 'exited',
      exitCode: 3,
      stdout: `${realpathSync(cwd)} größer\n`,
      stderr: 'oh\n',
      problem: null,
    })
    expect(end.ms).toBeGreaterThanOrEqual(0)
  })

  it('has only the environment it is given', async () => {
    const run = createRunProgram({ clock: virtualClock(), env: async () => ({ A: '1', B: '2', GONE: undefined }) })
    const end = await run(
      {
        argv: nodeProgram(
          'console.log(JSON.stringify(Object.keys(process.env).filter((name) ' +
            '=> !name.startsWith("__")).sort()), process.env.B)',
        ),
        cwd: folder(),
        timeoutMs: MINUTE,
        env: { B: '3' },
      },
      never(),
    )
    expect(end.stdout).toBe('["A","B"] 3\n')
  })

  it('is found on the PATH it is given', async () => {
    const bin = folder()
    await writeFile(join(bin, 'only-here'), '#!/bin/sh\necho found "$1"\n', { mode: 0o755 })
    const run = createRunProgram({ clock: virtualClock(), env: async () => ({ PATH: bin }) })
    expect(await run({ argv: ['only-here', '$(id) ; x'], cwd: folder(), timeoutMs: MINUTE }, never())).toMatchObject({
      kind: 'exited',
      stdout: 'found $(id) ; x\n',
    })
  })

  it('keeps the ends of what it says', async () => {
    const end = await realPrograms()(
      {
        argv: nodeProgram(
          'process.stdout.write("ä".repeat(200000) + "end"); process.stderr.write("e".repeat(200000) + "!")',
        ),
        cwd: folder(),
        timeoutMs: MINUTE,
        outputChars: 10,
      },
      never(),
    )
    expect(end).toMatchObject({ stdout: 'äääääääend', stderr: 'eeeeeeeee!' })
  })

  it('need not read its input', async () => {
    expect(
      await realPrograms()(
        { argv: nodeProgram('process.exit(0)'), cwd: folder(), stdin: 'x'.repeat(4_000_000), timeoutMs: MINUTE },
        never(),
      ),
    ).toMatchObject({ kind: 'exited', exitCode: 0 })
  })

  it('that a signal ended has no exit code', async () => {
    expect(
      await realPrograms()(
        { argv: nodeProgram('process.kill(process.pid, "SIGINT")'), cwd: folder(), timeoutMs: MINUTE },
        never(),
      ),
    ).toMatchObject({ kind: 'exited', exitCode: null })
  })
})

describe('a program that can’t be started', () => {
  it.each([
    ['none named', [], /No program/],
    ['an empty name', [''], /No program/],
    ['missing', ['there-is-no-such-program'], /There is no program “there-is-no-such-program”/],
    ['no program', ['./text'], /not executable/],
    ['a NUL in its words', ['node', 'a\0b'], /can’t be started/],
  ])('%s', async (_name, argv, why) => {
    const cwd = folder()
    await writeFile(join(cwd, 'text'), 'x', { mode: 0o644 })
    const end = await realPrograms()({ argv, cwd, timeoutMs: MINUTE }, never())
    expect(end).toMatchObject({ kind: 'not-started', exitCode: null, problem: expect.stringMatching(why) })
  })

  it('its folder is gone', async () => {
    const cwd = join(folder(), 'gone')
    expect(await realPrograms()({ argv: ['node'], cwd, timeoutMs: MINUTE }, never())).toMatchObject({
      kind: 'not-started',
      problem: `The folder ${cwd} is gone.`,
    })
  })

  it('its environment can’t be had', async () => {
    const run = createRunProgram({ clock: virtualClock(), env: () => Promise.reject(new Error('no shell')) })
    expect(await run({ argv: ['node'], cwd: folder(), timeoutMs: MINUTE }, never())).toMatchObject({
      kind: 'not-started',
      problem: expect.stringContaining('no shell'),
    })
  })
})

/** Says its own pid and that of a child of its child in a file, and stays; `trap`: it does not end when asked to. */
const family = (trap: boolean) =>
  nodeProgram(`
  const { spawn } = require('node:child_process')
  const { renameSync, writeFileSync } = require('node:fs')
  ${trap ? "process.on('SIGTERM', () => console.log('no'))" : ''}
  const child = spawn(process.execPath, ['-e', ${JSON.stringify(`
    ${trap ? "process.on('SIGTERM', () => undefined)" : ''}
    const { spawn } = require('node:child_process')
    const grandchild = spawn(process.execPath, ['-e', ${JSON.stringify(
      `${trap ? "process.on('SIGTERM', () => undefined);" : ''}` +
        'console.log(process.pid);setInterval(() => undefined, 1000)',
    )}], { stdio: ['ignore', 'pipe', 'inherit'] })
    grandchild.stdout.on('data', (pid) => process.stdout.write(pid))
  `)}], { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.on('data', (pid) => {
    writeFileSync('pids.tmp', JSON.stringify([process.pid, child.pid, Number(pid)]))
    renameSync('pids.tmp', 'pids')
    console.log('up')
  })`)

const pidsIn = (cwd: string): Promise<number[]> =>
  readFile(join(cwd, 'pids'), 'utf8').then(
    (text) => JSON.parse(text),
    () => [],
  )
const allGone = (pids: readonly number[]) =>
  until(async () => (await Promise.all(pids.map(lives))).every((alive) => !alive))

describe('the end of a program', () => {
  it.each([
    ['when its time is over', false],
    ['when its time is over and it does not listen', true],
  ])('comes to all of its group %s', async (_name, trap) => {
    const clock = virtualClock()
    const cwd = folder()
    const ended = realPrograms(clock)({ argv: family(trap), cwd, timeoutMs: 5_000 }, never())
    await until(async () => (await pidsIn(cwd)).length === 3)
    const pids = await pidsIn(cwd)
    await clock.advance(4_999)
    expect(await Promise.all(pids.map(lives))).toEqual([true, true, true])
    await clock.advance(1)
    if (trap) await clock.advance(2_000)
    expect(await ended).toMatchObject({ kind: 'timed-out', exitCode: null, problem: null })
    await allGone(pids)
    expect(clock.pending()).toBe(0)
  })

  it('comes to all of its group when it is stopped', async () => {
    const clock = virtualClock()
    const cwd = folder()
    const stopping = new AbortController()
    const ended = realPrograms(clock)({ argv: family(false), cwd, timeoutMs: MINUTE }, stopping.signal)
    await until(async () => (await pidsIn(cwd)).length === 3)
    stopping.abort()
    expect(await ended).toMatchObject({ kind: 'stopped', stdout: expect.stringMatching(/^(up\n)?$/) })
    await allGone(await pidsIn(cwd))
    expect(clock.pending()).toBe(0)
  })

  it.each([false, true])(
    'comes to all of its group with who runs it, though it does not listen (stopped before: %s)',
    async (before) => {
      const clock = virtualClock()
      const cwd = folder()
      const programs = createRunningPrograms({ clock, env: async () => ({ PATH: process.env.PATH }) })
      const stopping = new AbortController()
      const ended = programs.run({ argv: family(true), cwd, timeoutMs: MINUTE }, stopping.signal)
      await until(async () => (await pidsIn(cwd)).length === 3)
      // stopped before, which would take longer
      if (before) stopping.abort()
      let gone = false
      const over = programs.dispose().then(() => {
        gone = true
      })
      await clock.advance(699)
      expect(gone).toBe(false)
      expect(await lives((await pidsIn(cwd))[0] ?? 0)).toBe(true)
      await clock.advance(1)
      await over
      expect(await ended).toMatchObject({ kind: 'stopped' })
      await allGone(await pidsIn(cwd))
      expect(await programs.run({ argv: nodeProgram(''), cwd, timeoutMs: MINUTE }, never())).toMatchObject({
        kind: 'stopped',
      })
      expect(clock.pending()).toBe(0)
    },
  )

  it('comes to what it left running', async () => {
    const cwd = folder()
    const end = await realPrograms()(
      { argv: ['sh', '-c', 'sleep 600 & echo $! >pid; exit 4'], cwd, timeoutMs: MINUTE },
      never(),
    )
    expect(end).toMatchObject({ kind: 'exited', exitCode: 4 })
    await allGone([Number(await readFile(join(cwd, 'pid'), 'utf8'))])
  })

  it('is told though a process that left its group holds its output', async () => {
    const clock = virtualClock()
    const cwd = folder()
    const ended = realPrograms(clock)(
      {
        argv: nodeProgram(`
      const late = ['-e', 'setTimeout(() => undefined, 60000)']
      const how = { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }
      const child = require('node:child_process').spawn(process.execPath, late, how)
      require('node:fs').writeFileSync('pid', String(child.pid))
      child.unref()
      process.exitCode = 5`),
        cwd,
        timeoutMs: MINUTE,
      },
      never(),
    )
    const pid = async () => Number(await readFile(join(cwd, 'pid'), 'utf8').catch(() => 0))
    await until(async () => (await pid()) > 0)
    let told = false
    void ended.then(() => {
      told = true
    })
    await until(async () => {
      await clock.advance(2_000)
      return told
    })
    process.kill(await pid(), 'SIGKILL')
    expect((await ended).exitCode).toBe(5)
    expect((await ended).kind).toBe('exited')
  })

  it('is told of one that was stopped before it began', async () => {
    expect(
      await realPrograms()({ argv: nodeProgram(''), cwd: folder(), timeoutMs: MINUTE }, AbortSignal.abort()),
    ).toMatchObject({ kind: 'stopped', exitCode: null })
  })

  it('is told of one that was stopped while its environment was asked for', async () => {
    const stopping = new AbortController()
    const cwd = folder()
    const run = createRunProgram({
      clock: virtualClock(),
      env: async () => {
        stopping.abort()
        return { PATH: process.env.PATH }
      },
    })
    expect(
      await run(
        { argv: nodeProgram('require("node:fs").writeFileSync("ran", "")'), cwd, timeoutMs: MINUTE },
        stopping.signal,
      ),
    ).toMatchObject({ kind: 'stopped' })
    expect(await readFile(join(cwd, 'ran')).catch(() => null)).toBeNull()
  })
})
