/**
 * Goal mode through kill -9, a full disk and an engine that is told to end: an approval is there or it is not, and a
 * review that nobody waits for sends nothing.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, type TestContext } from 'vitest'
import { newHome, removeHomes } from './support/engine-process.ts'
import { startGoalWorld, type GoalAgent, type GoalOptions, type GoalWorld } from './support/goal-engine.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { atRest, nothingMore } from './support/nothing-more.ts'
import { noOwnDisk, ownDisk } from './support/own-disk.ts'
import { looks, notYet, reached, runCheck } from './support/reviewers.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

afterAll(removeHomes)

const files = {
  'shop.txt': 'open\n',
  'pass.mjs': 'console.log("3 passed")\n',
  '.onward.json': JSON.stringify({
    checks: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, run: [process.execPath, 'pass.mjs', name] })),
  }),
}
const start = async (
  { onTestFinished }: TestContext,
  options: GoalOptions = {},
): Promise<{ world: GoalWorld; agent: GoalAgent }> => {
  const world = await startGoalWorld(options)
  onTestFinished(() => world.dispose())
  const agent = await world.agent(files)
  await agent.hello()
  return { world, agent }
}
const restart = async (world: GoalWorld, agent: GoalAgent): Promise<void> => {
  world.engine = await world.engine.restart()
  await waitFor('its terminal', () => world.engine.control.terminals.get(agent.terminalId)?.alive)
}
const approvals = async (world: GoalWorld, agent: GoalAgent): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await world.engine.control.api.checks.query(agent.session)).checks.map(({ name, approval }) => [name, approval]),
  )
const checksFile = (world: GoalWorld) =>
  join(world.engine.home, 'sessions', `127.0.0.1_${world.engine.port}`, 'checks.json')

describe.concurrent('an approval', () => {
  it('that was acknowledged survives kill -9, and one that was not is there as a whole or not at all', async (test) => {
    const { world, agent } = await start(test)
    const { api } = world.engine.control
    const acknowledged: string[] = []
    const approving = ['a', 'b', 'c', 'd', 'e', 'f'].map(async (name) => {
      await api.approveCheck.mutate({ session: agent.session, name, argv: [process.execPath, 'pass.mjs', name] })
      acknowledged.push(name)
    })
    void Promise.allSettled(approving)
    await waitFor('some of them', () => acknowledged.length >= 2)
    const before = [...acknowledged]
    await world.engine.kill()
    expect(() => JSON.parse(readFileSync(checksFile(world), 'utf8')) as unknown).not.toThrow()
    await restart(world, agent)
    const now = await approvals(world, agent)
    for (const name of before) expect(now[name], name).toBe('approved')
    for (const approval of Object.values(now)) expect(['approved', 'not-approved']).toContain(approval)
    // each is what was approved, and nothing else
    const { checks } = await world.engine.control.api.checks.query(agent.session)
    for (const check of checks) expect(check.argv).toEqual([process.execPath, 'pass.mjs', check.name])
  })

  it('is not believed from a file that is damaged, and no check runs by it', async (test) => {
    const { world, agent } = await start(test)
    await agent.approve('a')
    await world.engine.kill()
    const file = checksFile(world)
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('pass.mjs')
    writeFileSync(file, text.slice(0, text.length - 40))
    await restart(world, agent)
    expect(await approvals(world, agent)).toMatchObject({ a: 'not-approved' })
    await expect(world.engine.control.api.runCheck.mutate({ session: agent.session, name: 'a' })).rejects.toThrow(
      /waits for a person’s approval/,
    )
    await agent.approve('a')
    expect(await approvals(world, agent)).toMatchObject({ a: 'approved', b: 'not-approved' })
  })

  it('that the full disk refuses is none', async (test) => {
    test.skip(noOwnDisk !== null, noOwnDisk ?? '')
    const disk = ownDisk()
    test.onTestFinished(() => disk.dispose())
    const { world, agent } = await start(test, {
      home: newHome(),
      env: { ROUTECODEX_SESSION_DIR: join(disk.folder, 'sessions') },
    })
    await agent.approve('b')
    await atRest(world.engine)
    disk.fill()
    await expect(agent.approve('a')).rejects.toThrow(/disk is full/)
    expect(await approvals(world, agent)).toMatchObject({ a: 'not-approved', b: 'approved' })
    await expect(world.engine.control.api.runCheck.mutate({ session: agent.session, name: 'a' })).rejects.toThrow(
      /waits for a person’s approval/,
    )
    expect(
      agent
        .events()
        .filter((body) => body.type === 'check-approved')
        .map((body) => body.type === 'check-approved' && body.name),
    ).toEqual(['b'])
    disk.free()
    await agent.approve('a')
    expect(await approvals(world, agent)).toMatchObject({ a: 'approved', b: 'approved' })
  })
})

describe.concurrent('a review under way', () => {
  const underReview = async (test: TestContext, config: GoalOptions['config'] = {}) => {
    const { world, agent } = await start(test, { config })
    const hold = gate()
    test.onTestFinished(() => hold.open())
    agent.reviewerSays(looks(['git_status']), { ...notYet('Open the shop.'), hold: { at: 'head', until: hold } })
    await agent.begin(3)
    await waitFor('the reviewer’s second answer', () => agent.asked()[1])
    return { world, agent, hold }
  }

  it.for([
    ['is told to end', false],
    ['does not wait any longer for an open answer', true],
  ] as const)('sends nothing when the engine %s, and is begun anew by the next one', async ([, beside], test) => {
    const { world, agent, hold } = await underReview(test, beside ? { server: { drainSeconds: 0 } } : {})
    const asked = agent.asked()
    if (beside) {
      world.upstream.otherwise = { ...say('All is well.'), hold: { at: 'head', until: hold } }
      const messages = [{ role: 'user', content: 'Hi.' }]
      const other = fetch(`${world.engine.baseUrl}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'mock-model', messages }),
      })
      await waitFor('another client', () => world.upstream.requests.some(({ body }) => body.includes('Hi.')))
      await world.engine.stop()
      expect((await other).status).toBe(503)
    } else await world.engine.stop()
    expect(await asked[1]?.over).toBe('left')
    hold.open()
    expect(agent.submits()).toHaveLength(2)
    expect(agent.read()).not.toContain('Open the shop.')
    agent.reviewerSays(looks(['git_status']), reached('git:status'))
    await restart(world, agent)
    const paused = await agent.until('the next review', ({ stopMessage }) => stopMessage?.status.kind === 'paused')
    expect(paused.stopMessage?.status).toMatchObject({ reason: { code: 'checks-unapproved' } })
    expect(paused.stopMessage).toMatchObject({ used: 0 })
    expect(agent.reviews().map(({ outcome }) => outcome.code)).not.toContain('failed')
    await nothingMore(world.upstream, world.engine)
    expect(agent.submits()).toHaveLength(2)
  })

  it('ends a check that runs for it with the engine, also one that does not listen', async (test) => {
    const { world, agent } = await start(test)
    agent.write({
      'slow.mjs':
        "process.on('SIGTERM', () => undefined)\nimport('node:fs').then(({ writeFileSync }) => " +
        "writeFileSync('pid', String(process.pid)))\nsetInterval(() => undefined, 1_000)\n",
      '.onward.json': JSON.stringify({ checks: [{ name: 'slow', run: [process.execPath, 'slow.mjs'] }] }),
    })
    await agent.approve('slow')
    agent.reviewerSays(runCheck('slow'))
    await agent.begin(3)
    const pid = await waitFor(
      'the check',
      () => existsSync(join(agent.cwd, 'pid')) && readFileSync(join(agent.cwd, 'pid'), 'utf8'),
    )
    await world.engine.stop()
    await waitFor('its end', () => !existsSync(`/proc/${pid}`))
    expect(agent.submits()).toHaveLength(2)
  })

  it('is begun anew after kill -9, once, and typed once', async (test) => {
    const { world, agent, hold } = await underReview(test)
    await world.engine.kill()
    hold.open()
    agent.reviewerSays(
      looks(['git_status']),
      notYet('Open the shop now.'),
      looks(['git_status']),
      reached('git:status'),
    )
    await restart(world, agent)
    await agent.until('the end', ({ stopMessage }) => stopMessage?.status.kind === 'paused')
    expect(agent.submits().slice(2)).toEqual(['Open the shop now.'])
    expect(agent.shown().stopMessage).toMatchObject({ used: 1 })
  })

  it.for<[string, (one: { world: GoalWorld; agent: GoalAgent }) => Promise<void>]>([
    [
      'clears it',
      async ({ world, agent }) => {
        await world.engine.control.api.clearStopMessage.mutate(agent.session)
      },
    ],
    [
      'changes the goal',
      async ({ world, agent }) => {
        agent.reviewerSays()
        await world.engine.control.api.editStopMessage.mutate({ session: agent.session, text: 'Close the shop.' })
      },
    ],
    [
      'says something else',
      async ({ world, agent }) => {
        agent.reviewerSays(reached())
        await agent.say(world.engine, 'Wait.')
      },
    ],
    [
      'pauses it',
      async ({ world, agent }) => {
        await world.engine.control.api.pause.mutate(agent.session)
      },
    ],
  ])('is discarded when the person %s', async ([, does], test) => {
    const { world, agent, hold } = await underReview(test)
    const [, second] = agent.asked()
    await does({ world, agent })
    expect(await second?.over).toBe('left')
    hold.open()
    expect((await agent.review(1)).outcome).toEqual({ code: 'discarded' })
    expect(agent.read()).not.toContain('Open the shop.')
  })
})
