import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../../shared/testing/wait-for.ts'

let folder: string
let program: string
const started: ChildProcess[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onward-pty-host-'))
  program = join(folder, 'pty-host.mjs')
  const bundle = await rolldown({
    input: resolve(import.meta.dirname, 'pty-host.ts'),
    platform: 'node',
    external: ['node-pty'],
    logLevel: 'silent',
  })
  await bundle.write({ file: program, format: 'esm', codeSplitting: false })
  await bundle.close()
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(async () => {
  for (const child of started.splice(0))
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await ended(child)
    }
})

const ended = (child: ChildProcess) =>
  new Promise<number | null>((done) => {
    child.once('close', done)
  })
function start(home: string): ChildProcess {
  const child = spawn(process.execPath, [program, home, 'hosted'], { stdio: 'ignore' })
  started.push(child)
  return child
}
const holds = (home: string) =>
  waitFor(
    'the pty-host to hold its home',
    () => existsSync(join(home, 'pty-host')) && readdirSync(join(home, 'pty-host')).length > 0,
  )

describe('the process that hosts PTYs', () => {
  it('is the only one of its home, and gives way to nobody while it lives', async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    const first = start(home)
    await holds(home)
    expect(await ended(start(home))).toBe(0)
    expect(first.exitCode).toBeNull()
    first.kill('SIGKILL')
    await ended(first)
    const next = start(home)
    await waitFor('the next one to take over', () =>
      readdirSync(join(home, 'pty-host')).some((name) => name.includes('2')),
    )
    expect(next.exitCode).toBeNull()
  })

  it('survives the end of the terminal it was started from', async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    const host = start(home)
    await holds(home)
    host.kill('SIGHUP')
    expect(await ended(start(home))).toBe(0)
    expect(host.signalCode).toBeNull()
  })
})
