/** Checks of a goal with a real Codex: none runs without a person's word, and no agent gets rid of one. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  approve,
  expectReviewersApart,
  firstSession,
  followupsOf,
  goalStory,
  makeProject,
  mend,
  reviewsBegun,
  shell,
  testsCheck,
  untilStory,
} from './support/codex-goal.ts'
import { codexWorld } from './support/codex-world.ts'
import { workingConfig } from './support/codex.ts'
import { projectsOf } from './support/engine-process.ts'
import { noticesTold } from './support/followups.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { looks, notYet, reached, read, runCheck } from './support/reviewers.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

const config = workingConfig('gpt-5.5')
const task = 'Make the tests pass. <**sm:"All tests green"**>'
/** It leaves a trace of every run, outside of the folder it looks at. */
const traced = { name: 'tests', run: ['node', 'check.mjs'] }
const tracing = {
  'check.mjs':
    "import { appendFileSync } from 'node:fs'\nimport { sum } from " +
    "'./sum.mjs'\nappendFileSync('../ran', 'once\\n')\nif (sum(2, 3) !== 5) " +
    "throw new Error('sum(2, 3) is wrong')\nconsole.log('the sum is right')\n",
}

describe('checks of a goal with a real Codex', unless(tmuxMissing), () => {
  const world = codexWorld({ reviewer: true })
  const ran = () => {
    const file = join(projectsOf(world.engine.home), 'ran')
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
  }

  it('one that nobody approved never runs: the person is asked, and their word lets it go on by itself', async () => {
    const { mock, reviewer, engine } = world
    const { control } = engine
    makeProject(engine, { checks: [traced], files: tracing })
    reviewer.queue(
      runCheck('tests'),
      read('sum.mjs'),
      reached('file:sum.mjs'),
      read('sum.mjs'),
      reached('file:sum.mjs'),
    )
    mock.queue(mend, say('The sum adds now.'))
    const codex = await world.start({ how: 'pane', config })
    await codex.say(task)
    await untilStory(control, 'review-started', 'review-done checks-unapproved', 'paused', 'notified')
    const { id, stopMessage, shape } = await control.session((s) => s.stopMessage?.status.kind === 'paused')
    expect({ stopMessage, shape }).toMatchObject({
      shape: 'needs',
      stopMessage: { used: 0, status: { reason: { code: 'checks-unapproved', names: ['tests'] } } },
    })
    expect(control.notices).toMatchObject([{ class: 'needs-you', sessionId: id, title: 'work needs you' }])
    expect(await control.api.checks.query(id)).toMatchObject({
      checks: [{ name: 'tests', argv: traced.run, approval: 'not-approved', last: null }],
    })
    expect(reviewer.requests[1]?.body.toString()).toContain(
      'A person has to allow the check “tests” first. It was not run.',
    )
    await nothingMore(mock, engine)
    expect(ran()).toBe(0)
    expect(mock.turns()).toHaveLength(2)
    // words that nobody showed the person
    await expect(approve(control, id, testsCheck)).rejects.toThrow(/reads/)
    expect(ran()).toBe(0)

    await approve(control, id, traced)
    await untilStory(
      control,
      'check-approved',
      'resumed',
      'matched',
      'review-started',
      'review-done reached',
      'done',
      'cleared',
      'notified',
    )
    expect(ran()).toBe(1)
    expect((await control.event('done')).body).toMatchObject({ reason: { code: 'goal-reached', checks: 1 } })
    expect(await noticesTold(control, 2)).toEqual(['needs-you', 'goal-reached'])
    await nothingMore(mock, engine)
    expect(mock.turns()).toHaveLength(2)
    expectReviewersApart(reviewer, [id])
    expect([...mock.problems, ...reviewer.problems]).toEqual([])
  })

  /** Codex is asked, and the check approved before it does anything. */
  async function approvedBefore(...cheat: readonly string[]) {
    const { mock, engine } = world
    const folder = makeProject(engine, { checks: [traced], files: tracing })
    const begin = gate()
    mock.queue({ ...shell(cheat.join(' && ')), hold: { at: 'head', until: begin } }, say('All tests are green now.'))
    const codex = await world.start({ how: 'pane', config })
    await codex.say(task)
    await mock.turn(1)
    const { id } = await firstSession(engine.control)
    await approve(engine.control, id, traced)
    begin.open()
    return { id, folder }
  }

  it('one that the agent made easy is asked for again, and neither its old nor its new words run', async () => {
    const { mock, reviewer, engine } = world
    const { control } = engine
    const easy = { name: 'tests', run: ['true'] }
    reviewer.queue(
      runCheck('tests'),
      read('sum.mjs'),
      reached('file:sum.mjs'),
      runCheck('tests'),
      read('sum.mjs'),
      reached('check:tests', 'file:sum.mjs'),
    )
    const { id, folder } = await approvedBefore(`echo '${JSON.stringify({ checks: [easy] })}' > .onward.json`)
    await untilStory(control, 'review-done checks-unapproved', 'paused', 'notified')
    expect(await control.api.checks.query(id)).toMatchObject({
      checks: [{ name: 'tests', argv: easy.run, approval: 'changed', approvedArgv: traced.run, last: null }],
    })
    expect(await noticesTold(control, 1)).toEqual(['needs-you'])
    await nothingMore(mock, engine)
    expect(ran()).toBe(0)
    expect(mock.turns()).toHaveLength(2)

    // The person sees it, puts it back, and lets it go on.
    writeFileSync(join(folder, '.onward.json'), JSON.stringify({ checks: [traced] }))
    await control.api.resume.mutate(id)
    const told = (await mock.turn(3)).lastUserText ?? ''
    expect(told).toContain('The check “tests” (node check.mjs) fails with exit code 1')
    expect(ran()).toBe(2)
    expect(goalStory(control).filter((step) => step.startsWith('review-done'))).toEqual([
      'review-done checks-unapproved',
      'review-done checks-failed',
    ])
    expectReviewersApart(reviewer, [id])
    expect([...mock.problems, ...reviewer.problems]).toEqual([])
  })

  it('one that the agent took out of the file is still required', async () => {
    const { mock, reviewer, engine } = world
    const { control } = engine
    reviewer.queue(read('sum.mjs'), reached('file:sum.mjs'), read('sum.mjs'), reached('file:sum.mjs'))
    const { id } = await approvedBefore('git rm -q --cached .onward.json', 'rm .onward.json')
    mock.queue(mend, say('The sum adds now.'))
    await untilStory(
      control,
      'review-done checks-failed',
      'queued',
      'typed',
      'submitted',
      'used',
      'confirmed',
      'matched',
      'review-started',
      'review-done reached',
      'done',
      'cleared',
      'notified',
    )
    expect(followupsOf(control)).toEqual([
      expect.stringContaining('The check “tests” (node check.mjs) fails with exit code 1'),
    ])
    expect(await control.api.checks.query(id)).toMatchObject({
      checks: [{ name: 'tests', approval: 'removed', last: { outcome: 'passed' } }],
    })
    expect(ran()).toBe(2)
    expect((await control.event('done')).body).toMatchObject({ reason: { checks: 1 } })
    expect(await noticesTold(control, 1)).toEqual(['goal-reached'])
    expectReviewersApart(reviewer, [id])
    expect([...mock.problems, ...reviewer.problems]).toEqual([])
  })

  it('one whose program the agent made easy is shown to the reviewer as such', async () => {
    const { mock, reviewer, engine } = world
    const { control } = engine
    reviewer.queue(
      looks(['git_diff'], ['read_file', { path: 'check.mjs' }]),
      notYet('Put check.mjs back as it was, and mend sum.mjs.'),
      read('sum.mjs'),
      reached('file:sum.mjs'),
    )
    const { id } = await approvedBefore('cp check.mjs ../check.mjs', "echo 'process.exit(0)' > check.mjs")
    mock.queue(shell('cp ../check.mjs check.mjs'), mend, say('The check is back, and the sum adds.'))
    await mock.turn(3)
    expect(reviewsBegun(reviewer)[0]?.lastUserText).toContain(
      '- tests: node check.mjs (approved; changed since it was approved: check.mjs)',
    )
    expect(reviewer.requests[1]?.body.toString()).toContain('+process.exit(0)')
    await untilStory(control, 'review-started', 'review-done reached', 'done', 'cleared', 'notified')
    expect(reviewsBegun(reviewer)[1]?.lastUserText).toContain('- tests: node check.mjs (approved)')
    expect(ran()).toBe(1)
    expect(await control.api.checks.query(id)).toMatchObject({
      checks: [{ approval: 'approved', changedFiles: [], last: { outcome: 'passed' } }],
    })
    expectReviewersApart(reviewer, [id])
    expect([...mock.problems, ...reviewer.problems]).toEqual([])
  })
})
