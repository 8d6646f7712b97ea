import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { gate, say } from '../../mock-upstream/index.ts'
import { heldFor, queuedRound } from '../../followups.ts'
import { allTold, atPeace, seenTask, task, PATIENT_MS, type Stage } from './stage.ts'

/** A followup that a shell would run. */
const harm = 'touch typed-into-the-shell'

/** The person quits while a followup waits: nothing is typed into the shell behind the agent. */
export async function quitInTheMiddle(stage: Stage): Promise<void> {
  const { agent, world, how } = stage
  const { mock, engine } = world
  const { control } = engine
  const answer = gate()
  mock.queue(say('One part is written.', { hold: { at: 'head', until: answer } }))
  const person = await world.start(agent, { how })
  await person.say(task(3, harm))
  await mock.turn(1, PATIENT_MS)
  await person.draft(agent.quit)
  const before = readdirSync(person.cwd)
  answer.open()
  await heldFor(control, await queuedRound(control, 1), 'draft', 'typing', 'dialog-open')
  person.press('Enter')
  await person.until('the shell', () => person.atShell())
  await control.session((s) => s.queue.length === 0 && (s.shape === 'failed' || s.shape === 'gone'))
  await atPeace(stage)
  expect(person.atShell(), person.screen()).toBe(true)
  expect(readdirSync(person.cwd)).toEqual(before)
  expect(allTold(stage)).toEqual([seenTask])
}
