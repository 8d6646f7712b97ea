/**
 * What a goal may spend before a person is asked, over real turns with prices: the agent's share, the reviewer's beside
 * it, and going on.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { removeHomes } from './support/engine-process.ts'
import { goalWorldOn, startGoalWorld, type GoalAgent, type GoalWorld } from './support/goal-engine.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { claimOf, looks, reached, verdict } from './support/reviewers.ts'
import { startSkewedEngine, type SkewedEngine } from './support/skewed-engine.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

afterAll(removeHomes)

const none = { rounds: null, hours: null, noProgressRounds: null, tokens: null, costUsd: null }
/** A turn of the agent costs 110 tokens and $0.002, a review of two answers 50 tokens and $0.06. */
const turn = { usage: { input: 100, output: 10, cachedInput: 0, reasoning: 0 } }
const answer = { usage: { input: 20, output: 5, cachedInput: 0, reasoning: 0 } }
const look = { ...looks(['git_status']), ...answer }
const notYet = verdict({ followup: 'Open the shop.', evidence: [claimOf('git:status')] }, answer)
const reviews = (n: number) => Array.from({ length: n }, () => [look, notYet]).flat()
const isPaused =
  (budget: string) =>
  ({ stopMessage }: ReturnType<GoalAgent['shown']>) =>
    stopMessage?.status.kind === 'paused' &&
    stopMessage.status.reason.code === 'budget' &&
    stopMessage.status.reason.budget === budget

