/**
 * A reviewer behind a provider of every protocol: its looks, an objection and its verdict go through that protocol's
 * conversion.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { allEntries } from './support/entries.ts'
import { removeHomes } from './support/engine-process.ts'
import { claim, startGoalWorld } from './support/goal-engine.ts'
import { heard } from './support/heard.ts'
import { claimOf, looks, reached, runCheck, verdict } from './support/reviewers.ts'

afterAll(removeHomes)

const usage = { input: 40, output: 10, cachedInput: 8, reasoning: 0 }
const files = {
  'shop.txt': 'open from 9 to 5\n',
  'pass.mjs': 'console.log("3 passed")\n',
  '.onward.json': JSON.stringify({ checks: { tests: [process.execPath, 'pass.mjs'] } }),
}

describe.concurrent('a reviewer', () => {
  it.for(allEntries)(
    'that speaks $entry looks, is objected to, sends the agent on, and sees the goal reached',
    async ({ type }, { onTestFinished }) => {
      const world = await startGoalWorld({ reviewer: type })
      onTestFinished(() => world.dispose())
      const agent = await world.agent(files)
      await agent.hello()
      await agent.approve('tests')
      agent.reviewerSays(
        { ...reached('file:shop.txt'), usage },
        {
          ...looks(
            ['list_files'],
            ['read_file', { path: 'shop.txt', from: 1, lines: 5 }],
            ['search_text', { text: '9 to 5' }],
            ['git_log', { count: 1 }],
          ),
          text: 'Let me see.',
          thinking: 'What is open?',
          usage,
        },
        { ...verdict({ followup: 'Open it at night as well.', evidence: [claimOf('file:shop.txt:1')] }), usage },
        { ...runCheck('tests'), usage },
        { ...reached('check:tests', 'file:shop.txt'), usage },
        { ...looks(['read_file', { path: 'shop.txt' }]), usage },
        { ...reached('check:tests', 'file:shop.txt'), usage },
      )
      await agent.begin(5)
      const first = await agent.review(1)
      expect(first).toMatchObject({
        outcome: { code: 'not-reached' },
        by: 'critic/strict-1',
        usage: { input: 120, output: 30, cachedInput: 24 },
        looks: [
          { tool: 'list_files', ok: true },
          { tool: 'read_file', ok: true },
          { tool: 'search_text', ok: true },
          { tool: 'git_log', ok: true },
        ],
      })
      expect(first.costUsd).toBeGreaterThan(0)
      const done = await agent.until('its end', ({ stopMessage }) => stopMessage?.status.kind === 'done')
      expect(done.stopMessage?.status).toMatchObject({ reason: { code: 'goal-reached', checks: 1 } })
      expect(agent.submits().at(-1)).toBe('Open it at night as well.')
      expect(agent.reviews()[1]?.outcome).toEqual({ code: 'reached', checks: 1 })

      // what the model was told: who it is, every call of its own with its result, the words of the objection
      const [, second, third] = agent.asked()
      if (!second || !third) throw new Error('three answers were asked for')
      expect(heard(third).system).toContain('You are a strict reviewer')
      expect(heard(third).tools.map(({ name }) => name)).toEqual([
        'list_files',
        'read_file',
        'search_text',
        'git_status',
        'git_diff',
        'git_log',
        'run_check',
        'verdict',
      ])
      expect(heard(second).results).toMatchObject([
        { text: expect.stringContaining('You have looked at nothing yet') as string },
      ])
      expect(heard(third).calls.map(({ name }) => name)).toEqual([
        'verdict',
        'list_files',
        'read_file',
        'search_text',
        'git_log',
      ])
      expect(heard(third).results[2]?.text).toContain('open from 9 to 5')
      expect(heard(third).results[4]?.text).toContain('Begin')
      expect(third.body.toString()).toContain(claim)
    },
  )
})
