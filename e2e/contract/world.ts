/** A real engine, tmux and a scripted provider, for what the documents say that asked for this program. */
import { expect } from 'vitest'
import type { ConfigInput } from '../../shared/config/schema.ts'
import type { EventBody } from '../../shared/events.ts'
import type { StopMessageView } from '../../shared/state.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { toldSoFar } from '../support/control-client.ts'
import { baseUrlOf, bodyEntries, bodyOf, type BodyEntry } from '../support/entries.ts'
import { startEngine, type EngineProcess } from '../support/engine-process.ts'
import { callTool, say, startMockUpstream, type MockReply, type MockUpstream } from '../support/mock-upstream/index.ts'
import { nothingMore } from '../support/nothing-more.ts'
import { post } from '../support/post.ts'
import { startTmux } from '../support/tmux.ts'
import { startTurnAgent, type TurnAgent } from '../support/turn-agents.ts'

export interface PaneAgent extends Pick<TurnAgent, 'session' | 'scope' | 'submits' | 'cwd' | 'idle' | 'alive'> {
  /** what its model answers from now on, in turn; the last of it for ever */
  answers(...replies: MockReply[]): void
  /** a person says something in its pane, and the answer is awaited */
  says(text: string): Promise<void>
  shown(): StopMessageView | null
  /** of its session, so far */
  events(): readonly EventBody[]
  /** tools that its model called, as the agent saw them */
  calls(): readonly string[]
  /** user texts that its provider got, the last one of each request */
  told(): readonly (string | null)[]
  /** waits until nothing goes on without a person any more */
  rest(): Promise<void>
  end(): void
}

export interface ContractWorld {
  mock: MockUpstream
  engine: EngineProcess
  /** an agent in a tmux pane of its own, started by Onward's launcher */
  pane(): Promise<PaneAgent>
  /** a turn of a client without a terminal; the body that its provider got */
  ask(door: BodyEntry, texts: readonly string[], headers: Record<string, string>, more?: object): Promise<string>
  restart(): Promise<void>
  dispose(): Promise<void>
}

/** An answer after which nothing follows: it calls a tool. */
export const toolCalled = callTool('look', {})
export const plainStop = say('A part is done.')

export async function startContractWorld(config: ConfigInput = {}): Promise<ContractWorld> {
  const mock = await startMockUpstream()
  const answers = new Map<string, MockReply[]>()
  mock.script(({ headers }) => {
    const replies = answers.get(headers['session_id'] ?? '')
    return replies && replies.length > 1 ? replies.shift() : replies?.[0]
  })
  mock.otherwise = toolCalled
  const keys = [{ alias: 'main', value: 'mock-key' }]
  const providers = Object.fromEntries(
    bodyEntries.map((door) => [
      door.entry,
      { type: door.type, baseUrl: baseUrlOf(door, mock), keys, models: { 'm-1': {}, 'mock-model': {} } },
    ]),
  )
  let engine = await startEngine({ config: { stopMessage: { settleMs: 50 }, providers, ...config } })
  const tmux = startTmux()
  const agents: TurnAgent[] = []
  const world: ContractWorld = {
    mock,
    get engine() {
      return engine
    },
    async pane() {
      const agent = await startTurnAgent({ home: 'pane', engine, tmux, name: `contract-${agents.length}`, tools: true })
      agents.push(agent)
      const { session } = agent
      const events = () =>
        engine.control.events.filter(({ sessionId }) => sessionId === session).map(({ body }) => body)
      return {
        ...agent,
        answers: (...replies) => void answers.set(session, replies),
        async says(text) {
          await agent.say(engine, text)
          await waitFor('the answer', agent.idle)
          await toldSoFar(engine.control.api)
        },
        shown: () => engine.control.sessions.get(session)?.stopMessage ?? null,
        events,
        told: () =>
          mock
            .turns()
            .flatMap(({ headers, lastUserText }) => (headers['session_id'] === session ? [lastUserText] : [])),
        calls: () => agent.notes().flatMap((note) => (note.type === 'call' ? [note.name] : [])),
        rest: () => nothingMore(mock, engine),
      }
    },
    async ask(door, texts, headers, more = {}) {
      const answer = await post({ ...engine, key: 'any' }, door.path, bodyOf(door, texts, { ...more }), {
        headers: { ...door.headers, ...headers },
      })
      expect(answer.status).toBe(200)
      return mock.turns().at(-1)?.body.toString() ?? ''
    },
    async restart() {
      await engine.stop()
      engine = await engine.restart()
    },
    async dispose() {
      for (const agent of agents) agent.end()
      tmux.dispose()
      await engine.stop()
      expect(mock.problems).toEqual([])
      await mock.dispose()
    },
  }
  return world
}
