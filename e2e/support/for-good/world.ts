import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach } from 'vitest'
import type { SetUpClient } from '../../../shared/setup/first-run.ts'
import { installAgents } from '../agents.ts'
import { newHome, projectsOf, removeHomes, type EngineProcess } from '../engine-process.ts'
import { say, startMockUpstream, type MockUpstream } from '../mock-upstream/index.ts'
import { personAt, type Person } from '../real/person.ts'
import { realAgents } from '../real/index.ts'
import { closeWorld, openWorld } from '../real/world.ts'
import { tmuxDriver } from '../agent-driver.ts'
import type { TestTmux } from '../tmux.ts'
import { ownSettings } from './own-settings.ts'

/** What keeps agents from calling others; nothing of it leads anywhere. */
const quiet: Readonly<Record<string, string>> = {
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
}

export const throughOnward = 'Answered through Onward.'
export const byTheirs = 'Answered by their own provider.'

/** A person with an agent and settings of their own, and an Onward that knows nothing of it yet. */
export interface ForGoodWorld {
  readonly engine: EngineProcess
  /** the provider behind Onward, and the one they use without it */
  readonly mock: MockUpstream
  readonly theirs: MockUpstream
  readonly cwd: string
  /** their own settings of that agent */
  own(): void
  /** every file of their home that is an agent's settings, as bytes */
  settings(): ReadonlyMap<string, Buffer>
  setUp(): Promise<void>
  undo(): Promise<void>
  /** types the agent's bare name in a shell of tmux */
  start(): Person
  /** without a screen, until it ends by itself or the limit */
  run(args: readonly string[], limitMs: number): Promise<{ code: number | null; output: string }>
}

interface There {
  world: Awaited<ReturnType<typeof openWorld>>
  theirs: MockUpstream
  person: string
  cwd: string
}

/** Call at the top of a describe. */
export function forGoodWorld(client: SetUpClient): ForGoodWorld {
  const agent = realAgents[client]
  let there: There | null = null
  let panes = 0
  const get = (): There => {
    if (!there) throw new Error('only within a test')
    return there
  }
  beforeEach(async () => {
    const home = newHome()
    const [person, cwd] = [join(home, 'person'), join(projectsOf(home), 'work')]
    for (const path of [person, cwd]) mkdirSync(path, { recursive: true })
    const world = await openWorld(agent.provider, { home, env: { HOME: person }, inTmux: true })
    world.mock.otherwise = say(throughOnward)
    const theirs = await startMockUpstream()
    theirs.otherwise = say(byTheirs)
    there = { world, theirs, person, cwd }
  })
  afterEach(async () => {
    if (!there) return
    const { world, theirs } = there
    there = null
    await closeWorld(world)
    await theirs.dispose()
  })
  afterAll(removeHomes)
  const env = () => ({ HOME: get().person, TERM: 'xterm-256color', LANG: 'C.UTF-8', IS_SANDBOX: '1', ...quiet })
  const path = () => `${installAgents().path}:/usr/local/bin:/usr/bin:/bin`
  return {
    get engine() {
      return get().world.engine
    },
    get mock() {
      return get().world.mock
    },
    get theirs() {
      return get().theirs
    },
    get cwd() {
      return get().cwd
    },
    own() {
      const { person, cwd, theirs } = get()
      const { files, project } = ownSettings[client]
      for (const [name, text] of Object.entries(files(theirs.baseUrl, cwd))) put(join(person, name), text)
      for (const [name, text] of Object.entries(project?.(theirs.baseUrl) ?? {})) put(join(cwd, name), text)
    },
    settings() {
      const { person } = get()
      return new Map(
        settingsOf[client]
          .map((name) => join(person, name))
          .filter((file) => existsSync(file))
          .map((file) => [file, readFileSync(file)] as const),
      )
    },
    async setUp() {
      const { api } = get().world.engine.control
      const setup = (await api.agentSetups.query()).find((one) => one.client === client)
      if (setup?.kind !== 'possible') throw new Error(`not possible: ${JSON.stringify(setup)}`)
      await api.setUpAgent.mutate({ client, fingerprint: setup.fingerprint })
    },
    undo: () => get().world.engine.control.api.undoAgentSetup.mutate(client),
    start() {
      const { world, cwd } = get()
      const pane = inShell(world.tmux, `by-hand-${++panes}`, cwd, env())
      const driver = tmuxDriver(world.tmux, pane)
      driver.type(`PATH=${path()} ${client} ${agent.args.join(' ')}`)
      driver.press('Enter')
      return personAt(agent, cwd, { ...driver, follow: () => undefined, dispose: () => world.tmux.killPane(pane) })
    },
    run: (args, limitMs) =>
      new Promise((done, bad) => {
        const child = spawn(client, args, {
          cwd: get().cwd,
          env: { ...env(), PATH: path() },
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        let output = ''
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (data: Buffer) => {
            output += data.toString()
          })
        const limit = setTimeout(() => child.kill('SIGKILL'), limitMs)
        child.once('error', bad)
        child.once('close', (code) => {
          clearTimeout(limit)
          done({ code, output })
        })
      }),
  }
}

const inShell = (tmux: TestTmux, name: string, cwd: string, env: Record<string, string>) =>
  tmux.session(name, 'bash --norc --noprofile', { cwd, env, cols: 120, rows: 40 })

/** The files that setting up may touch. */
const settingsOf: Readonly<Record<SetUpClient, readonly string[]>> = {
  claude: ['.claude/settings.json'],
  codex: ['.codex/config.toml'],
  opencode: ['.config/opencode/opencode.jsonc', '.config/opencode/opencode.json'],
  gemini: ['.gemini/settings.json', '.gemini/.env'],
  qwen: ['.qwen/settings.json', '.qwen/.env'],
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
