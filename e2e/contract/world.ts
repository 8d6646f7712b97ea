/** A real engine, tmux and a scripted provider, for what the documents say that asked for this program. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import { engineLogFile } from '../../electron/hosts/engine-log.ts'
import { scopeFile } from '../../electron/engine/store/disk-files.ts'
import type { Input } from '../../shared/operations/index.ts'
import type { ConfigInput } from '../../shared/config/schema.ts'
import type { EventBody } from '../../shared/events.ts'
import type { StopMessageView } from '../../shared/state.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import type { Scope } from '../../shared/words.ts'
import { toldSoFar } from '../support/control-client.ts'
import { allEntries, baseUrlOf, bodyOf, chatEntry, pathOf, type TestEntry } from '../support/entries.ts'
import { startEngine, type EngineProcess } from '../support/engine-process.ts'
import { callTool, say, startMockUpstream, type MockReply, type MockUpstream } from '../support/mock-upstream/index.ts'
import { nothingMore } from '../support/nothing-more.ts'
import { call, post, type Answer, type Call } from '../support/post.ts'
import { startTmux, type TestTmux } from '../support/tmux.ts'
import { startTurnAgent, type TurnAgent } from '../support/turn-agents.ts'

export interface PaneAgent extends Pick<
  TurnAgent,
  'session' | 'scope' | 'logFile' | 'submits' | 'notes' | 'pid' | 'cwd' | 'idle' | 'alive'
> {
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

/** A program in a tmux pane of its own, whose requests a test writes. */
export interface Program extends Pick<PaneAgent, 'session' | 'scope' | 'answers' | 'shown' | 'events' | 'told'> {
  pane: string
  ask(texts: readonly string[], how?: ProgramAsks): Promise<Answer>
  /** the same, for a client that can leave */
  begin(texts: readonly string[], how?: ProgramAsks): Call
}
interface ProgramAsks {
  door?: TestEntry
  stream?: boolean
  more?: Record<string, unknown>
  /** how it says where it runs, instead of the key of its terminal */
  by?: Readonly<Record<string, string>>
}

export interface ContractWorld {
  mock: MockUpstream
  engine: EngineProcess
  /** an agent in a tmux pane of its own, started by Onward's launcher */
  pane(after?: PaneAgent): Promise<PaneAgent>
  program(more?: Partial<Input<'registerTerminal'>>): Promise<Program>
  /** what the reviewer says from now on, in turn */
  reviewerSays(...replies: MockReply[]): void
  /** what stands on the disk of a scope, as another program reads it; null: no file */
  fields(scope: Scope): Readonly<Record<string, unknown>> | null
  /** lines of the engine's log that are about this scope or session, by what they tell */
  logged(of: string): readonly Readonly<Record<string, unknown>>[]
  tmux: TestTmux
  /** a turn of a client without a terminal; the body that its provider got */
  ask(door: TestEntry, texts: readonly string[], headers: Record<string, string>, more?: object): Promise<string>
  /** `away` runs while the engine does not */
  restart(options?: { env?: Record<string, string>; away?(): void }): Promise<void>
  dispose(): Promise<void>
}

/** what other programs read of a scope */
export const nineFields = 'Text MaxRepeats Used UpdatedAt LastUsedAt StageMode AiMode AiSeedPrompt AiHistory'
  .split(' ')
  .map((name) => `stopMessage${name}`)

/** the model that looks whether a goal is reached */
const reviewer = 'strict-1'

const relay = resolve(import.meta.dirname, '../support/relay.mjs')
const relayAt = (file: string) => {
  const text = readFileSync(file, 'utf8')
  return text === '' ? null : z.object({ pid: z.number(), baseUrl: z.string() }).parse(JSON.parse(text))
}

/** An answer after which nothing follows: it calls a tool. */
export const toolCalled = callTool('look', {})
export const plainStop = say('A part is done.')

