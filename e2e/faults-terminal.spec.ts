/** The window of a terminal is closed while Onward runs in it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { spawn } from 'node-pty'
import { afterAll, describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { installAgents } from './support/agents.ts'
import { connectForTest } from './support/control-client.ts'
import { cleanEnv, newHome, onwardBin, removeHomes } from './support/engine-process.ts'

afterAll(removeHomes)

const root = resolve(import.meta.dirname, '..')
const node24 = installAgents().node24
/** an agent that ends by itself when its terminal does */
const agent = ['sh', '-c', 'trap "exit 3" HUP; echo READY; while :; do sleep 0.1; done']

interface Window {
  said(): string
  /** as a terminal's program does it that ends: nobody holds the other side any more */
  close(): void
  ended: Promise<{ exitCode: number; signal: number | null }>
}

function windowWith(program: string, args: readonly string[], home: string): Window {
  const pty = spawn(program, [...args], {
    name: 'xterm-256color',
    cols: 80,
    rows: 24,
    encoding: null,
    cwd: root,
    env: { ...cleanEnv(), ONWARD_HOME: home, ONWARD_PORT: '0' },
  })
  let said = ''
  pty.onData((bytes) => (said += String(bytes)))
  return {
    said: () => said,
    close: () => (pty as unknown as { destroy(): void }).destroy(),
    ended: new Promise((done) => pty.onExit(({ exitCode, signal }) => done({ exitCode, signal: signal || null }))),
  }
}

const showing = (window: Window, what: RegExp) =>
  waitFor(`${what} in the window`, () => (what.test(window.said()) ? true : null))
const engineOf = (home: string) =>
  waitFor('an engine', () => {
    const note = join(home, 'engine.json')
    return existsSync(note) ? (JSON.parse(readFileSync(note, 'utf8')) as { pid: number }).pid : null
  })
const lives = (pid: number): boolean => existsSync(`/proc/${pid}`)

const linuxOnly = unless(process.platform === 'linux' ? null : 'the kernel’s hang-up is looked at on Linux')

describe('a closed window', linuxOnly, () => {
  it.each([
    ['onward serve', [process.execPath, onwardBin, 'serve'], 1],
    ['npm start', [process.execPath, 'scripts/start.mjs'], 1],
    ...(node24 ? [['onward serve under Node 24', [node24, onwardBin, 'serve'], 1] as const] : []),
    // A shell and the system may both tell of it: the second time is no order to end at once.
    ['onward serve, told twice', [process.execPath, onwardBin, 'serve'], 2],
  ] as const)('ends %s as a signal does: cleanly, with everything on disk', async (_name, argv, times) => {
    const home = newHome()
    const code = join(home, 'code')
    const window = windowWith('bash', ['-c', `trap : HUP; ${argv.join(' ')}; echo $? > ${code}`], home)
    await showing(window, /runs at/)
    const pid = await engineOf(home)
    window.close()
    for (let i = 0; i < times; i++) process.kill(pid, 'SIGHUP')
    expect(await waitFor('its exit code', () => (existsSync(code) ? readFileSync(code, 'utf8') : null))).toBe('0\n')
    expect(existsSync(join(home, 'engine.json'))).toBe(false)
    expect(existsSync(join(home, 'crashes'))).toBe(false)
  })

  it('ends a command that follows the log with its own exit code', async () => {
    const home = newHome()
    mkdirSync(join(home, 'logs'))
    writeFileSync(join(home, 'logs/engine.log'), `${JSON.stringify({ level: 30, time: 0, msg: 'a line' })}\n`)
    const window = windowWith(process.execPath, [onwardBin, 'logs', '--follow'], home)
    await showing(window, /a line/)
    window.close()
    expect(await window.ended).toEqual({ exitCode: 0, signal: null })
  })

  it('ends the agent’s command as the agent ends, and leaves the engine that it started alone', async () => {
    const home = newHome()
    const window = windowWith(process.execPath, [onwardBin, 'run', '--', ...agent], home)
    await showing(window, /READY/)
    const pid = await engineOf(home)
    try {
      const [, session, terminal] = /\) \S+ \S+ \S+ (\S+) (\S+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      expect({ session, terminal }).toEqual({ session: String(pid), terminal: '0' })
      const open = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
      expect(open.filter((path) => /^\/dev\/(pts|tty|ptmx)/.test(path))).toEqual([])
      window.close()
      expect(await window.ended).toEqual({ exitCode: 3, signal: null })
      const control = await connectForTest(home)
      expect((await control.api.status.query()).pid).toBe(pid)
      control.dispose()
    } finally {
      process.kill(pid, 'SIGTERM')
      await waitFor('the end', () => (lives(pid) ? null : true))
    }
  })
})

/** Some are closed between the listing and the look. */
function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)]
  } catch {
    return []
  }
}
