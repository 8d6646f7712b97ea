/**
 * A goal with a real Codex in a real repository: what it claims ends nothing, what a reviewer and the tests find does.
 */
import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { workingConfig } from './support/codex.ts'
import { noticesTold } from './support/followups.ts'
import {
  approve,
  expectReviewersApart,
  firstSession,
  followupsOf,
  goalStory,
  makeProject,
  mend,
  reviews,
  reviewsBegun,
  rolloutsOf,
  untilStory,
} from './support/codex-goal.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { notYet, reached, read, runCheck, verdict } from './support/reviewers.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

const config = workingConfig('gpt-5.5')
const task = 'Make the tests pass. <**sm:"All tests green"**>'
const followup = 'The test “adds two numbers” fails: sum.mjs, line 1, subtracts. Mend it and run node --test.'
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
const wholeRound = ['queued', 'typed', 'submitted', 'used', 'confirmed']

describe('a goal with a real Codex', unless(tmuxMissing), () => {
  const world = codexWorld({ reviewer: true })

  /** Codex is asked, and says it is done at once; the check is approved before it has said so. */
  async function claimsAtOnce(how: 'pane' | 'hosted') {
    const { mock, engine } = world
    makeProject(engine)
    const done = gate()
    mock.queue(say('All done!', { hold: { at: 'head', until: done } }), mend, say('The sum adds now.'))
    const codex = await world.start({ how, config })
    await codex.say(task)
    await mock.turn(1)
    const { id } = await firstSession(engine.control)
    await approve(engine.control, id)
    done.open()
    return { codex, id }
  }

  it.each([
    ['pane', 'the reviewer runs the tests', runCheck('tests'), 'check:tests'],
    ['hosted', 'Onward runs the tests', read('sum.mjs'), 'file:sum.mjs:1'],
  ] as const)(
    'is reached when it is: a claim is sent back with what fails, and %s, %s',
    async (how, _who, look, source) => {
      const { mock, reviewer, engine } = world
      const { control } = engine
      reviewer.queue(runCheck('tests'), notYet(followup), look, reached(source))
      const { codex, id } = await claimsAtOnce(how)

      expect((await mock.turn(2)).lastUserText?.trim()).toBe(followup)
      await codex.shows('The sum adds now.')
      await untilStory(control, 'done', 'cleared', 'notified')
      expect(goalStory(control)).toEqual([
        'armed',
        'check-approved',
        'matched',
        'review-started',
        'review-done not-reached',
        ...wholeRound,
        'matched',
        'review-started',
        'review-done reached',
        'done',
        'cleared',
        'notified',
      ])
      const session = await control.session(({ shape }) => shape === 'done')
      const { body } = await control.event('done')
      expect(body).toEqual({
        type: 'done',
        reason: { code: 'goal-reached', checks: 1, evidence: 'It is all there: as it should be' },
        spent: { tokens: expect.any(Number), costUsd: expect.any(Number), unpricedTokens: expect.any(Number) },
      })
      expect(session).toMatchObject({
        id,
        queue: [],
        stopMessage: {
          used: 1,
          max: null,
          status: { kind: 'done' },
          goal: { latest: { outcome: { code: 'reached', checks: 1 } } },
        },
        lastStopMessage: { text: 'All tests green', clearedBy: 'goal-reached' },
      })
      expect(control.notices).toMatchObject([
        {
          class: 'goal-reached',
          sessionId: id,
          title: 'Goal reached in work',
          body: expect.stringContaining('its check passes'),
        },
      ])

      const rounds = await control.api.rounds.query(id)
      expect(rounds).toMatchObject([
        {
          n: 2,
          sent: null,
          did: { calls: 1, tools: [{ name: 'exec_command', count: 1 }], text: 'The sum adds now.' },
          review: {
            outcome: { code: 'reached', checks: 1 },
            checks: [{ name: 'tests', outcome: 'passed' }],
            evidence: [{ source }],
          },
        },
        {
          n: 1,
          sent: followup,
          did: { calls: 0, text: 'All done!' },
          review: {
            by: 'judge/judge-model',
            outcome: { code: 'not-reached' },
            looks: [{ tool: 'run_check', what: 'tests', ok: true }],
            checks: [{ name: 'tests', outcome: 'failed', exitCode: 1, say: expect.stringContaining('1 of 1') }],
          },
        },
      ])
      expect(await control.api.checks.query(id)).toMatchObject({
        problem: null,
        checks: [{ name: 'tests', approval: 'approved', last: { outcome: 'passed' } }],
      })

      // Codex has heard of it what was typed, once, and nothing else.
      const rollouts = rolloutsOf(engine)
      expect(
        rollouts.split('\n').filter((line) => line.includes('"role":"user"') && line.includes('adds two numbers')),
      ).toHaveLength(1)
      const requests = mock.requests.map((request) => request.body.toString())
      for (const told of [rollouts, ...requests])
        expect(told).not.toMatch(/run_check|goalReached|strict reviewer|--- data/)
      for (const told of requests) expect(told).not.toMatch(/All tests green|<\*\*/)
      expect(mock.turns().map((request) => request.lastUserText?.trim() ?? null)).toEqual([
        'Make the tests pass.',
        followup,
        null,
      ])
      expectReviewersApart(reviewer, [id, session.scope])
      expect(reviewsBegun(reviewer)).toHaveLength(2)
      expect(reviewer.requests).toHaveLength(4)

      // Each pays its own; only the reviewer's model has a price.
      const turns = await control.api.turns.query(50)
      const paidBy = (provider: string) => turns.filter(({ route }) => route?.provider === provider)
      expect(paidBy('judge')).toHaveLength(4)
      expect(paidBy('judge').every(({ costUsd }) => (costUsd ?? 0) > 0)).toBe(true)
      expect(session).toMatchObject({
        turns: 3,
        costUsd: null,
        usage: {
          // the title that Codex asks for is paid by the session it is for
          input: sum(paidBy('mock').flatMap(({ usage }) => usage?.input ?? [])),
        },
      })
      expect(reviews(control).map(({ usage }) => usage?.input ?? 0)).toEqual([200, 200])
      await nothingMore(mock, engine)
      expect([...mock.problems, ...reviewer.problems]).toEqual([])
    },
  )

  it('a reviewer that lies is asked to look; what it says then is held against the tests', async () => {
    const { mock, reviewer, engine } = world
    const { control } = engine
    const lie = reached('check:tests')
    reviewer.queue(lie, read('sum.mjs'), reached('file:sum.mjs'), runCheck('tests'), reached('check:tests'))
    const { id } = await claimsAtOnce('pane')

    const told = (await mock.turn(2)).lastUserText?.trim() ?? ''
    expect(told).toMatch(/^The check “tests” \(node --test\) fails with exit code 1: 1 of 1 fails?\./)
    expect(told).toMatch(/until it passes/)
    await untilStory(control, 'review-done reached', 'done', 'cleared', 'notified')
    expect(goalStory(control).slice(2)).toEqual([
      'matched',
      'review-started',
      'review-done checks-failed',
      ...wholeRound,
      'matched',
      'review-started',
      'review-done reached',
      'done',
      'cleared',
      'notified',
    ])
    expect(followupsOf(control)).toEqual([told])
    // the objection is heard once, in the same conversation
    expect(reviewer.requests[1]?.body.toString()).toContain('You have looked at nothing yet')
    expect(reviewer.requests).toHaveLength(5)
    expect((await control.event('review-done')).body).toMatchObject({
      review: { outcome: { code: 'checks-failed', names: ['tests'] }, checks: [{ name: 'tests', outcome: 'failed' }] },
    })
    expect(await noticesTold(control, 1)).toEqual(['goal-reached'])
    expectReviewersApart(reviewer, [id])
    await nothingMore(mock, engine)
    expect([...mock.problems, ...reviewer.problems]).toEqual([])
  })

  it('a reviewer that never looks has failed, whatever it says: the goal itself is typed', async () => {
    const { mock, reviewer, engine } = world
    const { control } = engine
    const lie = reached('check:tests')
    reviewer.queue(
      lie,
      lie,
      runCheck('tests'),
      verdict({ goalReached: true, evidence: [{ claim: 'it works', source: 'my word', result: 'really' }] }),
      reached('check:tests'),
    )
    const { id } = await claimsAtOnce('pane')
    expect((await mock.turn(2)).lastUserText?.trim()).toBe('All tests green')
    await untilStory(control, 'review-done reached', 'done', 'cleared', 'notified')
    expect(reviews(control).map(({ outcome }) => outcome)).toMatchObject([
      { code: 'failed', inARow: 1 },
      { code: 'reached', checks: 1 },
    ])
    expect(reviewer.requests).toHaveLength(5)
    expectReviewersApart(reviewer, [id])
    expect([...mock.problems, ...reviewer.problems]).toEqual([])
  })
})
