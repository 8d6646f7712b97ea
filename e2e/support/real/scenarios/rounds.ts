import { expect } from 'vitest'
import { allRounds, allTold, atPeace, followup, seenTask, task, type Stage } from './stage.ts'

/** N followups are typed, submitted and confirmed, and not one more. */
export const keptGoing =
  (rounds: number) =>
  async (stage: Stage): Promise<void> => {
    const { agent, world, how } = stage
    const person = await world.start(agent, { how })
    await person.say(task(rounds))
    const session = await allRounds(stage, rounds)
    expect(session).toMatchObject({ client: agent.client, shape: 'done' })
    await atPeace(stage)
    expect(allTold(stage)).toEqual([seenTask, ...Array<string>(rounds).fill(followup)])
    expect(world.engine.control.events.filter(({ body }) => body.type === 'confirmed')).toHaveLength(rounds)
  }
