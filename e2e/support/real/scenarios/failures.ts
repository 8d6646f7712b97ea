import { expect } from 'vitest'
import { fail, say, type MockReply } from '../../mock-upstream/index.ts'
import { allRounds, allTold, atPeace, followup, seenTask, task, type Stage } from './stage.ts'
import { told } from '../told.ts'

/** Each followup's first try fails in another way; the agent asks again by itself. */
const failures: readonly MockReply[] = [
  fail(429, { headers: { 'retry-after': '1' } }),
  fail(500),
  say('This part is nev', { piece: 4, breakOff: { after: 2, how: 'cut' } }),
]

/** A provider that limits, fails and breaks off: retries are no new turns, and no round is counted twice. */
export async function providerFails(stage: Stage): Promise<void> {
  const { agent, world, how } = stage
  const { mock, engine } = world
  const left = [...failures].slice(0, agent.retriesCutStreams ? 3 : 2)
  const rounds = left.length
  let answered = true
  mock.script((turn) => {
    if (turn.auxiliary !== null || told(turn) !== followup) return undefined
    // the first try of a followup, never the one after a failure
    answered = !answered || left.length === 0
    return answered ? undefined : left.shift()
  })
  const person = await world.start(agent, { how })
  await person.say(task(rounds))
  await allRounds(stage, rounds)
  await atPeace(stage)
  const said = allTold(stage)
  expect(said[0]).toBe(seenTask)
  expect(new Set(said)).toEqual(new Set([seenTask, followup]))
  expect(left).toEqual([])
  expect(engine.control.events.filter(({ body }) => body.type === 'confirmed')).toHaveLength(rounds)
  expect(engine.control.events.filter(({ body }) => body.type === 'typed')).toHaveLength(rounds)
}
