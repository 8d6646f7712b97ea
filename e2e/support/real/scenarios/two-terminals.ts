import { expect } from 'vitest'
import type { SessionView } from '../../../../shared/state.ts'
import { noticesTold } from '../../followups.ts'
import { allTold, atPeace, PATIENT_MS, type Stage } from './stage.ts'

/** Two of the same agent of one person at once: every followup lands in its own terminal and conversation. */
export async function twoAtOnce(stage: Stage): Promise<void> {
  const { agent, world, how } = stage
  const { control } = world.engine
  const red = await world.start(agent, { how: 'pane', name: 'first' })
  const blue = await world.start(agent, { how, name: 'second' })
  await Promise.all([
    red.say('Write the red part. <**stopMessage:"go on with the red one",2**>'),
    blue.say('Write the blue part. <**stopMessage:"go on with the blue one",3**>'),
  ])
  const ended = [
    await control.session(isDone('go on with the red one'), PATIENT_MS),
    await control.session(isDone('go on with the blue one'), PATIENT_MS),
  ]
  expect(ended.map(({ stopMessage }) => stopMessage?.used)).toEqual([2, 3])
  expect(new Set(ended.map(({ scope }) => scope)).size).toBe(2)
  expect(await noticesTold(control, 2)).toEqual(['goal-reached', 'goal-reached'])
  await atPeace(stage)
  const all = allTold(stage)
  const of = (colour: string) => all.filter((text) => text.includes(colour))
  expect(of('red')).toEqual(['Write the red part.', ...Array<string>(2).fill('go on with the red one')])
  expect(of('blue')).toEqual(['Write the blue part.', ...Array<string>(3).fill('go on with the blue one')])
  expect(all).toHaveLength(7)
  // No conversation has heard of the other.
  for (const { body } of world.mock.turns()) {
    const text = body.toString()
    expect(text.includes('red part') && text.includes('blue part')).toBe(false)
  }
  expect(red.screen()).not.toContain('blue')
  expect(blue.screen()).not.toContain('red one')
}

const isDone = (text: string) => (s: SessionView) => s.shape === 'done' && s.stopMessage?.text === text
