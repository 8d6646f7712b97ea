/**
 * Goal mode on the real engine: an agent in a terminal of Onward's in a real repository, its provider, and the
 * reviewer's.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { ConfigInput, ProviderType } from '../../shared/config/schema.ts'
import type { EventBody } from '../../shared/events.ts'
import type { ReviewView } from '../../shared/review.ts'
import type { SessionView } from '../../shared/state.ts'
import { toldSoFar } from './control-client.ts'
import { allEntries, baseUrlOf } from './entries.ts'
import { startEngine, type EngineOptions, type EngineProcess, type RunningEngine } from './engine-process.ts'
import { say, startMockUpstream, type MockReply, type MockRequest, type MockUpstream } from './mock-upstream/index.ts'
import { startTmux } from './tmux.ts'
import { startTurnAgent, type TurnAgent } from './turn-agents.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

/** What the agent says, whatever was asked of it. */
export const claim = 'Everything is done.'

export interface GoalOptions extends Omit<EngineOptions, 'config'> {
  /** beside providers, routes and the settle time */
  config?: ConfigInput
  /** what the reviewer's provider speaks */
  reviewer?: ProviderType
}

export interface GoalWorld<E extends RunningEngine = EngineProcess> {
  /** the agent's provider, and the reviewer's */
  upstream: MockUpstream
  reviewer: MockUpstream
  engine: E
  /** An agent of its own in a repository of its own, with these files committed. */
  agent(files?: Files): Promise<GoalAgent>
  dispose(): Promise<void>
}

export type Files = Readonly<Record<string, string>>

export interface GoalAgent extends TurnAgent {
  /** what it is given, in words of its own */
  goal: string
  /** what the reviewer says to all it is asked about this goal from now on, the last of it for ever */
  reviewerSays(...replies: MockReply[]): void
  /** what its own model answers from now on */
  agentSays(reply: MockReply): void
  /** requests to the reviewer about this goal */
  asked(): MockRequest[]
  git(...words: string[]): string
  write(files: Files): void
  /** the person says something, without a goal, and hears the answer */
  hello(): Promise<void>
  /** the person gives it a goal, and lets it begin */
  begin(rounds?: number): Promise<void>
  shown(): SessionView
  until(what: string, fits: (session: SessionView) => boolean): Promise<SessionView>
  /** of its session, so far */
  events(): readonly EventBody[]
  reviews(): readonly ReviewView[]
  /** waits for the nth, from 1 */
  review(n: number): Promise<ReviewView>
  /** the person allows a check as it is declared now */
  approve(name: string): Promise<void>
}

export const goalConfig = (
  upstream: Pick<MockUpstream, 'baseUrl'>,
  reviewer: Pick<MockUpstream, 'baseUrl'>,
  { config = {}, reviewer: type = 'openai-chat' }: GoalOptions = {},
): ConfigInput => {
  const door = allEntries.find((one) => one.type === type)
  if (!door) throw new Error(`no reviewer speaks ${type}`)
  const keys = [{ alias: 'main', value: 'mock-key' }]
  return {
    ...config,
    providers: {
      agent: {
        type: 'openai-chat',
        baseUrl: `${upstream.baseUrl}/v1`,
        keys,
        models: { 'mock-model': { price: { input: 10, output: 100 } } },
      },
      critic: {
        type,
        baseUrl: baseUrlOf(door, reviewer),
        keys,
        models: { 'strict-1': { price: { input: 1_000, output: 2_000 } } },
      },
    },
    routes: { default: ['agent.mock-model'], review: ['critic.strict-1'] },
    stopMessage: { settleMs: 50, ...config.stopMessage, review: { maxSteps: 5, ...config.stopMessage?.review } },
  }
}

export const startGoalWorld = (options: GoalOptions = {}): Promise<GoalWorld> =>
  goalWorldOn((config) => startEngine({ ...options, config }), options)

