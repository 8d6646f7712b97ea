/** A check approved at a real terminal, and not from a pipe. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { spawn as spawnPty, type BytePty } from 'node-pty'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sampleStatus } from '../engine/control/testing/fake-control-api.ts'
import { buildCli, type BuiltCli } from './testing/build-cli.ts'
import { sampleCheck, sampleFolder } from './testing/sample-goal.ts'
import { testHome, type TestHome } from './testing/test-cli.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

let cli: BuiltCli
beforeAll(async () => {
  cli = await buildCli()
}, 60_000)
afterAll(() => cli.remove())

const cleanUp: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean()
})

async function engine() {
  const asked: unknown[] = []
  const home: TestHome = await testHome({
    status: async () => sampleStatus(),
    checks: async () => sampleFolder([sampleCheck({ approval: 'not-approved', last: null })]),
    approveCheck: async (input) => {
      asked.push(input)
      return sampleFolder()
    },
  })
  cleanUp.push(() => home.remove())
  return { path: home.path, asked }
}
const environment = (home: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  ONWARD_HOME: home,
  NO_COLOR: '1',
  TERM: 'xterm',
})
const words = ['checks', 'approve', 'billing', 'tests']

/** The command in a terminal of its own; its output, and its exit code once it ended. */
function atTerminal(home: string): { terminal: BytePty; seen(): string; ended(): number | null } {
  const terminal = spawnPty(process.execPath, [cli.onward, ...words], {
    name: 'xterm',
    cols: 100,
    rows: 30,
    cwd: tmpdir(),
    env: environment(home),
    encoding: null,
  })
  let seen = ''
  let code: number | null = null
  terminal.onData((data) => {
    seen += String(data)
  })
  terminal.onExit(({ exitCode }) => {
    code = exitCode
  })
  cleanUp.push(() => {
    if (code === null) terminal.kill('SIGKILL')
  })
  return { terminal, seen: () => seen, ended: () => code }
}

describe('a check is approved', () => {
  it.each([
    ['tests', 0, 1],
    ['yes', 0, 1],
    ['no', 4, 0],
    ['', 4, 0],
  ])('by “%s” typed at a terminal: ends with %i', async (typed, exit, approvals) => {
    const { path, asked } = await engine()
    const { terminal, seen, ended } = atTerminal(path)
    await waitFor('the question', () => seen().includes('Type tests, or yes: '))
    expect(seen()).toContain('Folder  /home/ada/code/billing')
    expect(seen()).toContain('Runs    npm test')
    expect(asked).toEqual([])
    terminal.write(Buffer.from(`${typed}\r`))
    await waitFor('its end', () => ended() !== null)
    expect(ended()).toBe(exit)
    expect(asked).toHaveLength(approvals)
  })
  it('not by a program that writes yes into a pipe', async () => {
    const { path, asked } = await engine()
    const child = spawn(process.execPath, [cli.onward, ...words], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: environment(path),
    })
    cleanUp.push(() => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    })
    let err = ''
    child.stderr.on('data', (data: Buffer) => {
      err += String(data)
    })
    child.stdin.end('yes\nyes\n')
    const [code] = await once(child, 'close')
    expect({ code, asked }).toEqual({ code: 4, asked: [] })
    expect(err).toContain('Approving a check needs a person at a terminal who confirms it.')
  })
})
