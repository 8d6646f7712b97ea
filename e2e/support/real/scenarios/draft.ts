import { expect } from 'vitest'
import { heldFor, queuedRound } from '../../followups.ts'
import { gate, say } from '../../mock-upstream/index.ts'
import { nothingMore } from '../../nothing-more.ts'
import { allRounds, allTold, atPeace, followup, seenTask, task, PATIENT_MS, type Stage } from './stage.ts'
import { told } from '../told.ts'

const [first, second] = ['wait, what about', 'no, leave the second out']

/** A person's draft holds the followup: it goes when the line is cleared, and gives way to what the person sends. */
export async function draftInTheLine(stage: Stage): Promise<void> {
  const { agent, world, how } = stage
  const { mock, engine } = world
  const { control } = engine
  const answers = [gate(), gate()] as const
  mock.queue(...answers.map((until, n) => say(`Part ${n + 1}.`, { hold: { at: 'head', until } })))
  const person = await world.start(agent, { how })
  await person.say(task(2))
  await mock.turn(1, PATIENT_MS)

  await person.draft(first)
  answers[0].open()
  await heldFor(control, await queuedRound(control, 1), 'draft', 'typing')
  await nothingMore(mock, engine)
  expect(person.screen()).toContain(first)
  person.press(...agent.clear)
  expect(told(await mock.turn(2))).toBe(followup)

  await person.draft(second)
  answers[1].open()
  const entryId = await queuedRound(control, 2)
  await heldFor(control, entryId, 'draft', 'typing')
  person.press('Enter')
  // The person went on themselves: that followup answered a stop that is over, the next one answers theirs.
  await control.event('superseded', (body) => body.entryId === entryId)
  await allRounds(stage, 2)
  await atPeace(stage)
  expect(allTold(stage)).toEqual([seenTask, followup, second, followup])
}
