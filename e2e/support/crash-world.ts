import { existsSync } from 'node:fs'
import type { OutboxEntry } from '../../electron/engine/terminals/outbox/entry.ts'
import { startEngine, type EngineProcess } from './engine-process.ts'
import { say, startMockUpstream, type MockUpstream } from './mock-upstream/index.ts'
import { outboxFiles, type OutboxFiles } from './outbox-files.ts'
import { startTmux, type TestTmux } from './tmux.ts'
import { homes, startTurnAgent, type TurnAgent } from './turn-agents.ts'
import { mockProvider } from './entries.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

/** One engine with an agent in each home of terminals, all of which survive it. */
export interface CrashWorld {
  readonly engine: EngineProcess
  mock: MockUpstream
  tmux: TestTmux
  agents: readonly TurnAgent[]
  files: OutboxFiles
  /** the newest entry of an agent's terminal, as it stands on disk */
  newest(agent: TurnAgent): OutboxEntry | null
  /** kill -9, now */
  kill(): Promise<void>
  restart(options?: { endAfterMs?: number }): Promise<void>
  dispose(): Promise<void>
}

export interface CrashWorldOptions {
  name: string
  thinkMs?: number
  answerMs?: number
}

/** Where an agent's request goes by its wire; the answer takes a moment, so that a kill can fall into it. */
export async function startCrashWorld({ name, thinkMs = 120, answerMs = 12 }: CrashWorldOptions): Promise<CrashWorld> {
  const mock = await startMockUpstream()
  mock.otherwise = say('This part is done now.', { pauseMs: answerMs, piece: 4 })
  const config = {
    // a short pause after each answer: what is tested here is no timing
    stopMessage: { settleMs: 100 },
    // without routes each client gets the provider of its own protocol
    providers: { responses: mockProvider(mock, { type: 'openai-responses' }), chat: mockProvider(mock) },
  }
  let engine = await startEngine({ config })
  const tmux = startTmux()
  const files = outboxFiles(engine.home, engine.port)
  const agents: TurnAgent[] = []
  const world: CrashWorld = {
    get engine() {
      return engine
    },
    mock,
    tmux,
    agents,
    files,
    newest: (agent) => files.entry(agent.scope, () => true),
    async kill() {
      if (existsSync(`/proc/${engine.pid}`)) process.kill(engine.pid, 'SIGKILL')
      await engine.kill()
    },
    async restart({ endAfterMs } = {}) {
      if (endAfterMs !== undefined) await engine.startAndKill(endAfterMs)
      engine = await engine.restart()
    },
    async dispose() {
      for (const agent of agents) agent.end()
      tmux.dispose()
      await engine.stop()
      await mock.dispose()
    },
  }
  try {
    for (const home of homes) agents.push(await startTurnAgent({ home, engine, tmux, name, thinkMs }))
    // A session is known by its first request.
    for (const agent of agents) {
      await agent.say(engine, 'begin')
      await waitFor(`the first answer (${agent.home})`, () => agent.idle()).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${JSON.stringify(agent.notes().slice(-4))}\n${engine.output()}`)
      })
    }
  } catch (error) {
    await world.dispose()
    throw error
  }
  return world
}

/** How far an entry had come when the engine died, from its file and from what the agent saw of it. */
export const steps = [
  'queued',
  'enter owed',
  'typing, nothing typed',
  'typing, text typed',
  'typing, Enter pressed',
  'submitted',
  'confirmed, answer runs',
  'confirmed, answered',
] as const
export type Step = (typeof steps)[number]

export function stepOf({ phase, text }: OutboxEntry, agent: TurnAgent): Step | null {
  switch (phase.state) {
    case 'queued':
      return phase.owedSince === null ? 'queued' : 'enter owed'
    case 'typing':
      return agent.submits().includes(text)
        ? 'typing, Enter pressed'
        : agent.read().includes(text)
          ? 'typing, text typed'
          : 'typing, nothing typed'
    case 'submitted':
      return 'submitted'
    case 'confirmed':
      return agent.idle() ? 'confirmed, answered' : 'confirmed, answer runs'
    default:
      return null
  }
}