describe('a goal without an end', () => {
  let world: GoalWorld
  beforeAll(async () => {
    world = await startGoalWorld()
  })
  afterEach(async () => {
    await world.engine.control.api.setBudgets.mutate(none)
  })
  afterAll(() => world.dispose())

  const start = async (): Promise<GoalAgent> => {
    const agent = await world.agent()
    agent.agentSays(say('Everything is done.', turn))
    agent.reviewerSays(...reviews(20))
    return agent
  }
  const resume = (agent: GoalAgent) => world.engine.control.api.resume.mutate(agent.session)

  it('stops to ask at its tokens, the reviewer’s counted with them, and begins anew when it may go on', async () => {
    const { api } = world.engine.control
    expect(await api.setBudgets.mutate({ ...none, tokens: 500 })).toEqual({ ...none, tokens: 500 })
    const agent = await start()
    await agent.begin()
    const paused = await agent.until('its pause', isPaused('tokens'))
    // before the fourth review 4 turns and 3 reviews are 590; before the third it was 430
    expect(paused.stopMessage).toMatchObject({
      used: 3,
      max: null,
      status: { reason: { limit: 500 } },
      goal: { spent: { tokens: 440 }, reviewSpent: { tokens: 150 }, from: { used: 0 } },
    })
    expect(paused).toMatchObject({
      shape: 'needs',
      say: { code: 'paused' },
      turns: 4,
      usage: { input: 400, output: 40 },
    })
    expect(paused.stopMessage?.goal?.spent.costUsd).toBeCloseTo(0.008)
    expect(paused.stopMessage?.goal?.reviewSpent.costUsd).toBeCloseTo(0.18)
    expect(paused.costUsd).toBeCloseTo(0.008)
    expect(agent.reviews()).toHaveLength(3)
    expect(agent.reviews()[0]).toMatchObject({ by: 'critic/strict-1', usage: { input: 40, output: 10 } })
    expect(agent.reviews()[0]?.costUsd).toBeCloseTo(0.06)
    await waitFor('the notice', () =>
      world.engine.control.notices.find(
        ({ sessionId, class: about }) => sessionId === agent.session && about === 'budget',
      ),
    )

    // how the calls of the reviewer are told apart from the agent's
    const mine = (await api.turns.query(100)).filter(({ sessionId }) => sessionId === agent.session)
    expect(mine.filter(({ kind }) => kind === 'turn')).toHaveLength(4)
    const probes = mine.filter(({ kind }) => kind === 'probe')
    expect(probes).toHaveLength(6)
    for (const probe of probes)
      expect(probe).toMatchObject({
        status: 200,
        route: { provider: 'critic', model: 'strict-1', category: 'review' },
        usage: { input: 20, output: 5 },
      })
    const { total } = await api.activity.query(24)
    expect(total).toMatchObject({ byPerson: 1, continued: 3, failed: 0, input: 520, output: 70 })

    await resume(agent)
    const again = await agent.until(
      'the next pause',
      ({ stopMessage }) => isPaused('tokens')(agent.shown()) && (stopMessage?.used ?? 0) > 3,
    )
    expect(again.stopMessage).toMatchObject({ goal: { from: { used: 3 } } })
    const { spent, reviewSpent } = again.stopMessage?.goal ?? { spent: { tokens: 0 }, reviewSpent: { tokens: 0 } }
    // four turns and, with that of the stop it was paused at, four reviews; the turns before it are not counted again
    expect([spent.tokens, reviewSpent.tokens]).toEqual([440, 200])
    expect(again.stopMessage?.used).toBe(7)
  })

  it('stops to ask at its cost', async () => {
    await world.engine.control.api.setBudgets.mutate({ ...none, costUsd: 0.1 })
    const agent = await start()
    await agent.begin()
    const paused = await agent.until('its pause', isPaused('cost'))
    expect(paused.stopMessage).toMatchObject({ used: 2, status: { reason: { limit: 0.1 } } })
    expect(paused.stopMessage?.goal?.spent.costUsd).toBeCloseTo(0.006)
    expect(paused.stopMessage?.goal?.reviewSpent.costUsd).toBeCloseTo(0.12)
  })

  it('stops to ask at its rounds, set while it runs, and goes on as many more', async () => {
    const { api } = world.engine.control
    await api.setBudgets.mutate(none)
    const agent = await start()
    await agent.begin()
    await agent.until('its first round', ({ stopMessage }) => (stopMessage?.used ?? 0) >= 1)
    const limit = agent.shown().stopMessage?.used ?? 0
    await api.setBudgets.mutate({ rounds: limit + 2 })
    const paused = await agent.until('its pause', isPaused('rounds'))
    expect(paused.stopMessage).toMatchObject({ used: limit + 2, status: { reason: { limit: limit + 2 } } })
    expect(await api.status.query()).toMatchObject({ budgets: { ...none, rounds: limit + 2 } })
    await resume(agent)
    await agent.until(
      'the next pause',
      (session) => isPaused('rounds')(session) && (session.stopMessage?.used ?? 0) === 2 * (limit + 2),
    )
    expect(agent.submits()).toHaveLength(1 + 2 * (limit + 2))
  })

  it('stops to ask when nothing comes of its rounds', async () => {
    await world.engine.control.api.setBudgets.mutate({ ...none, noProgressRounds: 2 })
    const agent = await start()
    await agent.begin()
    const paused = await agent.until('its pause', isPaused('no-progress'))
    expect(paused.stopMessage).toMatchObject({
      used: 2,
      goal: {
        stuck: 2,
        rounds: [
          { n: 1, progress: false },
          { n: 2, progress: false },
        ],
      },
    })
    // a file that changed is progress, also where the agent says the same again
    agent.write({ 'shop.txt': 'closed\n' })
    await resume(agent)
    await agent.until(
      'the next pause',
      (session) => isPaused('no-progress')(session) && (session.stopMessage?.used ?? 0) > 2,
    )
  })
})

describe('a goal and the time', () => {
  let world: GoalWorld<SkewedEngine>
  beforeAll(async () => {
    world = await goalWorldOn((config) => startSkewedEngine({ config }))
  })
  afterAll(() => world.dispose())

  it('stops to ask after its hours, and has as many more when it may go on', async () => {
    const agent = await world.agent()
    const answering = gate()
    agent.reviewerSays(look, notYet, look, reached('git:status'))
    await agent.begin()
    await agent.review(1)
    agent.agentSays(say('Now it is done.', { hold: { at: 'head', until: answering } }))
    await waitFor('its second turn', () => agent.submits().length === 2)
    world.engine.clock.jump(8 * 3_600_000)
    answering.open()
    const paused = await agent.until('its pause', isPaused('time'))
    expect(paused.stopMessage).toMatchObject({ used: 1, status: { reason: { limit: 8 } } })
    await world.engine.control.api.resume.mutate(agent.session)
    const done = await agent.until('its end', ({ stopMessage }) => stopMessage?.status.kind === 'done')
    expect(done.stopMessage).toMatchObject({ status: { reason: { code: 'goal-reached', checks: 0 } } })
  })
})
