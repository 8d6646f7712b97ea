/** A goal with a real Codex that a program of the person's reviews. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  approve,
  firstSession,
  followupsOf,
  goalStory,
  makeProject,
  mend,
  reviews,
  untilStory,
} from './support/codex-goal.ts'
import { codexWorld } from './support/codex-world.ts'
import { workingConfig } from './support/codex.ts'
import { noticesTold } from './support/followups.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { claimOf, verdictOf } from './support/reviewers.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

const folder = mkdtempSync(join(tmpdir(), 'onward-review-'))
const order = 'Mend line 1 of sum.mjs.'
/** It keeps what it is told, finds the sum itself, and speaks before its verdict. */
const program = `
import { appendFileSync, readFileSync } from 'node:fs'
const call = { cwd: process.cwd(), stdin: readFileSync(0, 'utf8'), env: process.env }
appendFileSync(${JSON.stringify(join(folder, 'told'))}, JSON.stringify(call) + '\\n')
const right = readFileSync('sum.mjs', 'utf8').includes('a + b')
console.log('I look at sum.mjs: { "goalReached": perhaps }')
console.log(right
  ? ${JSON.stringify(JSON.stringify(verdictOf({ goalReached: true, evidence: [claimOf('file:sum.mjs:1')] })))}
  : ${JSON.stringify(JSON.stringify(verdictOf({ followup: order })))})
`

describe('a goal with a real Codex, reviewed by a program', unless(tmuxMissing), () => {
  const world = codexWorld({
    stopMessage: { review: { backend: 'command', command: [process.execPath, join(folder, 'judge.mjs')] } },
  })
  beforeEach(() => {
    writeFileSync(join(folder, 'judge.mjs'), program)
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('gets goal, checks and last words on stdin; an edited goal keeps its rounds', async () => {
    const { mock, engine } = world
    const { control } = engine
    const project = makeProject(engine)
    const [first, second] = [gate(), gate()] as const
    mock.queue(
      say('All done!', { hold: { at: 'head', until: first } }),
      say('I looked at sum.mjs.', { hold: { at: 'head', until: second } }),
      mend,
      say('The sum adds now.'),
    )
    const codex = await world.start({ how: 'pane', config: workingConfig('gpt-5.5') })
    await codex.say('Make the tests pass. <**sm:"All tests green",5**>')
    await mock.turn(1)
    const { id } = await firstSession(control)
    await approve(control, id)
    first.open()
    await mock.turn(2)
    await control.session((s) => s.stopMessage?.used === 1)
    const edited = await control.api.editStopMessage.mutate({
      session: id,
      text: 'sum adds, and all tests green',
      rounds: 8,
    })
    expect(edited).toMatchObject({
      stopMessage: { text: 'sum adds, and all tests green', used: 1, max: 8, review: true },
    })
    second.open()

    await untilStory(control, 'review-done reached', 'done', 'cleared', 'notified')
    expect(goalStory(control).filter((step) => /^(stop-message-edited|review-done|done)/.test(step))).toEqual([
      'review-done not-reached',
      'stop-message-edited',
      'review-done not-reached',
      'review-done reached',
      'done',
    ])
    expect(followupsOf(control)).toEqual([order, order])
    expect(await control.session((s) => s.shape === 'done')).toMatchObject({
      stopMessage: { used: 2, max: 8 },
      lastStopMessage: { text: 'sum adds, and all tests green' },
    })
    expect((await control.event('done')).body).toMatchObject({ reason: { code: 'goal-reached', checks: 1 } })
    expect(await noticesTold(control, 1)).toEqual(['goal-reached'])
    expect(reviews(control).at(-1)).toMatchObject({
      by: expect.stringMatching(/^node/),
      backend: 'command',
      usage: null,
      costUsd: null,
      checks: [{ name: 'tests', outcome: 'passed' }],
    })

    const told = readFileSync(join(folder, 'told'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { cwd: string; stdin: string; env: Record<string, string> })
    expect(told).toHaveLength(3)
    expect(told.map(({ cwd }) => cwd)).toEqual([project, project, project])
    expect(told[0]?.stdin).toMatch(
      /in the user’s words:\nAll tests green\n[^]*Followups used: 0 of 5, 5 left\.[^]*- tests: node --test \(approved\)[^]*The agent’s last words\nAll done!/,
    )
    expect(told[1]?.stdin).toMatch(
      /in the user’s words:\nsum adds, and all tests green\n[^]*Followups used: 1 of 8, 7 left\.[^]*told: Mend line 1 of sum\.mjs\.[^]*The agent’s last words\nI looked at sum\.mjs\./,
    )
    expect(told[2]?.stdin).toMatch(/Followups used: 2 of 8[^]*exec_command [^]*sed -i/)
    for (const { stdin, env } of told) {
      for (const path of [engine.home, homedir(), folder]) expect(stdin).not.toContain(path)
      expect(stdin).not.toMatch(/<\*\*|\[Time\/Date\]/)
      expect(stdin).not.toContain(id)
      expect(JSON.stringify(env)).not.toMatch(/mock-key|local-key-for-hand|ONWARD_KEY|"OPENAI_API_KEY/)
    }
    await nothingMore(mock, engine)
    expect(mock.turns().map((request) => request.lastUserText?.trim() ?? null)).toEqual([
      'Make the tests pass.',
      order,
      order,
      null,
    ])
    expect(mock.problems).toEqual([])
  })
})
