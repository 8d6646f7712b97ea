import { expect } from 'vitest'
import { say, type Gate, type MockReply, type MockRequest } from '../../mock-upstream/index.ts'
import { auxiliaryText } from '../../mock-upstream/auxiliary.ts'
import { allRounds, allTold, atPeace, followup, seenTask, task, type Stage } from './stage.ts'

const rounds = 6
/**
 * From at once to long after a followup went out: each falls on another step between the stop and the next turn. Side
 * requests of one round take different ones, so they overtake each other.
 */
const delaysMs = [0, 300, 700, 1_100, 1_600, 2_400, 3_500] as const

/** What an agent asks by itself comes and goes at the worst moments: no followup is lost, doubled or left unsent. */
export async function sideRequestsInTheWay(stage: Stage): Promise<void> {
  const { agent, world, how } = stage
  const { mock } = world
  let n = 0
  mock.script((request) =>
    request.auxiliary === null ? undefined : late(request, delaysMs[n++ % delaysMs.length] ?? 0),
  )
  const person = await world.start(agent, { how })
  await person.say(task(rounds))
  await allRounds(stage, rounds)
  await atPeace(stage)
  expect(allTold(stage)).toEqual([seenTask, ...Array<string>(rounds).fill(followup)])
  expect(n, 'side requests').toBeGreaterThan(0)
}

/** A title that is no JSON is asked for again at the next turn (Claude Code, Codex). */
function late({ auxiliary, json }: MockRequest, ms: number): MockReply | undefined {
  if (auxiliary === null || auxiliary === 'count') return undefined
  const text = auxiliary === 'title' ? 'no title yet' : auxiliaryText(auxiliary, json)
  return say(text, { hold: { at: 'head', until: opensIn(ms) } })
}

const opensIn = (ms: number): Gate => ({
  opened: new Promise((resolve) => {
    setTimeout(resolve, ms)
  }),
  open: () => undefined,
})
