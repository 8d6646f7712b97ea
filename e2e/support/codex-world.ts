import { beforeEach } from 'vitest'
import { installAgents } from './agents.ts'
import { localKey, startCodex, type Codex, type CodexPlace } from './codex.ts'
import { cleanEnv, startEngine, type EngineOptions, type EngineProcess, type RunningEngine } from './engine-process.ts'
import { eachTest } from './each-test.ts'
import { say, type MockOptions, type MockUpstream } from './mock-upstream/index.ts'
import { mockProvider } from './entries.ts'
import type { TestTmux } from './tmux.ts'

/** A mocked upstream, an engine and a tmux server of its own for every test. */
export interface CodexWorld<E extends RunningEngine = EngineProcess> {
  readonly mock: MockUpstream
  /** whoever reviews goals; only where the world has a `reviewer` */
  readonly reviewer: MockUpstream
  readonly engine: E
  readonly tmux: TestTmux
  start(place: Pick<CodexPlace, 'how'> & Partial<CodexPlace>): Promise<Codex>
  /** another one has taken the engine's place, on the same home */
  replace(engine: E): void
}

export interface CodexWorldOptions {
  /** that part of the config */
  stopMessage?: Record<string, unknown>
  /** side requests go to the mock's script, too */
  script?: boolean
  /** what the mocked provider speaks */
  type?: 'openai-responses' | 'openai-chat' | 'anthropic'
  /** that whoever calls needs one of; none: the person's own programs need none */
  keys?: readonly string[]
  /** goals are reviewed by a model at a provider of its own, `judge` */
  reviewer?: boolean
  gaps?: MockOptions['gaps']
}

/** Call at the top of a describe. */
export const codexWorld = (options: CodexWorldOptions = {}): CodexWorld => codexWorldOf(startEngine, options)

/** The same with an engine that is started in another way. */
export function codexWorldOf<E extends RunningEngine>(
  start: (options: EngineOptions) => Promise<E>,
  {
    stopMessage = {},
    script = false,
    type = 'openai-responses',
    reviewer: reviewed = false,
    keys = [localKey],
    gaps,
  }: CodexWorldOptions = {},
): CodexWorld<E> {
  const each = eachTest()
  let there: { mock: MockUpstream; reviewer: MockUpstream | null; engine: E; tmux: TestTmux } | null = null
  const get = () => {
    if (!there) throw new Error('only within a test')
    return there
  }
  beforeEach(async () => {
    const { bin } = installAgents()
    const mock = await each.mock({ auxiliary: script ? 'script' : 'answer', ...(gaps ? { gaps } : {}) })
    mock.otherwise = say('One part is written.')
    const reviewer = reviewed ? await each.mock() : null
    const tmux = each.tmux()
    const engine = await start({
      // Agents started by hand are looked for in the tmux the engine was started in.
      env: { PATH: `${bin}:${cleanEnv().PATH ?? ''}`, TMUX: `${tmux.socket},1,0` },
      config: {
        server: { keys },
        providers: {
          mock: mockProvider(mock, { type }),
          ...(reviewer && { judge: judgeAt(reviewer) }),
        },
        routes: { default: ['mock.mock-model'], ...(reviewer && { review: ['judge.judge-model'] }) },
        stopMessage,
      },
    })
    there = { mock, reviewer, tmux, engine: each.running(engine) }
  })

  return {
    get mock() {
      return get().mock
    },
    get reviewer() {
      const { reviewer } = get()
      if (!reviewer) throw new Error('this world has no reviewer')
      return reviewer
    },
    get engine() {
      return get().engine
    },
    get tmux() {
      return get().tmux
    },
    async start(place) {
      const { engine, tmux } = get()
      const codex = await startCodex({ engine, tmux, session: 'work', ...place })
      each.ends(() => codex.dispose())
      return codex
    },
    replace(engine) {
      there = { ...get(), engine: each.running(engine) }
    },
  }
}

/** Its price is another one than that of what it reviews. */
const judgeAt = ({ baseUrl }: MockUpstream) => ({
  type: 'openai-chat',
  baseUrl: `${baseUrl}/v1`,
  keys: [{ alias: 'main', value: 'judge-key' }],
  models: { 'judge-model': { price: { input: 2, output: 10 } } },
})
