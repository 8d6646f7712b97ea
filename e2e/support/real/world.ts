import { beforeEach } from 'vitest'
import { installAgents } from '../agents.ts'
import { cleanEnv, startEngine, type EngineOptions, type EngineProcess } from '../engine-process.ts'
import { eachTest } from '../each-test.ts'
import { endTerminalHosts } from '../hosted-agent-driver.ts'
import { say, startMockUpstream, type MockUpstream } from '../mock-upstream/index.ts'
import { startTmux, type TestTmux } from '../tmux.ts'
import { endAgents } from './end-agents.ts'
import { startAgent, type AgentPlace, type Person } from './person.ts'
import { mockProvider } from '../entries.ts'
import type { RealAgent } from './types.ts'

/** A mocked provider, an engine and a tmux server of its own for every test of an agent. */
export interface AgentWorld {
  readonly mock: MockUpstream
  readonly engine: EngineProcess
  readonly tmux: TestTmux
  start(agent: RealAgent, place: Pick<AgentPlace, 'how'> & Partial<AgentPlace>): Promise<Person>
  /** another one has taken the engine's place, on the same home */
  replace(engine: EngineProcess): void
}

type Provider = RealAgent['provider']

interface There {
  mock: MockUpstream
  engine: EngineProcess
  tmux: TestTmux
  people: Person[]
}

interface WorldOptions extends Pick<RealAgent, 'provider'> {
  /** what a second provider speaks, which answers where the first one can't */
  next?: Provider
  /** how long the model may be silent, in milliseconds, by the names of the config */
  timeouts?: Readonly<Record<string, number>>
}

/** Call at the top of a describe. */
export function agentWorld({ provider, next, timeouts }: WorldOptions): AgentWorld {
  const each = eachTest()
  let there: There | null = null
  const get = (): There => {
    if (!there) throw new Error('only within a test')
    return there
  }
  beforeEach(async () => {
    const opened = await openWorld(provider, { next, timeouts })
    there = { ...opened, people: [] }
    each.ends(() => closeWorld(get()))
  })
  return {
    get mock() {
      return get().mock
    },
    get engine() {
      return get().engine
    },
    get tmux() {
      return get().tmux
    },
    async start(agent, place) {
      const { engine, tmux, people } = get()
      const person = await startAgent(agent, { engine, tmux, name: 'work', ...place })
      people.push(person)
      each.ends(() => person.dispose())
      return person
    },
    replace(engine) {
      get().engine = engine
      for (const person of get().people) person.follow(engine)
    },
  }
}

/** The parts, for whoever drives agents outside of a test. */
export async function openWorld(
  type: Provider,
  {
    home,
    env,
    bin,
    next,
    timeouts = {},
    inTmux = false,
  }: Pick<EngineOptions, 'home' | 'env' | 'bin'> & {
    next?: Provider | undefined
    timeouts?: WorldOptions['timeouts'] | undefined
    inTmux?: boolean
  } = {},
): Promise<Omit<There, 'people'>> {
  const mock = await startMockUpstream({ auxiliary: 'may-script' })
  mock.otherwise = say('One part is written.')
  const tmux = startTmux()
  const engine = await startEngine({
    ...(home === undefined ? {} : { home }),
    ...(bin === undefined ? {} : { bin }),
    env: {
      PATH: `${installAgents().path}:${cleanEnv().PATH ?? ''}`,
      // as an engine that was started there: that server's panes are looked through
      ...(inTmux ? { TMUX: `${tmux.socket},1,0` } : {}),
      ...env,
    },
    config: {
      providers: {
        mock: { ...providerAt(mock, type, 'mock-model'), quirks: { timeouts } },
        ...(next && { next: providerAt(mock, next, 'next-model') }),
      },
      routes: { default: ['mock.mock-model', ...(next ? ['next.next-model'] : [])] },
    },
  })
  return { mock, engine, tmux }
}

const providerAt = (mock: MockUpstream, type: Provider, model: string) =>
  mockProvider(mock, { type, models: { [model]: {} } })

export async function closeWorld({ mock, engine, tmux }: Omit<There, 'people'>): Promise<void> {
  tmux.dispose()
  endAgents(engine.home)
  await engine.stop()
  endTerminalHosts(engine.home)
  await mock.dispose()
}
