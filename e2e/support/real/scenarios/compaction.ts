import { expect } from 'vitest'
import { gate, say, type MockRequest } from '../../mock-upstream/index.ts'
import { nothingMore } from '../../nothing-more.ts'
import { allRounds, allTold, followup, seenTask, task, PATIENT_MS, type Stage } from './stage.ts'
import { auxiliaryText } from '../../mock-upstream/auxiliary.ts'

const isCompaction = ({ auxiliary }: MockRequest) => auxiliary === 'compaction'

/**
 * The agent compacts its conversation while followups are due: they wait until that is over, go into what is left of
 * the conversation, and the compaction itself counts for nothing.
 */
export async function compactedInTheMiddle(stage: Stage): Promise<void> {
  const { agent, world, how } = stage
  const { mock, engine } = world
  const { control } = engine
  const until = gate()
  mock.script((request) =>
    isCompaction(request) ? say(auxiliaryText('compaction', request.json), { hold: { at: 'head', until } }) : undefined,
  )
  const person = await world.start(agent, { how })
  await person.say('Look at the parts.')
  await mock.turn(1, PATIENT_MS)
  await person.say(task(2))
  const { sessionId } = await control.event('matched')
  if (sessionId === null) throw new Error('a marker without a session')
  await control.api.pause.mutate(sessionId)
  await control.session((s) => s.shape === 'paused')
  await person.say(agent.compact)
  await mock.waitFor('a compaction', (requests) => requests.find(isCompaction), PATIENT_MS)
  await control.api.resume.mutate(sessionId)
  const before = mock.turns().length
  await control.event('held', ({ reason }) => reason.code === 'response-running')
  expect(mock.turns()).toHaveLength(before)
  until.open()
  await allRounds(stage, 2)
  await nothingMore(mock, engine)
  const said = allTold(stage)
  expect(said.filter((text) => text === followup)).toHaveLength(2)
  expect(said.slice(0, 2)).toEqual(['Look at the parts.', seenTask])
  expect(mock.problems).toEqual([])
}
