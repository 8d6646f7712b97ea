import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connectForTest, type TestControl } from './control-client.ts'
import { evidence, type Exhibits } from './evidence/evidence.ts'

/** Wherever it runs. */
export interface RunningEngine {
  home: string
  port: number
  baseUrl: string
  /** a new link, good for one page */
  dashboard(): Promise<string>
  control: TestControl
  stop(): Promise<void>
}

export interface EngineProcess extends RunningEngine {
  pid: number
  /** everything it printed so far */
  output(): string
  /** ends it without a chance to tidy up */
  kill(): Promise<void>
  /** starts it again on the same home, after `kill` or `stop` */
  restart(): Promise<EngineProcess>
  /** the same, and ends it without a chance to tidy up after so many milliseconds, ready or not */
  startAndKill(ms: number): Promise<void>
}

export interface EngineOptions {
  /** as it would stand in config.json */
  config?: Record<string, unknown>
  home?: string
  env?: Record<string, string>
  /** fixed port, for restarts under running clients */
  port?: number
  node?: string
  /** another Onward than the one built here, as a script of Node */
  bin?: string
}

/** the build under test; `ONWARD_BIN` names another one, an installed one for instance */
export const onwardBin = process.env['ONWARD_BIN'] ?? resolve(import.meta.dirname, '../../out/main/onward.js')

const made: (() => void)[] = []
/** Call in afterAll: removes every home made here. */
export function removeHomes(): void {
  for (const remove of made.splice(0)) remove()
}

/** A fresh Onward home. */
export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'onward-home-'))
  made.push(() => {
    removeTree(home)
    removeTree(projectsOf(home))
  })
  return home
}

/**
 * Where the projects of its agents are: beside it, as a person's are. Of a home itself nothing is shown to a reviewer.
 */
export const projectsOf = (home: string): string => `${home}-projects`

/** An agent whose terminal was closed goes on writing below its home until it has ended. */
function removeTree(home: string): void {
  for (let left = 100; ; left--) {
    try {
      return rmSync(home, { recursive: true, force: true })
    } catch (error) {
      // rmSync's own retries do not remove what came in between
      if (left === 0) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    }
  }
}

/** The real engine as `onward serve` starts it, on loopback and a free port, with a home of its own. */
export async function startEngine(options: EngineOptions = {}): Promise<EngineProcess> {
  if (!existsSync(options.bin ?? onwardBin)) throw new Error('not built: run `npm run build` first')
  const home = options.home ?? newHome()
  mkdirSync(home, { recursive: true, mode: 0o700 })
  if (options.config) writeFileSync(join(home, 'config.json'), JSON.stringify(options.config, null, 2))
  const child = spawnEngine({ ...options, home })
  const output: string[] = []
  child.stderr?.on('data', (data: Buffer) => output.push(data.toString()))
  const ready = await firstLine(child, output)
  const control = await connectForTest(home)
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  const forget = evidence(() => ({ ...exhibitsOf(home), 'engine-said.txt': output.join('') }))
  const end = async (signal: NodeJS.Signals) => {
    forget()
    control.dispose()
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await gone
  }
  return {
    home,
    port: ready.port,
    pid: ready.pid,
    baseUrl: `http://127.0.0.1:${ready.port}`,
    dashboard: () => control.api.dashboardLink.mutate(),
    control,
    output: () => output.join(''),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    restart: () => startEngine({ ...options, home, port: options.port ?? ready.port }),
    async startAndKill(ms) {
      const short = spawnEngine({ ...options, home, port: options.port ?? ready.port })
      const over = new Promise<void>((done) => short.once('exit', () => done()))
      setTimeout(() => short.kill('SIGKILL'), ms)
      await over
    },
  }
}

/** What an engine leaves in its home that tells what it did. */
export function exhibitsOf(home: string): Exhibits {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
  const telling = files.filter((path) =>
    /^logs\/|timeline\.jsonl$|outbox\/.*\.json$|stop-message\/.*\.json$/.test(path),
  )
  return Object.fromEntries(
    telling
      .filter((path) => statSync(join(home, path)).isFile())
      .map((path) => [`engine-${path.replaceAll('/', '-')}`, readFileSync(join(home, path))]),
  )
}

function spawnEngine(options: EngineOptions & { home: string }): ChildProcess {
  return spawn(
    options.node ?? process.execPath,
    [options.bin ?? onwardBin, 'serve', '--json', '--home', options.home, '--port', String(options.port ?? 0)],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      // What the person's own shell does at its start (pyenv, say) takes a second of CPU, and each engine asks one.
      env: { ...cleanEnv(), SHELL: '/bin/sh', ...options.env },
    },
  )
}

const notThePersons = [
  /^(ONWARD|ROUTECODEX|ANTHROPIC|OPENAI|CODEX|GEMINI|QWEN|TMUX)/,
  /^(VITEST|NODE_OPTIONS)/,
  /^(HTTPS?_PROXY|ALL_PROXY)/i,
  /^(CI$|CI_|CONTINUOUS_INTEGRATION|NO_COLOR|FORCE_COLOR)/,
]

/**
 * The person's environment without anything that points an agent or Onward somewhere, or that takes an agent's colours
 * (as CI does). No test asks the internet's time servers, or
 * writes into the person's keychain.
 */
export function cleanEnv(): Record<string, string> {
  const out: Record<string, string> = { ROUTECODEX_CLOCK_NTP: 'off', ONWARD_KEYCHAIN: '0' }
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !notThePersons.some((pattern) => pattern.test(name))) out[name] = value
  }
  return out
}

interface Ready {
  port: number
  url: string
  dashboard: string
  controlTokenFile: string
  pid: number
}

function firstLine(child: ChildProcess, output: string[]): Promise<Ready> {
  return new Promise((ok, bad) => {
    let text = ''
    child.stdout?.on('data', (data: Buffer) => {
      text += data.toString()
      output.push(data.toString())
      const line = text.split('\n').find((l) => l.startsWith('{'))
      if (line && text.includes('\n')) ok(JSON.parse(line) as Ready)
    })
    child.once('exit', (code) =>
      bad(new Error(`the engine ended with ${code} before it was ready: ${output.join('')}`)),
    )
    child.once('error', bad)
  })
}
