import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { heldFor } from '../../followups.ts'
import { nothingMore } from '../../nothing-more.ts'
import { allRounds, allTold, atPeace, followup, seenTask, task, type Stage } from './stage.ts'

const words = 'and tell me when it is there'

/** Enter on an open permission dialog approves it: nothing is typed until the person has answered. */
export async function dialogInTheMiddle(stage: Stage): Promise<void> {
  const { agent, world, how } = stage
  const { mock, engine } = world
  const { control } = engine
  mock.queue(agent.dialog.reply('made-by-tool'))
  const person = await world.start(agent, { how })
  const file = join(person.cwd, 'made-by-tool')
  await person.say(task(1))
  await person.shows(agent.dialog.shows)
  const asking = await control.session((s) => s.shape === 'needs')
  // A followup that has nothing to do with the dialog waits, too.
  const { id } = await control.api.say.mutate({ session: asking.id, text: words })
  await heldFor(control, id, 'dialog-open')
  await nothingMore(mock, engine)
  expect(person.screen()).toMatch(agent.dialog.shows)
  expect(person.screen()).not.toContain('tell me when')
  expect(existsSync(file)).toBe(false)

  person.press(...agent.dialog.yes)
  await allRounds(stage, 1)
  await atPeace(stage)
  expect(existsSync(file)).toBe(true)
  expect(allTold(stage)).toEqual([seenTask, words, followup])
}