export async function startContractWorld(
  config: ConfigInput = {},
  env: Record<string, string> = {},
): Promise<ContractWorld> {
  const mock = await startMockUpstream()
  const answers = new Map<string, MockReply[]>()
  mock.script(({ headers, model }) => {
    const replies = answers.get(model === reviewer ? reviewer : (headers['session_id'] ?? ''))
    return replies && replies.length > 1 ? replies.shift() : replies?.[0]
  })
  mock.otherwise = toolCalled
  const keys = [{ alias: 'main', value: 'mock-key' }]
  const providers = Object.fromEntries(
    allEntries.map((door) => [
      door.entry,
      {
        type: door.type,
        baseUrl: baseUrlOf(door, mock),
        keys,
        models: { 'm-1': {}, 'mock-model': {}, [reviewer]: {} },
      },
    ]),
  )
  const routes = { review: [`chat.${reviewer}`] }
  let engine = await startEngine({ config: { stopMessage: { settleMs: 50 }, providers, routes, ...config }, env })
  const tmux = startTmux()
  const agents: TurnAgent[] = []
  const relays: number[] = []
  let named = 0
  const ofSession = (session: string) => ({
    answers: (...replies: MockReply[]) => void answers.set(session, replies),
    shown: () => engine.control.sessions.get(session)?.stopMessage ?? null,
    events: () => engine.control.events.filter(({ sessionId }) => sessionId === session).map(({ body }) => body),
    told: () =>
      mock.turns().flatMap(({ headers, lastUserText }) => (headers['session_id'] === session ? [lastUserText] : [])),
  })
  const files = () => join(engine.home, 'sessions', `127.0.0.1_${engine.port}`)
  const world: ContractWorld = {
    mock,
    get engine() {
      return engine
    },
    tmux,
    async pane(after) {
      const agent = await startTurnAgent({
        home: 'pane',
        engine,
        tmux,
        name: `contract-${++named}`,
        tools: true,
        after,
      })
      agents.push(agent)
      return {
        ...agent,
        ...ofSession(agent.session),
        async says(text) {
          await agent.say(engine, text)
          await waitFor('the answer', agent.idle)
          await toldSoFar(engine.control.api)
        },
        calls: () => agent.notes().flatMap((note) => (note.type === 'call' ? [note.name] : [])),
        rest: () => nothingMore(mock, engine),
      }
    },
    async program(more = {}) {
      const session = `program-${++named}`
      const place = join(engine.home, `${session}.json`)
      // A pane shows by itself whose it is where a known agent is in front.
      const path = more.client ? join(engine.home, more.client) : relay
      if (!existsSync(path)) symlinkSync(relay, path)
      const pane = tmux.session(session, `exec ${path} ${engine.baseUrl} ${place}`)
      const { baseUrl, pid } = await waitFor('the program', () => existsSync(place) && relayAt(place))
      relays.push(pid)
      const { terminalId, env: given } = await engine.control.api.registerTerminal.mutate({
        client: 'other',
        cwd: engine.home,
        place: { kind: 'tmux', socket: tmux.socket, paneId: pane },
        ...more,
      })
      const begin: Program['begin'] = (texts, { door = chatEntry, stream = false, more: body = {}, by } = {}) =>
        call(
          { baseUrl, key: by ? 'any' : (given['ONWARD_KEY'] ?? '') },
          pathOf(door, stream),
          bodyOf(door, texts, { ...body, ...(stream ? { stream } : {}) }),
          { headers: { ...door.headers, ...by, session_id: session } },
        )
      return {
        ...ofSession(session),
        session,
        pane,
        begin,
        scope: (await engine.control.api.terminals.query()).find(({ id }) => id === terminalId)?.scope ?? 'tmux:none',
        ask: (texts, how) => begin(texts, how).answer,
      }
    },
    reviewerSays: (...replies) => void answers.set(reviewer, replies),
    fields(scope) {
      const path = join(files(), scopeFile(scope))
      if (!existsSync(path)) return null
      return z.object({ state: z.record(z.string(), z.unknown()) }).parse(JSON.parse(readFileSync(path, 'utf8'))).state
    },
    logged: (of) =>
      readFileSync(engineLogFile(engine.home), 'utf8')
        .split('\n')
        .filter((line) => line.includes(JSON.stringify(of)))
        .map((line) => z.looseObject({}).parse(JSON.parse(line))),
    async ask(door, texts, headers, more = {}) {
      const answer = await post({ ...engine, key: 'any' }, door.path, bodyOf(door, texts, { ...more }), {
        headers: { ...door.headers, ...headers },
      })
      expect(answer.status).toBe(200)
      return mock.turns().at(-1)?.body.toString() ?? ''
    },
    async restart({ env: other = env, away = () => undefined } = {}) {
      await engine.stop()
      away()
      engine = await startEngine({ home: engine.home, port: engine.port, env: other })
    },
    async dispose() {
      for (const agent of agents) agent.end()
      for (const pid of relays) if (existsSync(`/proc/${pid}`)) process.kill(pid)
      tmux.dispose()
      await engine.stop()
      expect(mock.problems).toEqual([])
      await mock.dispose()
    },
  }
  return world
}
