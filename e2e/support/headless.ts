/** `onward run --headless` as a job of CI runs it: no terminal, pipes for its output, nobody there. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { findRunningEngine } from '../../electron/engine/control/attach.ts'
import { installAgents } from './agents.ts'
import { eachTest } from './each-test.ts'
import { cleanEnv, newHome, onwardBin, projectsOf, startEngine, type EngineProcess } from './engine-process.ts'
import { say, type MockUpstream } from './mock-upstream/index.ts'
import type { RealAgent } from './real/index.ts'
import { agentsIn } from './real/processes.ts'
import { told } from './real/told.ts'

export const task = 'Write the parts.'

export interface Job {
  child: ChildProcess
  out(): string
  err(): string
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; out: string; err: string }>
}

export interface HeadlessWorld {
  mock: MockUpstream
  reviewer: MockUpstream
  home: string
  /** where the agent works */
  folder: string
  /** an engine that runs already, and goes on after the job */
  engine(): Promise<EngineProcess>
  /** the same home and port, after its end */
  again(engine: EngineProcess): Promise<EngineProcess>
  /** `onward run --headless` with these words of its own, and the agent's */
  job(words: readonly string[], agent: readonly string[], more?: Readonly<Record<string, string>>, stdin?: string): Job
}

/** Call at the top of a describe. No engine runs but those that a job starts. */
export function headlessWorld(): (agent: RealAgent, config?: Record<string, unknown>) => Promise<HeadlessWorld> {
  const each = eachTest()
  return async (agent, config = {}) => {
    const [mock, reviewer] = [await each.mock({ auxiliary: 'may-script' }), await each.mock()]
    mock.otherwise = say('One part is written.')
    const home = newHome()
    const folder = join(projectsOf(home), 'work')
    mkdirSync(folder, { recursive: true })
    mkdirSync(home, { recursive: true, mode: 0o700 })
    const baseUrl = agent.provider.startsWith('openai-') ? `${mock.baseUrl}/v1` : mock.baseUrl
    const keys = [{ alias: 'main', value: 'mock-key' }]
    const price = { input: 1_000, output: 10_000 }
    const settings = {
      server: { port: 0 },
      providers: {
        mock: { type: agent.provider, baseUrl, keys, models: { 'mock-model': { price } } },
        critic: { type: 'openai-chat', baseUrl: `${reviewer.baseUrl}/v1`, keys, models: { strict: { price } } },
      },
      routes: { default: ['mock.mock-model'], review: ['critic.strict'] },
      ...config,
    }
    writeFileSync(join(home, 'config.json'), JSON.stringify(settings))
    const env = {
      ...cleanEnv(),
      SHELL: '/bin/sh',
      ...agent.seedHome(join(home, 'agent-home'), [folder]),
      ...agent.ownOfStart?.(join(home, 'agent-home'), 'work'),
      PATH: `${installAgents().path}:${cleanEnv().PATH ?? ''}`,
    }
    return {
      mock,
      reviewer,
      home,
      folder,
      engine: async () => each.running(await startEngine({ home })),
      again: async (engine) => each.running(await engine.restart()),
      job(words, command, more = {}, stdin) {
        const child = spawn(
          process.execPath,
          [onwardBin, 'run', '--headless', '--home', home, ...words, '--', ...command],
          { cwd: folder, env: { ...env, ...more }, stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] },
        )
        child.stdin?.end(stdin)
        const said = { out: '', err: '' }
        child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.out += text))
        child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.err += text))
        const ended = new Promise<Awaited<Job['ended']>>((resolve, reject) => {
          child.once('error', reject)
          child.once('close', (code, signal) => resolve({ code, signal, ...said }))
        })
        each.ends(async () => {
          if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
          await ended
        })
        return { child, out: () => said.out, err: () => said.err, ended }
      },
    }
  }
}

/** What the model was told, in order; opencode puts its prompt into quotes. */
export const allTold = ({ mock }: HeadlessWorld) => mock.turns().map((turn) => told(turn)?.replace(/^"(.*)"$/, '$1'))

/** Nothing of the run is left: no engine, no agent, no file with a key. */
export async function expectNothingLeft({ home, folder }: HeadlessWorld): Promise<void> {
  expect(await findRunningEngine(home)).toBeNull()
  expect(agentsIn(folder, home)).toEqual([])
  const launch = join(home, 'launch')
  // `signals` is the engine's own: hooks of any agent write into it
  expect(existsSync(launch) ? readdirSync(launch).filter((name) => name !== 'signals') : []).toEqual([])
}
