import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { findRunningEngine } from '../electron/engine/control/attach.ts'
import { summaryShape, type Summary } from '../electron/cli/headless/summary.ts'
import { headlessWorld, type HeadlessWorld } from './support/headless.ts'
import { callTool, gate, say, type MockReply, type MockRequest } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { agentMissing, realAgents, type RealAgent } from './support/real/index.ts'
import { agentsIn, signal } from './support/real/processes.ts'
import { told } from './support/real/told.ts'
import { claimOf, notYet, reached, read, verdict } from './support/reviewers.ts'

const followup = 'carry on with the next part'
const task = 'Write the parts.'

type Words = (prompt: string) => readonly string[]
const claude: Words = (text) => ['claude', '-p', text]
const codex: Words = (text) => ['codex', 'exec', '--skip-git-repo-check', text]

const each: readonly (readonly [RealAgent, Words])[] = [
  [realAgents.claude, claude],
  [realAgents.codex, codex],
  [realAgents.opencode, (text) => ['opencode', 'run', text]],
  [realAgents.qwen, (text) => ['qwen', text]],
]

/** What the model was told, in order; opencode puts its prompt into quotes. */
const allTold = ({ mock }: HeadlessWorld) => mock.turns().map((turn) => told(turn)?.replace(/^"(.*)"$/, '$1'))

const summaryIn = ({ folder }: HeadlessWorld): Summary =>
  summaryShape.parse(JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')))

/** Nothing of the run is left: no engine, no agent, no file with a key. */
async function expectNothingLeft({ home, folder }: HeadlessWorld): Promise<void> {
  expect(await findRunningEngine(home)).toBeNull()
  expect(agentsIn(folder, home)).toEqual([])
  const launch = join(home, 'launch')
  expect(existsSync(launch) ? readdirSync(launch) : []).toEqual([])
}

for (const [agent, words] of each) {
  describe(`a real ${agent.name} without a terminal`, unless(agentMissing(agent)), () => {
    const start = headlessWorld()

    it('is said each of three texts once, in one conversation, and nothing is left', async () => {
      const world = await start(agent)
      const run = world.job(['--goal', followup, '--no-review', '--rounds', '3'], words(task))
      const { code, out, err } = await run.ended
      expect(allTold(world)).toEqual([task, followup, followup, followup])
      // its history goes along
      expect(world.mock.turns().at(-1)?.body.toString().split('One part is written.')).toHaveLength(4)
      expect(code, err).toBe(0)
      expect(out.split('One part is written.')).toHaveLength(5)
      expect(err).toMatch(/Rounds +3 of 3/)
      expect(world.mock.problems).toEqual([])
      await expectNothingLeft(world)
    })
  })
}

const looked = (...replies: readonly MockReply[]) => replies.flatMap((reply) => [read('parts.txt'), reply])

for (const [agent, words] of [
  [realAgents.claude, claude],
  [realAgents.codex, codex],
] as const) {
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

describe('a job that an agent starts', unless(agentMissing(realAgents.claude)), () => {
  const start = headlessWorld()

  it('lets no check run', async () => {
    const world = await start(realAgents.claude)
    const { control } = await world.engine()
    const place = { kind: 'headless', hostId: 'a-host' } as const
    const { env } = await control.api.registerTerminal.mutate({ client: 'claude', cwd: world.folder, place })
    const key = env['ANTHROPIC_AUTH_TOKEN'] ?? ''
    const { code, err } = await world.job(['--check', 'true'], claude(task), { ONWARD_KEY: key }).ended
    expect(err).toContain('--check is a person’s word')
    expect(code).toBe(4)
    expect(world.mock.requests).toEqual([])
  })
})

describe('a job whose agent runs another agent', unless(agentMissing(realAgents.claude)), () => {
  const start = headlessWorld()

  it('keeps its own conversation going, and not the other one', async () => {
    const world = await start(realAgents.claude)
    const isInner = ({ lastUserText }: MockRequest) => /(?:^|\n)inner\s*$/.test(lastUserText ?? '')
    world.mock.script((request) => (isInner(request) ? say('Inner is done.') : undefined))
    const command = 'claude -p inner > inner.txt 2>&1 < /dev/null'
    world.mock.queue(callTool('Bash', { command, description: 'Asks another' }), say('One part is written.'))
    const words = ['claude', '-p', '--dangerously-skip-permissions', task]
    const { code, err } = await world.job(['--goal', followup, '--no-review', '--rounds', '2'], words).ended
    expect(code, err).toBe(0)
    expect(world.mock.turns().filter(isInner), readFileSync(join(world.folder, 'inner.txt'), 'utf8')).toHaveLength(1)
    expect(allTold(world).filter((text) => text === followup)).toHaveLength(2)
    expect(err).toMatch(/Rounds +2 of 2/)
  })
})

describe('a job that can’t be kept going', unless(agentMissing(realAgents.claude)), () => {
  const start = headlessWorld()

  it.each([
    ['an agent that is not measured', ['kimi', '-p', 'x'], /kimi can’t be kept going without a terminal/],
    ['a program that is no agent', ['make', 'test'], /make can’t be kept going without a terminal/],
    ['a run with a screen', ['claude', 'x'], /no run that prints and ends/],
    ['a run that keeps nothing', ['claude', '-p', '--no-session-persistence', 'x'], /With these words claude/],
    ['a command of the agent', ['codex', 'login'], /With these words codex/],
  ])('%s is refused, and no engine is started', async (_, words, why) => {
    const world = await start(realAgents.claude)
    const { code, err } = await world.job([], words).ended
    expect(err).toMatch(why)
    expect(code).toBe(2)
    await expectNothingLeft(world)
  })
})