export async function goalWorldOn<E extends RunningEngine>(
  start: (config: ConfigInput & Record<string, unknown>) => Promise<E>,
  options: GoalOptions = {},
): Promise<GoalWorld<E>> {
  const [upstream, reviewer] = [await startMockUpstream(), await startMockUpstream()]
  upstream.otherwise = say(claim)
  const agents: TurnAgent[] = []
  let named = 0
  const scripts = new Map<string, MockReply[]>()
  const answers = new Map<string, MockReply>()
  upstream.script(({ headers }) => answers.get(headers['session_id'] ?? ''))
  reviewer.script((request) => {
    const [, replies] = Array.from(scripts).find(([goal]) => isAbout(request, goal)) ?? []
    return replies && replies.length > 1 ? replies.shift() : replies?.[0]
  })
  const world: GoalWorld<E> = {
    upstream,
    reviewer,
    engine: await start({ ...goalConfig(upstream, reviewer, options) }),
    async agent(files = { 'shop.txt': 'open\n' }) {
      const tmux = startTmux()
      const agent = await startTurnAgent({ home: 'hosted', engine: world.engine, tmux, name: `goal-${++named}` })
      tmux.dispose()
      agents.push(agent)
      const one = goalAgent(agent, () => world.engine, reviewer, { scripts, answers })
      one.git('init', '-q', '-b', 'main')
      one.write(files)
      one.git('add', '-A')
      one.git('commit', '-q', '--allow-empty', '-m', 'Begin')
      return one
    },
    async dispose() {
      for (const agent of agents) agent.end()
      await world.engine.stop()
      expect(upstream.problems).toEqual([])
      expect(reviewer.problems).toEqual([])
      await Promise.all([upstream.dispose(), reviewer.dispose()])
    },
  }
  return world
}

const isAbout = ({ body }: MockRequest, goal: string): boolean => body.includes(goal)

function goalAgent(
  agent: TurnAgent,
  engine: () => RunningEngine,
  reviewer: MockUpstream,
  { scripts, answers }: { scripts: Map<string, MockReply[]>; answers: Map<string, MockReply> },
): GoalAgent {
  const { cwd, session } = agent
  const goal = `Make the shop of ${session} ready.`
  const events = () =>
    engine()
      .control.events.filter(({ sessionId }) => sessionId === session)
      .map(({ body }) => body)
  const reviews = () => events().flatMap((body) => (body.type === 'review-done' ? [body.review] : []))
  const view = () => engine().control.sessions.get(session)
  const inVain = (error: unknown) => {
    throw new Error(
      `${String(error)}\n${events()
        .map((body) => JSON.stringify(body))
        .join('\n')}`,
    )
  }
  return {
    ...agent,
    goal,
    events,
    reviews,
    reviewerSays: (...replies) => {
      scripts.set(goal, replies)
    },
    agentSays: (reply) => {
      answers.set(session, reply)
    },
    asked: () => reviewer.turns().filter((request) => isAbout(request, goal)),
    git: (...words) =>
      execFileSync(
        'git',
        ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false', ...words],
        { cwd, encoding: 'utf8' },
      ),
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(cwd, path)), { recursive: true })
        writeFileSync(join(cwd, path), text)
      }
    },
    async hello() {
      await agent.say(engine(), 'Hello.')
      await waitFor('its answer', agent.idle)
      await waitFor('its session', () => view()?.shape === 'idle')
    },
    begin: (rounds) => agent.say(engine(), `Begin. <**sm:"${goal}"${rounds === undefined ? '' : `,${rounds}`}**>`),
    shown() {
      const found = view()
      if (!found) throw new Error('the session is not known yet')
      return found
    },
    async until(what, fits) {
      const fitting = () => {
        const found = view()
        return found && fits(found) ? found : null
      }
      const found = await waitFor(what, fitting).catch(inVain)
      if (found.stopMessage?.status.kind !== 'injecting') await toldSoFar(engine().control.api)
      return found
    },
    review: (n) => waitFor(`review ${n}`, () => reviews()[n - 1]).catch(inVain),
    async approve(name) {
      const { api } = engine().control
      const check = (await api.checks.query(session)).checks.find((each) => each.name === name)
      if (!check) throw new Error(`no check “${name}” is declared`)
      await api.approveCheck.mutate({ session, name, argv: [...check.argv] })
    },
  }
}
