/** Where a goal with a real Codex stops and asks the person: once each, and one word lets it go on. */
import { describe, expect, it } from 'vitest'
import {
  expectReviewersApart,
  followupsOf,
  goalStory,
  makeProject,
  reviews,
  reviewsBegun,
  untilStory,
} from './support/codex-goal.ts'
import { codexWorld, type CodexWorld } from './support/codex-world.ts'
import { workingConfig } from './support/codex.ts'
import { noticesTold } from './support/followups.ts'
import { fail, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { looks, notYet, reached, read, verdict } from './support/reviewers.ts'
import { tmuxMissing } from './support/tmux.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { unless } from '../shared/testing/unless.ts'

const config = workingConfig('gpt-5.5')
const task = 'Make the sum right. <**sm:"The sum is right"**>'
const pausedFor = ({ engine }: CodexWorld, code: string) =>
  engine.control.session(({ stopMessage: s }) => s?.status.kind === 'paused' && s.status.reason.code === code, 60_000)
const userTextsOf = ({ mock }: CodexWorld) => mock.turns().map((request) => request.lastUserText?.trim())

describe('a goal with a real Codex asks the person', unless(tmuxMissing), () => {
  const world = codexWorld({ reviewer: true })
  const paused = (code: string) => pausedFor(world, code)
  const userTexts = () => userTextsOf(world)

  it('where only they can help: nothing is typed; when it goes on it is reviewed again', async () => {
    const { mock, reviewer, engine } = world
    const { control } = engine
    makeProject(engine, { checks: [] })
    const need = 'Which sum is meant, of numbers or of money?'
    reviewer.queue(
      read('sum.mjs'),
      verdict({ blockers: [{ kind: 'needs_user', text: need }], followup: 'Go on anyway.' }),
      looks(['git_status']),
      read('sum.mjs'),
      reached('file:sum.mjs:1'),
    )
    mock.queue(say('I need to know which sum you mean.'))
    const codex = await world.start({ how: 'pane', config })
    await codex.say(task)
    const { id, stopMessage, shape } = await paused('needs-user')
    expect({ stopMessage, shape }).toMatchObject({
      shape: 'needs',
      stopMessage: {
        used: 0,
        status: { reason: { code: 'needs-user', text: need } },
        goal: { latest: { outcome: { code: 'needs-user', text: need } } },
      },
    })
    expect(control.notices).toMatchObject([
      { class: 'needs-you', sessionId: id, title: 'work needs you', body: expect.stringContaining(need) },
    ])
    await nothingMore(mock, engine)
    expect(userTexts()).toEqual(['Make the sum right.'])
    expect(reviewer.requests).toHaveLength(2)

    await control.api.resume.mutate(id)
    await untilStory(control, 'review-started', 'review-done reached-unchecked', 'done', 'cleared', 'notified')
    // nobody declared a check: the evidence alone says so, and so does the notice
    expect((await control.event('done')).body).toEqual({
      type: 'done',
      reason: { code: 'goal-reached', checks: 0, evidence: 'It is all there: as it should be' },
      // the agent's model has no price
      spent: { tokens: expect.any(Number), costUsd: expect.any(Number), unpricedTokens: expect.any(Number) },
    })
    expect(control.notices.map(({ class: kind, body }) => [kind, body])).toEqual([
      ['needs-you', expect.anything()],
      [
        'goal-reached',
        expect.stringMatching(/^Goal reached, unchecked: It is all there: as it should be \(\d+ tokens, ≥ \$\d.*\)$/),
      ],
    ])
    await nothingMore(mock, engine)
    expect(userTexts()).toEqual(['Make the sum right.'])
    expect(followupsOf(control)).toEqual([])
    expectReviewersApart(reviewer, [id])
    expect([...mock.problems, ...reviewer.problems]).toEqual([])
  })

  it('after five rounds without progress', async () => {
    const { mock, reviewer, engine } = world
    const { control } = engine
    makeProject(engine)
    const order = 'Mend sum.mjs, line 1.'
    mock.otherwise = say('Everything is done already.')
    let asked = 0
    // It looks in another way each time; looking is no progress.
    reviewer.script(() =>
      ++asked % 2 === 1 ? looks(['git_status'], ['git_diff'], ['read_file', { path: 'sum.mjs' }]) : notYet(order),
    )
    const codex = await world.start({ how: 'hosted', config })
    await codex.say(task)
    const { id, stopMessage } = await paused('budget')
    expect(stopMessage).toMatchObject({
      used: 5,
      max: null,
      status: { reason: { code: 'budget', budget: 'no-progress', limit: 5 } },
      goal: { stuck: 5, rounds: [1, 2, 3, 4, 5].map((n) => ({ n, progress: false })) },
    })
    expect(await control.api.rounds.query(id)).toMatchObject(
      [5, 4, 3, 2, 1].map((n) => ({
        n,
        sent: order,
        progress: false,
        did: { calls: 0, text: 'Everything is done already.' },
        review: { by: 'judge/judge-model' },
      })),
    )
    expect(await noticesTold(control, 1)).toEqual(['budget'])
    await nothingMore(mock, engine)
    expect(userTexts()).toEqual(['Make the sum right.', ...Array<string>(5).fill(order)])
    expect(reviewsBegun(reviewer)).toHaveLength(5)

    await control.api.resume.mutate(id)
    await waitFor('the sixth round', () => mock.turns().length === 7)
    expect(await control.session(({ stopMessage: s }) => s?.used === 6)).toMatchObject({
      stopMessage: { goal: { from: { used: 5 }, stuck: expect.any(Number) } },
    })
    // it is asked for anew after as many again, and not before
    expect(control.notices).toHaveLength(1)
    await control.api.clearStopMessage.mutate(id)
    expectReviewersApart(reviewer, [id])
    expect([...mock.problems, ...reviewer.problems]).toEqual([])
  })
})

describe('a goal with a real Codex whose reviewer is one certain model', unless(tmuxMissing), () => {
  // A route goes on to `default` where its own models fail; a model that is named does not.
  const world = codexWorld({ reviewer: true, stopMessage: { review: { model: 'judge.judge-model' } } })

  it('is paused where that fails three times in a row; until then the goal itself is typed', async () => {
    const { mock, reviewer, engine } = world
    const { control } = engine
    makeProject(engine)
    reviewer.otherwise = fail(500)
    const parts = [
      'First I read the code.',
      'Now there is a plan for it.',
      'Half of the work is through.',
      'It should be right.',
    ]
    mock.queue(...parts.map((part) => say(part)))
    const codex = await world.start({ how: 'pane', config })
    await codex.say(task)
    const { id, stopMessage } = await pausedFor(world, 'review-failed')
    expect(stopMessage).toMatchObject({
      used: 2,
      status: { reason: { code: 'review-failed', times: 3, why: expect.stringContaining('500') } },
    })
    expect(goalStory(control).filter((step) => /^(review|paused)/.test(step))).toEqual([
      ...Array<string[]>(3).fill(['review-started', 'review-done failed']).flat(),
      'paused',
    ])
    expect(reviews(control).map(({ outcome }) => outcome)).toMatchObject(
      [1, 2, 3].map((inARow) => ({ code: 'failed', inARow })),
    )
    expect(await noticesTold(control, 1)).toEqual(['needs-you'])
    await nothingMore(mock, engine)
    expect(userTextsOf(world)).toEqual(['Make the sum right.', 'The sum is right', 'The sum is right'])
    // nobody else was asked in its place
    for (const request of mock.requests) expect(request.body.toString()).not.toContain('strict reviewer')

    reviewer.otherwise = notYet('Mend sum.mjs.')
    await control.api.resume.mutate(id)
    await waitFor('a fourth review', () => goalStory(control).filter((step) => step === 'review-started').length === 4)
    expect(mock.problems).toEqual([])
  })
})
