import { expect } from 'vitest'
import { heldFor, queuedRound } from '../../followups.ts'
import { gate, say } from '../../mock-upstream/index.ts'
import { allRounds, allTold, atPeace, followup, seenTask, task, PATIENT_MS, type Stage } from './stage.ts'

/** The engine dies while a followup waits behind a person's draft: another one goes on, and nothing comes twice. */
export async function engineKilled(stage: Stage): Promise<void> {
  const { agent, world, how } = stage
  const { mock, engine } = world
  const answer = gate()
  mock.queue(say('One part is written.', { hold: { at: 'head', until: answer } }))
  const person = await world.start(agent, { how })
  await person.say(task(3))
  await mock.turn(1, PATIENT_MS)
  await person.draft('hm')
  answer.open()
  const entryId = await queuedRound(engine.control, 1)
  await heldFor(engine.control, entryId, 'draft', 'typing')

  await engine.kill()
  world.replace(await engine.restart())
  const { control } = world.engine
  // It has found the terminal again, and what stands in it.
  await heldFor(control, entryId, 'draft', 'typing')
  expect(mock.turns()).toHaveLength(1)
  person.press(...agent.clear)
  await allRounds(stage, 3)
  await atPeace(stage)
  expect(allTold(stage)).toEqual([seenTask, ...Array<string>(3).fill(followup)])
}
