/**
 * A review of a real Codex's work that something comes before: its word counts for nothing, and nothing of it is typed.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
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
  untilStory,
} from './support/codex-goal.ts'
import { codexWorld } from './support/codex-world.ts'
import { workingConfig } from './support/codex.ts'
import { noticesTold } from './support/followups.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { notYet, reached, read, runCheck } from './support/reviewers.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

const config = workingConfig('gpt-5.5')
const task = 'Make the tests pass. <**sm:"All tests green"**>'
const late = 'Said too late.'
const order = 'Mend line 1 of sum.mjs.'

describe('a review of a real Codex is overtaken', unless(tmuxMissing), () => {
  const world = codexWorld({ reviewer: true })

  /** Codex has stopped, the check is approved, and the reviewer thinks about it until somebody opens the gate. */
  async function underReview(how: 'pane' | 'hosted') {
    const { mock, reviewer, engine } = world
    const { control } = engine
    makeProject(engine)
    const [asked, thinks] = [gate(), gate()] as const
    mock.queue(say('All done!', { hold: { at: 'head', until: asked } }))
    reviewer.queue(read('sum.mjs'), { ...notYet(late), hold: { at: 'head', until: thinks } })
    const codex = await world.start({ how, config })
    await codex.say(task)
    await mock.turn(1)
    const { id } = await firstSession(control)
    await approve(control, id)
    asked.open()
    await reviewer.turn(2)
    expect(await control.session((s) => s.stopMessage?.status.kind === 'reviewing')).toMatchObject({
      say: { code: 'reviewing', round: 1 },
      stopMessage: { used: 0 },
    })
    return { codex, id, thinks }
  }
  const givenUp = async () => {
    const held = await world.reviewer.turn(2)
    await waitFor('the review to be given up', () => held.outcome === 'left')
  }
  const userTexts = () => world.mock.turns().map((request) => request.lastUserText?.trim() ?? null)

  it('by a message of the person: it is given up, and what Codex does then is reviewed instead', async () => {
    const { mock, reviewer, engine } = world
    const { control } = engine
    const { codex, id, thinks } = await underReview('hosted')
    reviewer.queue(runCheck('tests'), reached('check:tests'))
    mock.queue(mend, say('The sum adds now.'))
    await codex.say('It is in sum.mjs, I think.')
    await mock.turn(2)
    await givenUp()
    thinks.open()
    await untilStory(control, 'review-started', 'review-done reached', 'done', 'cleared', 'notified')
    // what became of the first is told when it is over, which may be after the second has begun
    expect(
      goalStory(control)
        .filter((step) => step.startsWith('review'))
        .toSorted(),
    ).toEqual(['review-done discarded', 'review-done reached', 'review-started', 'review-started'])
    expect(followupsOf(control)).toEqual([])
    expect(userTexts()).toEqual(['Make the tests pass.', 'It is in sum.mjs, I think.', null])
    expect(reviewsBegun(reviewer).at(-1)?.lastUserText).toContain('The sum adds now.')
    expect(await control.api.rounds.query(id)).toMatchObject([
      { n: 1, sent: null, review: { outcome: { code: 'reached' } } },
    ])
    expect(await noticesTold(control, 1)).toEqual(['goal-reached'])
    await nothingMore(mock, engine)
    expectReviewersApart(reviewer, [id])
    expect([...mock.problems, ...reviewer.problems]).toEqual([])
  })

  it('by a clear: nothing is typed', async () => {
    const { mock, reviewer, engine } = world
    const { control } = engine
    const { id, thinks } = await underReview('pane')
    await control.api.clearStopMessage.mutate(id)
    await givenUp()
    thinks.open()
    await waitFor('the end of it', () => goalStory(control).includes('review-done discarded'))
    await nothingMore(mock, engine)
    expect(userTexts()).toEqual(['Make the tests pass.'])
    expect(followupsOf(control)).toEqual([])
    expect(
      goalStory(control)
        .filter((step) => step !== 'review-done discarded')
        .slice(-2),
    ).toEqual(['review-started', 'cleared'])
    expect(await control.session((s) => s.id === id)).toMatchObject({
      stopMessage: null,
      lastStopMessage: { text: 'All tests green', used: 0, clearedBy: 'user' },
      queue: [],
    })
    expect(control.notices).toEqual([])
    expect(reviewer.requests).toHaveLength(2)
    expect([...mock.problems, ...reviewer.problems]).toEqual([])
  })

  it('by kill -9 of the engine: it is begun anew, once, and its followup typed once', async () => {
    const { mock, reviewer, engine } = world
    const { codex, id, thinks } = await underReview('pane')
    await engine.kill()
    await givenUp()
    thinks.open()
    reviewer.queue(runCheck('tests'), notYet(order), read('sum.mjs'), reached('file:sum.mjs:1'))
    mock.queue(mend, say('The sum adds now.'))
    world.replace(await engine.restart())
    const { control } = world.engine
    expect((await mock.turn(2)).lastUserText?.trim()).toBe(order)
    await untilStory(control, 'review-done reached', 'done', 'cleared', 'notified')
    expect(followupsOf(control)).toEqual([order])
    expect(codex.screen()).not.toContain(late)
    expect(userTexts()).toEqual(['Make the tests pass.', order, null])
    expect(reviewsBegun(reviewer)).toHaveLength(3)
    // what Codex had done is not kept anywhere: the new one is told so, and has the folder to look at
    expect(reviewsBegun(reviewer)[1]?.lastUserText).toContain('not known: Onward was started again since')
    expect(await control.session((s) => s.shape === 'done')).toMatchObject({ id, stopMessage: { used: 1 }, queue: [] })
    expect((await control.event('done')).body).toMatchObject({ reason: { code: 'goal-reached', checks: 1 } })
    await nothingMore(mock, engine)
    expectReviewersApart(reviewer, [id])
    expect([...mock.problems, ...reviewer.problems]).toEqual([])
  })

  it.each(['clear', 'stop'] as const)(
    'in the middle of a check, by a %s: the check ends with all it started',
    async (how) => {
      const { mock, reviewer, engine } = world
      const slow = { name: 'slow', run: ['node', 'slow.mjs'] }
      const folder = makeProject(engine, { checks: [slow], files: { 'slow.mjs': slowCheck } })
      const asked = gate()
      mock.queue(say('All done!', { hold: { at: 'head', until: asked } }))
      reviewer.queue(read('sum.mjs'), reached('file:sum.mjs'))
      const codex = await world.start({ how: 'pane', config })
      await codex.say(task)
      await mock.turn(1)
      const { id } = await firstSession(engine.control)
      await approve(engine.control, id, slow)
      asked.open()
      const pids = await waitFor(
        'the check',
        () =>
          existsSync(join(folder, '../pids')) &&
          readFileSync(join(folder, '../pids'), 'utf8').trim().split(' ').map(Number),
      )
      expect(pids.map(isAlive)).toEqual([true, true])

      if (how === 'clear') await engine.control.api.clearStopMessage.mutate(id)
      else await engine.stop()
      await waitFor('the end of the check', () => !pids.some(isAlive))
      if (how === 'clear')
        expect((await engine.control.event('review-done')).body).toMatchObject({
          review: { outcome: { code: 'discarded' }, checks: [{ name: 'slow', outcome: 'stopped' }] },
        })
      else {
        rmSync(join(folder, 'slow.mjs'))
        reviewer.queue(read('sum.mjs'), reached('file:sum.mjs'))
        world.replace(await engine.restart())
        expect((await mock.turn(2)).lastUserText).toContain('The check “slow” (node slow.mjs) fails with exit code 1')
        await world.engine.control.api.clearStopMessage.mutate(id)
      }
      await nothingMore(mock, engine)
      expect(mock.turns()).toHaveLength(how === 'clear' ? 1 : 2)
      expect([...mock.problems, ...reviewer.problems]).toEqual([])
    },
  )
})

/** It works for ever, as does a process of its own, and does not end when it is asked to. */
const slowCheck = `
import { spawn } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
process.on('SIGTERM', () => {})
writeFileSync('../pids.part', process.pid + ' ' + child.pid)
renameSync('../pids.part', '../pids')
setInterval(() => {}, 1000)
`

function isAlive(pid: number): boolean {
  try {
    // One that ended and whose end nobody has asked for yet is over, too.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
