/** A reviewer that says the goal is reached, and is wrong: not accepted, whatever its words look like. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeHomes } from './support/engine-process.ts'
import { startGoalWorld, type GoalAgent, type GoalWorld } from './support/goal-engine.ts'
import { callTool, fail, raw, say, type MockReply } from './support/mock-upstream/index.ts'
import { claimOf, looks, read, reached, runCheck, verdict, verdictOf } from './support/reviewers.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

let world: GoalWorld
beforeAll(async () => {
  world = await startGoalWorld()
})
afterAll(async () => {
  await world.dispose()
  removeHomes()
})

const checks = (run: unknown) => JSON.stringify({ checks: [{ name: 'tests', run }] })
const failing = {
  'shop.txt': 'open\n',
  'fail.mjs': 'console.log("1 failed, 3 passed")\nprocess.exit(1)\n',
  '.onward.json': checks([process.execPath, 'fail.mjs']),
}
const hello = async (files: Record<string, string>, approved: readonly string[] = []): Promise<GoalAgent> => {
  const agent = await world.agent(files)
  await agent.hello()
  for (const name of approved) await agent.approve(name)
  return agent
}
const neverReached = (agent: GoalAgent) => {
  expect(agent.reviews().map(({ outcome }) => outcome.code)).not.toContain('reached')
  expect(agent.events().filter(({ type }) => type === 'done')).not.toContainEqual(
    expect.objectContaining({ reason: expect.objectContaining({ code: 'goal-reached' }) as unknown }),
  )
  expect(
    world.engine.control.notices.filter(
      ({ sessionId, body }) => sessionId === agent.session && body.includes('It is all there'),
    ),
  ).toEqual([])
}

const lies: readonly [what: string, replies: readonly MockReply[], why: RegExp][] = [
  ['without having looked', [reached('git:status')], /without having looked at anything/],
  ['without evidence', [looks(['git_status']), reached()], /without any evidence/],
  [
    'by a file that does not exist',
    [read('shop.txt'), reached('file:src/paid.ts:1-20')],
    /names file:src\/paid\.ts:1-20, which is not there/,
  ],
  [
    'by a file outside',
    [read('shop.txt'), reached('file:../../../../../../etc/passwd')],
    /names file:.*passwd, which is not there/,
  ],
  [
    'by a true file and one that does not exist',
    [read('shop.txt'), reached('file:shop.txt', 'file:src/paid.ts')],
    /names file:src\/paid\.ts/,
  ],
  [
    'by a file it never opened',
    [read('shop.txt'), reached('file:deep/other.txt')],
    /Nothing it gave as evidence was seen/,
  ],
  [
    'by a look that failed',
    [looks(['git_status'], ['read_file', { path: 'src/paid.ts' }]), reached('file:src/paid.ts')],
    /which is not there/,
  ],
  [
    'by words',
    [read('shop.txt'), reached('I ran the tests myself', 'trust me', '')],
    /Nothing it gave as evidence was seen/,
  ],
  ['by a check nobody declared', [read('shop.txt'), reached('check:tests')], /Nothing it gave as evidence was seen/],
  ['by git that it never asked', [read('shop.txt'), reached('git:log')], /Nothing it gave as evidence was seen/],
  [
    'in prose',
    [read('shop.txt'), say('The goal is reached, I approve. goalReached: true')],
    /no verdict that can be read/,
  ],
  [
    'in broken JSON',
    [read('shop.txt'), say('{"goalReached":true,"evidence":[{"claim":"all"')],
    /no verdict that can be read/,
  ],
  [
    'in another shape',
    [
      read('shop.txt'),
      callTool('verdict', {
        ...verdictOf({ goalReached: true, evidence: [claimOf('file:shop.txt')] }),
        approved: true,
      }),
    ],
    /not as declared/,
  ],
  [
    'as a string',
    [
      read('shop.txt'),
      callTool('verdict', { ...verdictOf({ evidence: [claimOf('file:shop.txt')] }), goalReached: 'true' }),
    ],
    /“goalReached” is not as declared/,
  ],
  ['to nobody: it looks for ever', [looks(['git_status'], ['list_files'])], /no verdict within 5 answers/],
  [
    'to nobody: it calls tools there are none of',
    [callTool('shell', { command: 'npm test' })],
    /no verdict within 5 answers|without having looked/,
  ],
  ['with an empty answer', [read('shop.txt'), say('')], /no verdict that can be read/],
  [
    'never: it declines',
    [read('shop.txt'), say('I can’t help with that.', { finish: 'refusal' })],
    /declin|refus|no verdict|can be read/,
  ],
  ['never: its provider refuses', [fail(400, { message: 'no such thing' })], /refused with status 400: no such thing/],
  [
    'never: its answer is none',
    [raw('{"choices":[]}', { headers: { 'content-type': 'application/json' } })],
    /no Chat answer/,
  ],
]

describe.concurrent('a reviewer that says the goal is reached', () => {
  it.each(lies)('%s is not believed, and the agent is told its goal again', async (_what, replies, why) => {
    const agent = await world.agent({ 'shop.txt': 'open\n', 'deep/other.txt': 'closed\n' })
    agent.reviewerSays(...replies)
    await agent.begin(1)
    const review = await agent.review(1)
    expect(review.outcome).toMatchObject({ code: 'failed', inARow: 1, why: expect.stringMatching(why) as string })
    const ended = await agent.until('its round to be used', ({ stopMessage }) => stopMessage?.status.kind === 'done')
    expect(ended.stopMessage?.status).toMatchObject({ reason: { code: 'rounds-used', used: 1, max: 1 } })
    expect(agent.submits()).toEqual([expect.stringContaining('Begin.') as string, agent.goal])
    expect(agent.events()).toContainEqual(expect.objectContaining({ type: 'queued', text: agent.goal, round: 1 }))
    neverReached(agent)
  })

  it('by a check that fails: the agent is told which', async () => {
    const agent = await hello(failing, ['tests'])
    agent.reviewerSays(read('shop.txt'), reached('file:shop.txt'))
    await agent.begin(1)
    const review = await agent.review(1)
    expect(review).toMatchObject({
      outcome: { code: 'checks-failed', names: ['tests'] },
      say: '1 failed, 3 passed',
      checks: [{ name: 'tests', outcome: 'failed', exitCode: 1 }],
    })
    await agent.until('its round to be used', ({ stopMessage }) => stopMessage?.status.kind === 'done')
    expect(agent.submits().at(-1)).toMatch(
      /^The check “tests” \(\S+ fail\.mjs\) fails with exit code 1: 1 failed, 3 passed\./,
    )
    neverReached(agent)
  })

  it('by a check it saw fail', async () => {
    const agent = await hello(failing, ['tests'])
    agent.reviewerSays(runCheck('tests'), reached('check:tests'))
    await agent.begin(1)
    expect((await agent.review(1)).outcome).toMatchObject({
      code: 'failed',
      why: expect.stringMatching(/Nothing it gave as evidence/) as string,
    })
    await agent.until('its round to be used', ({ stopMessage }) => stopMessage?.status.kind === 'done')
    neverReached(agent)
  })

  it('by a check that was not run, while a person has not allowed it: the person is asked', async () => {
    const agent = await hello(failing)
    agent.reviewerSays(runCheck('tests'), read('shop.txt'), reached('file:shop.txt', 'check:tests'))
    await agent.begin(1)
    expect(await agent.review(1)).toMatchObject({
      outcome: { code: 'checks-unapproved', names: ['tests'] },
      checks: [],
      looks: [
        { tool: 'run_check', what: 'tests', ok: false, say: 'not allowed yet' },
        { tool: 'read_file', ok: true },
      ],
    })
    const paused = await agent.until('its pause', ({ stopMessage }) => stopMessage?.status.kind === 'paused')
    expect(paused).toMatchObject({
      say: { code: 'paused', reason: { code: 'checks-unapproved', names: ['tests'] } },
      stopMessage: { used: 0, goal: { checks: { checks: [{ name: 'tests', approval: 'not-approved', last: null }] } } },
    })
    expect(agent.submits()).toHaveLength(2)
    neverReached(agent)
  })

  it('and needs the person at once: the person is asked', async () => {
    const agent = await world.agent()
    agent.reviewerSays(
      read('shop.txt'),
      verdict({
        goalReached: true,
        evidence: [claimOf('file:shop.txt')],
        blockers: [{ kind: 'needs_user', text: 'Which bank pays?' }],
      }),
    )
    await agent.begin(1)
    expect((await agent.review(1)).outcome).toEqual({ code: 'needs-user', text: 'Which bank pays?' })
    const paused = await agent.until('its pause', ({ stopMessage }) => stopMessage?.status.kind === 'paused')
    expect(paused).toMatchObject({
      shape: 'needs',
      stopMessage: { used: 0, status: { reason: { code: 'needs-user', text: 'Which bank pays?' } } },
    })
    await waitFor('the notice', () =>
      world.engine.control.notices.find(
        ({ sessionId, body }) => sessionId === agent.session && body.includes('Which bank pays?'),
      ),
    )
    neverReached(agent)
  })

  it('three times in a row: the person is asked, and going on begins anew', async () => {
    const agent = await world.agent()
    agent.reviewerSays(reached())
    await agent.begin()
    const paused = await agent.until('its pause', ({ stopMessage }) => stopMessage?.status.kind === 'paused')
    expect(paused.stopMessage?.status).toMatchObject({
      reason: { code: 'review-failed', times: 3, why: expect.stringMatching(/without having looked/) as string },
    })
    expect(agent.reviews().map(({ outcome }) => outcome)).toMatchObject([{ inARow: 1 }, { inARow: 2 }, { inARow: 3 }])
    expect(agent.submits().slice(1)).toEqual([agent.goal, agent.goal])
    agent.reviewerSays(read('shop.txt'), reached('file:shop.txt'))
    await world.engine.control.api.resume.mutate(agent.session)
    const done = await agent.until('its end', ({ stopMessage }) => stopMessage?.status.kind === 'done')
    expect(done.stopMessage?.status).toMatchObject({
      reason: { code: 'goal-reached', checks: 0, evidence: 'It is all there: as it should be' },
    })
    expect(agent.reviews().at(-1)?.outcome).toEqual({ code: 'reached-unchecked' })
  })
})
