/** A folder whose beads say whether there is open work, with a `bd` of the test's own on the engine's PATH. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, type TestContext } from 'vitest'
import { cleanEnv, removeHomes } from './support/engine-process.ts'
import { startGoalWorld, type GoalAgent, type GoalWorld } from './support/goal-engine.ts'
import { say } from './support/mock-upstream/index.ts'
import { looks, reached } from './support/reviewers.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

afterAll(removeHomes)

const issue = { id: 'bd-1', title: 'Open the shop' }
interface Bd {
  inProgress: unknown
  ready: unknown
  code?: number
}

/** An engine that finds this `bd`; null: it is broken */
async function beads(bd: Bd | null, mode: string | null, { onTestFinished }: TestContext) {
  const bin = mkdtempSync(join(tmpdir(), 'onward-bd-'))
  const answers = (next: Bd | null) => {
    writeFileSync(join(bin, 'list.json'), JSON.stringify(next?.inProgress ?? null))
    writeFileSync(join(bin, 'ready.json'), JSON.stringify(next?.ready ?? null))
    writeFileSync(
      join(bin, 'bd'),
      `#!/bin/sh\nprintf '%s|%s\\n' "$PWD" "$*" >> ${bin}/calls\n` +
        `${next === null ? 'echo broken >&2; exit 3' : `cat ${bin}/$2.json\nexit ${next.code ?? 0}`}\n`,
    )
    chmodSync(join(bin, 'bd'), 0o755)
  }
  answers(bd)
  const env = {
    PATH: `${bin}:${cleanEnv()['PATH'] ?? ''}`,
    ...(mode === null ? {} : { ROUTECODEX_STOPMESSAGE_BD_MODE: mode }),
  }
  const world = await startGoalWorld({ env })
  onTestFinished(async () => {
    await world.dispose()
    rmSync(bin, { recursive: true, force: true })
  })
  const agent = await world.agent({ 'shop.txt': 'open\n', '.beads/issues.jsonl': '' })
  const calls = () => {
    try {
      return readFileSync(join(bin, 'calls'), 'utf8').trim().split('\n')
    } catch {
      // it was never called
      return []
    }
  }
  return { world, agent, answers, calls }
}
const begin = (agent: GoalAgent, world: GoalWorld, marker: string) => agent.say(world.engine, `Begin. <**${marker}**>`)
const kindOf = (agent: GoalAgent) => agent.until('its end', ({ stopMessage }) => stopMessage?.status.kind === 'done')
const none = { inProgress: [], ready: [] }

describe.concurrent('a message without a reviewer', () => {
  it('goes on while work is ready, and is done when none is left', async (test) => {
    const { world, agent, answers, calls } = await beads({ inProgress: [], ready: [issue] }, null, test)
    await begin(agent, world, 'stopMessage:"next one",9')
    await waitFor('its first round', () => agent.submits().length >= 2)
    answers(none)
    const done = await kindOf(agent)
    expect(done.stopMessage).toMatchObject({ status: { reason: { code: 'no-open-work' } } })
    expect(done.lastStopMessage).toMatchObject({ clearedBy: 'goal-reached' })
    expect(
      agent
        .submits()
        .slice(1)
        .every((text) => text === 'next one'),
    ).toBe(true)
    expect(calls().slice(0, 2)).toEqual([
      `${agent.cwd}|--no-db list --status in_progress --json`,
      `${agent.cwd}|--no-db ready --json`,
    ])
    await waitFor('the notice', () =>
      world.engine.control.notices.find(({ sessionId, body }) => sessionId === agent.session && /bead/i.test(body)),
    )
    expect(world.reviewer.requests).toHaveLength(0)
  })

  it.for([
    ['auto', null, 'All tasks are completed, there is no open work left.', 'its words are no proof'],
    ['runtime', null, 'All tasks are completed, there is no open work left.', 'unknown'],
    ['heuristic', none, 'Still to do: the second part.', 'never asked'],
    ['auto', { inProgress: 'what', ready: [] }, 'I go on with the next part.', 'no JSON list'],
    ['runtime', { ...none, code: 1 }, 'I go on with the next part.', 'failing'],
  ] as const)('in mode %s, where bd is %j and the agent says “%s”: %s', async ([mode, bd, words, how], test) => {
    const { world, agent, calls } = await beads(bd, mode, test)
    agent.agentSays(say(words))
    await begin(agent, world, 'stopMessage:"next one",1')
    const done = await kindOf(agent)
    if (how === 'never asked') expect(calls()).toEqual([])
    else expect(calls().length).toBeGreaterThan(0)
    expect(done.stopMessage).toMatchObject({ status: { reason: { code: 'rounds-used', used: 1 } } })
  })
})

describe.concurrent('a goal of one’s own', () => {
  it('is not over because the beads are: the reviewer is told, and decides', async (test) => {
    const { world, agent } = await beads(none, null, test)
    agent.reviewerSays(looks(['git_status']), reached('git:status'))
    await agent.begin(5)
    const done = await kindOf(agent)
    expect(done.stopMessage).toMatchObject({ status: { reason: { code: 'goal-reached', checks: 0 } } })
    expect(agent.asked()[0]?.body.toString()).toContain('no open work')
    expect(world.reviewer.turns()).toHaveLength(2)
  })

  it('but the default one is', async (test) => {
    const { world, agent } = await beads(none, null, test)
    await begin(agent, world, 'sm:on')
    expect((await kindOf(agent)).stopMessage).toMatchObject({ status: { reason: { code: 'no-open-work' } } })
    expect(world.reviewer.requests).toHaveLength(0)
  })
})
