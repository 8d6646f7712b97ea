import { expect } from 'vitest'
import { gate, type MockRequest } from '../../mock-upstream/index.ts'
import type { RunningEngine } from '../../engine-process.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'
import { allRounds, allTold, atPeace, followup, task, PATIENT_MS, type Stage } from './stage.ts'

const errand = 'Count the parts for me.'

/** A sub-agent works: its stop is nobody's stop, and while it runs in the background nothing is typed. */
export async function subAgentAtWork(stage: Stage): Promise<void> {
  const { agent, world, how } = stage
  const { mock, engine } = world
  const until = gate()
  const isErrand = (request: MockRequest) => request.auxiliary === null && agent.subAgent.is(request, errand)
  let sent = false
  mock.script((request) => {
    if (request.auxiliary !== null) return undefined
    if (isErrand(request)) return agent.subAgent.answer('There are three.', { hold: { at: 'head', until } })
    if (sent) return undefined
    sent = true
    return agent.subAgent.reply(errand)
  })
  const person = await world.start(agent, { how })
  await person.say(task(1))
  if (agent.subAgent.asksFirst) {
    await person.shows(agent.dialog.shows)
    person.press(...agent.dialog.yes)
  }
  await mock.waitFor('the sub-agent', (requests) => requests.find(isErrand), PATIENT_MS)
  if (agent.subAgent.background) await stoppedAndLeftAlone(engine)
  expect(allTold(stage)).not.toContain(followup)
  until.open()
  await allRounds(stage, 1)
  await atPeace(stage)
  const own = mock.turns().filter((turn) => !isErrand(turn))
  expect(allTold(stage).filter((text) => text === followup)).toHaveLength(1)
  expect(own.at(-1)?.lastUserText).toContain(followup)
  expect(engine.control.events.filter(({ body }) => body.type === 'confirmed')).toHaveLength(1)
}

/** The main turn has ended with a plain stop, and that was decided to be no moment for a followup, or not yet. */
const stoppedAndLeftAlone = ({ control }: RunningEngine) =>
  waitFor('a followup that is left, or held', () =>
    control.events.find(
      ({ body }) =>
        (body.type === 'skipped' && body.reason.code === 'background-work') ||
        (body.type === 'held' &&
          (body.reason.code === 'response-running' || (body.reason.code === 'typing' && body.reason.sent === true))),
    ),
  )
