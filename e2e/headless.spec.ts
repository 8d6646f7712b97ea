import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { findRunningEngine } from '../electron/engine/control/attach.ts'
import { summaryShape, type Summary } from '../electron/cli/headless/summary.ts'
import { connectForTest } from './support/control-client.ts'
import { headlessWorld, type HeadlessWorld } from './support/headless.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { agentMissing, realAgents, type RealAgent } from './support/real/index.ts'
import { agentsIn, signal } from './support/real/processes.ts'
import { told } from './support/real/told.ts'
import { notYet, reached, verdict } from './support/reviewers.ts'

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

for (const [agent, words] of [
  [realAgents.claude, claude],
  [realAgents.codex, codex],
] as const) {
  describe(`a job of a real ${agent.name}`, unless(agentMissing(agent)), () => {
    const start = headlessWorld()

    it('takes the goal from a marker, goes on until the reviewer finds it reached, and reports', async () => {
      const world = await start(agent)
      writeFileSync(join(world.folder, 'parts.txt'), 'all\n')
      world.reviewer.queue(notYet('Write part two & <three>.'), notYet('Write part four.'), reached('file:parts.txt'))
      const run = world.job(
        ['--summary', 'summary.json', '--junit', 'junit.xml', '--check', 'test -s parts.txt'],
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
      const xml = readFileSync(join(world.folder, 'junit.xml'), 'utf8')
      expect(xml).toContain('tests="2" failures="0" errors="0"')
      expect(xml).toContain('Write part two &amp; &lt;three&gt;.')
      await expectNothingLeft(world)
    })
  })
}
