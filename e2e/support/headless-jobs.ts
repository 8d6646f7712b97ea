import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findRunningEngine } from '../../electron/engine/control/attach.ts'
import { summaryShape, type Summary } from '../../electron/cli/headless/summary.ts'
import { unless } from '../../shared/testing/unless.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { allTold, expectNothingLeft, headlessWorld, task, type HeadlessWorld } from './headless.ts'
import { gate, say, type MockReply } from './mock-upstream/index.ts'
import { nothingMore } from './nothing-more.ts'
import { agentMissing, type RealAgent } from './real/index.ts'
import { agentsIn, signal } from './real/processes.ts'
import { claimOf, notYet, reached, read, verdict } from './reviewers.ts'

const followup = 'carry on with the next part'

const summaryIn = ({ folder }: HeadlessWorld): Summary =>
  summaryShape.parse(JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')))
const looked = (...replies: readonly MockReply[]) => replies.flatMap((reply) => [read('parts.txt'), reply])

/** Each way in which the job of an agent can end. @param words its run that prints and ends */
export function headlessJobs(agent: RealAgent, words: (prompt: string) => readonly string[]): void {
  describe(`a job of a real ${agent.name}`, unless(agentMissing(agent)), () => {
    const started = headlessWorld()
    const start = async (config?: Record<string, unknown>) => {
      const world = await started(agent, config)
      writeFileSync(join(world.folder, 'parts.txt'), 'all\n')
      return world
    }
    const reports = ['--summary', 'summary.json', '--junit', 'junit.xml']
    const xmlIn = ({ folder }: HeadlessWorld) => readFileSync(join(folder, 'junit.xml'), 'utf8')

    it('takes the goal from a marker, goes on until the reviewer finds it reached, and reports', async () => {
      const world = await start()
      world.reviewer.queue(
        ...looked(notYet('Write part two & <three>.'), notYet('Write part four.'), reached('file:parts.txt')),
      )
      const run = world.job(
        [...reports, '--check', 'test -s parts.txt'],
        words(`${task} <**sm:"All parts are written"**>`),
      )
      const { code, err } = await run.ended
      expect(code, err).toBe(0)
      expect(allTold(world)).toEqual([task, 'Write part two & <three>.', 'Write part four.'])
      expect(summaryIn(world)).toMatchObject({
        exitCode: 0,
        outcome: 'goal-reached',
        goal: { text: 'All parts are written', reached: true, used: 2, max: null },
        rounds: [{ round: 1 }, { round: 2 }, { round: 3, review: 'reached', sent: null }],
        checks: [{ name: 'test -s parts.txt', outcome: 'passed' }],
        agent: { client: agent.client, exitCode: 0 },
      })
      const { usage, reviewer } = summaryIn(world)
      expect(usage.output).toBeGreaterThan(0)
      expect(usage.costUsd).toBeGreaterThan(0)
      expect(reviewer.costUsd).toBeGreaterThan(0)
      expect(xmlIn(world)).toContain('tests="2" failures="0" errors="0"')
      expect(xmlIn(world)).toContain('Write part two &amp; &lt;three&gt;.')
      await expectNothingLeft(world)
    })

    it('fails with the check that fails when its rounds are used', async () => {
      const world = await start()
      world.reviewer.queue(...looked(reached('file:parts.txt')))
      const goal = ['--goal', 'All parts are written', '--rounds', '1', '--check', 'test -d parts.txt']
      const { code, err } = await world.job([...reports, ...goal], words(task)).ended
      expect(code, err).toBe(11)
      expect(world.mock.turns()).toHaveLength(2)
      expect(summaryIn(world)).toMatchObject({
        outcome: 'rounds-used',
        goal: { reached: false, used: 1, max: 1 },
        checks: [{ name: 'test -d parts.txt', outcome: 'failed', exitCode: 1 }],
      })
      expect(xmlIn(world)).toContain('tests="2" failures="2" errors="0"')
      await expectNothingLeft(world)
    })

    it('ends at a budget', async () => {
      const world = await start({ stopMessage: { budgets: { costUsd: 0.2 } } })
      world.reviewer.queue(...looked(notYet('Write part two.'), notYet('Write part three.')))
      const { code, err } = await world.job([...reports, '--goal', 'All parts'], words(task)).ended
      expect(code, err).toBe(10)
      expect(summaryIn(world)).toMatchObject({ outcome: 'budget', goal: { reached: false, used: 1 } })
      await expectNothingLeft(world)
    })

    it('asks for a person where only they can go on', async () => {
      const world = await start()
      const blockers = [{ kind: 'needs_user', text: 'Which colour?' }] as const
      world.reviewer.queue(...looked(verdict({ blockers, evidence: [claimOf('file:parts.txt')] })))
      const { code, err } = await world.job([...reports, '--goal', 'All parts'], words(task)).ended
      expect(code, err).toBe(12)
      expect(err).toContain('Which colour?')
      expect(xmlIn(world)).toContain('failures="0" errors="1"')
    })

    it('passes the failure of an agent on whose provider refuses', async () => {
      const world = await start()
      world.mock.otherwise = { kind: 'error', status: 400, message: 'no such model' }
      const { code, err } = await world.job([...reports, '--goal', 'All parts'], words(task)).ended
      expect(code, err).toBe(1)
      expect(summaryIn(world)).toMatchObject({ outcome: 'turn-failed', agent: { exitCode: 1 }, goal: { used: 0 } })
      await expectNothingLeft(world)
    })

    it('waits for a provider that is down, and goes on when it answers', async () => {
      const world = await start()
      const { control } = await world.engine()
      world.mock.otherwise = { kind: 'error', status: 503, message: 'down' }
      const goal = ['--goal', followup, '--no-review', '--rounds', '1']
      // else it asks again by itself for minutes
      const run = world.job([...reports, ...goal], words(task), { CLAUDE_CODE_MAX_RETRIES: '1' })
      await control.event('recover-waits', () => true, 120_000)
      world.mock.otherwise = say('One part is written.')
      const { code, err } = await run.ended
      expect(code, err).toBe(0)
      expect(allTold(world).slice(-2)).toEqual(['Continue where you left off.', followup])
      expect(summaryIn(world)).toMatchObject({ outcome: 'rounds-used', goal: { used: 1 } })
    })

    it('ends with the signal it gets, and the agent before it', async () => {
      const world = await start()
      world.mock.otherwise = say('Never said.', { hold: { at: 'head', until: gate() } })
      const run = world.job([...reports, '--goal', 'All parts'], words(task))
      await waitFor('its first turn', () => world.mock.turns().length === 1, 60_000)
      run.child.kill('SIGTERM')
      const { signal: by, err } = await run.ended
      expect(by, err).toBe('SIGTERM')
      expect(summaryIn(world)).toMatchObject({ outcome: 'told', exitCode: 143 })
      expect(world.mock.turns()).toHaveLength(1)
      await expectNothingLeft(world)
    })

    it('ends at once with a signal that comes between two runs', async () => {
      const world = await start()
      world.reviewer.otherwise = say('Never said.', { hold: { at: 'head', until: gate() } })
      const run = world.job([...reports, '--goal', 'All parts'], words(task))
      await waitFor('its review', () => world.reviewer.requests.length === 1, 60_000)
      await waitFor('the end of its run', () => agentsIn(world.folder, world.home).length === 0)
      run.child.kill('SIGINT')
      const { signal: by, err } = await run.ended
      expect(by, err).toBe('SIGINT')
      expect(allTold(world)).toEqual([task])
      await expectNothingLeft(world)
    })

    it('says a text once whose engine is killed between hand-over and request', async () => {
      const world = await start()
      const engine = await world.engine()
      const run = world.job(['--goal', followup, '--no-review', '--rounds', '2'], words(task))
      await engine.control.event('submitted', () => true, 60_000)
      await engine.kill()
      const next = await world.again(engine)
      const { code, err } = await run.ended
      expect(code, err).toBe(0)
      await nothingMore(world.mock, next)
      expect(allTold(world)).toEqual([task, followup, followup])
    })

    it('killed between hand-over and request, says nothing twice, and the next job begins anew', async () => {
      const world = await start()
      const engine = await world.engine()
      const run = world.job(['--goal', followup, '--no-review', '--rounds', '2'], words(task))
      await engine.control.event('submitted', () => true, 60_000)
      run.child.kill('SIGKILL')
      signal(agentsIn(world.folder, world.home), 'SIGKILL')
      await run.ended
      expect(allTold(world)).toEqual([task])

      const { code, err } = await world.job(['--goal', followup, '--no-review', '--rounds', '1'], words(task)).ended
      expect(code, err).toBe(0)
      await nothingMore(world.mock, engine)
      expect(allTold(world)).toEqual([task, task, followup])
      // one that ran before the job runs on
      expect((await findRunningEngine(world.home))?.pid).toBe(engine.pid)
    })

    it('goes on over an engine that is killed and comes back', async () => {
      const world = await start()
      const engine = await world.engine()
      const answer = gate()
      world.mock.queue(say('One part is written.', { hold: { at: 'head', until: answer } }))
      const run = world.job(['--goal', followup, '--no-review', '--rounds', '2'], words(task))
      await waitFor('its first turn', () => world.mock.turns().length === 1, 60_000)
      await engine.kill()
      answer.open()
      const next = await world.again(engine)
      const { code, err } = await run.ended
      expect(code, err).toBe(0)
      await nothingMore(world.mock, next)
      // its agent asked again by itself
      expect(allTold(world)).toEqual([task, task, followup, followup])
    })
  })
}
