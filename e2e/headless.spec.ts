import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { everything } from '../shared/testing/runs.ts'
import { unless } from '../shared/testing/unless.ts'
import { allTold, expectNothingLeft, headlessWorld, task } from './support/headless.ts'
import { callTool, say, type MockRequest } from './support/mock-upstream/index.ts'
import { agentMissing, realAgents, type RealAgent } from './support/real/index.ts'

const followup = 'carry on with the next part'

const each: readonly (readonly [RealAgent, readonly string[]])[] = [
  [realAgents.claude, ['claude', '-p', task]],
  [realAgents.codex, ['codex', 'exec', '--skip-git-repo-check', task]],
  [realAgents.opencode, ['opencode', 'run', task]],
  // The slowest of them goes through it once a week.
  ...(everything ? ([[realAgents.qwen, ['qwen', task]]] as const) : []),
]

for (const [agent, words] of each) {
  describe(`a real ${agent.name} without a terminal`, unless(agentMissing(agent)), () => {
    const start = headlessWorld()

    it('is said each of three texts once, in one conversation, and nothing is left', async () => {
      const world = await start(agent)
      const run = world.job(['--goal', followup, '--no-review', '--rounds', '3'], words)
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

describe('jobs beside each other', unless(agentMissing(realAgents.claude)), () => {
  const start = headlessWorld()

  it('share an engine, and each has its own conversation; one reads its prompt from stdin', async () => {
    const world = await start(realAgents.claude)
    const engine = await world.engine()
    const goal = (text: string) => ['--goal', text, '--no-review', '--rounds', '2']
    const jobs = [
      world.job(goal('first on'), ['claude', '-p'], {}, 'The first task.'),
      world.job(goal('second on'), ['claude', '-p', 'The second task.']),
    ]
    const ended = await Promise.all(jobs.map((job) => job.ended))
    expect(
      ended.map(({ code }) => code),
      ended.map(({ err }) => err).join(),
    ).toEqual([0, 0])
    const all = allTold(world)
    expect(all.toSorted()).toEqual([
      'The first task.',
      'The second task.',
      'first on',
      'first on',
      'second on',
      'second on',
    ])
    const bodies = world.mock.turns().map(({ body }) => body.toString())
    expect(bodies.filter((body) => body.includes('first on') && body.includes('second on'))).toEqual([])
    expect(engine.control.sessions.size).toBe(2)
  })
})

describe('a job with a config for containers', unless(agentMissing(realAgents.claude)), () => {
  const start = headlessWorld()

  it('is kept going by runs of its agent, not within its calls', async () => {
    const world = await start(realAgents.claude, { stopMessage: { delivery: 'reenter' } })
    const words = ['claude', '-p', `${task} <**stopMessage:"${followup}",2**>`]
    const { code, out, err } = await world.job([], words).ended
    expect(code, err).toBe(0)
    expect(allTold(world)).toEqual([task, followup, followup])
    expect(out.split('One part is written.')).toHaveLength(4)
    await expectNothingLeft(world)
  })
})

describe('a job that an agent starts', unless(agentMissing(realAgents.claude)), () => {
  const start = headlessWorld()

  it('lets no check run', async () => {
    const world = await start(realAgents.claude)
    const { control } = await world.engine()
    const place = { kind: 'headless', hostId: 'a-host' } as const
    const { env } = await control.api.registerTerminal.mutate({ client: 'claude', cwd: world.folder, place })
    const key = env['ANTHROPIC_AUTH_TOKEN'] ?? ''
    const { code, err } = await world.job(['--check', 'true'], ['claude', '-p', task], { ONWARD_KEY: key }).ended
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
