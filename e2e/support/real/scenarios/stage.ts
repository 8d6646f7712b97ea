import { expect } from 'vitest'
import { nothingMore } from '../../nothing-more.ts'
import type { SessionView } from '../../../../shared/state.ts'
import type { PlaceKind } from '../person.ts'
import type { RealAgent } from '../types.ts'
import { told } from '../told.ts'
import type { AgentWorld } from '../world.ts'

/** Where a scenario plays. */
export interface Stage {
  agent: RealAgent
  world: AgentWorld
  how: PlaceKind
}
export type Scenario = (stage: Stage) => Promise<void>

export const followup = 'carry on with the next part'
export const task = (rounds: number, text = followup): string =>
  `Write the parts. <**stopMessage:"${text}",${rounds}**>`
/** what the provider sees of it */
export const seenTask = 'Write the parts.'

/** A busy machine takes its time for many rounds and for an agent's first request. */
export const PATIENT_MS = 240_000

/** The session that has come to its end, with all its rounds used. */
export async function allRounds({ world }: Stage, rounds: number): Promise<SessionView> {
  const session = await world.engine.control.session((s) => s.shape === 'done' || s.shape === 'failed', PATIENT_MS)
  expect(session.stopMessage).toMatchObject({
    used: rounds,
    max: rounds,
    status: { kind: 'done', reason: { code: 'rounds-used' } },
  })
  return session
}

/** All that was said, each once per turn, oldest first. */
export const allTold = ({ world }: Stage): string[] =>
  world.mock
    .turns()
    .map(told)
    .filter((text) => text !== null)

/** Nothing comes any more, no marker went out, and a real provider would have taken every request. */
export async function atPeace({ world: { mock, engine } }: Stage): Promise<void> {
  await nothingMore(mock, engine)
  for (const request of mock.requests) expect(request.body.toString()).not.toContain('<**')
  expect(mock.problems).toEqual([])
}
