import { messageOf } from '../../electron/engine/base/errors.ts'
import { seed } from '../../shared/testing/runs.ts'
import { atRest } from '../support/nothing-more.ts'
import { told } from '../support/real/told.ts'
import { startAgent, type PlaceKind } from '../support/real/person.ts'
import type { RealAgent } from '../support/real/types.ts'
import { closeWorld, openWorld } from '../support/real/world.ts'
import { disturbances } from './disturb.ts'
import { countFollowups, entersTwice, stopsToTyped, type SeatCount } from './count.ts'

export interface SoakRun {
  agent: RealAgent
  how: PlaceKind
}
export interface SoakPlan {
  followups: number
  /** a followup that does not come ends the seat's run after so long */
  patienceMs: number
}

export const wordsOf = ({ agent, how }: SoakRun): string =>
  `carry on with the ${agent.client} part in the ${how} terminal`

/** One agent in one terminal until all its followups have come, or one does not. */
export async function soakRun(driver: SoakRun, all: readonly SoakRun[], plan: SoakPlan): Promise<SeatCount> {
  const { agent, how } = driver
  const { followups: asked, patienceMs } = plan
  const own = wordsOf(driver)
  const begun = performance.now()
  const world = await openWorld(agent.provider)
  const { mock, engine, tmux } = world
  const person = await startAgent(agent, { engine, tmux, how, name: 'work' })
  const { answer, thrown, failed } = disturbances(agent, person, own, seed + all.indexOf(driver))
  mock.script(answer)
  const problem = await drive().then(
    () => mock.problems[0] ?? (failed.length > 0 ? messageOf(failed[0]) : null),
    (error: unknown) =>
      `${messageOf(error)}; ${JSON.stringify([...engine.control.sessions.values()].map((s) => s.say))}`,
  )
  // A look at other conversations takes a turn out of Claude Code's hands: it leaves the answer and asks again.
  const said = mock
    .turns()
    .slice(1)
    .filter(({ outcome }) => outcome !== 'left')
    .map(told)
    .filter((text) => text !== null)
  const count: SeatCount = {
    agent: agent.name,
    terminal: how,
    asked,
    ...countFollowups({ asked, own, others: all.filter((one) => one !== driver).map(wordsOf), said }),
    stopToTyped: stopsToTyped(engine.control.events),
    enterTwice: entersTwice(engine.control.events),
    thrown: Object.entries(thrown)
      .map(([kind, times]) => `${times} ${kind}`)
      .join(', '),
    seconds: Math.round((performance.now() - begun) / 1000),
    problem,
  }
  person.dispose()
  await closeWorld(world)
  return count

  async function drive(): Promise<void> {
    await person.say(`Write the parts. <**stopMessage:"${own}",${asked}**>`)
    // Each followup starts the wait again.
    for (let n = 1; n <= asked; n++)
      await mock.waitFor(
        `followup ${n} of ${asked}`,
        () => mock.turns().filter((turn) => told(turn) === own).length >= n || undefined,
        patienceMs,
      )
    const { stopMessage } = await engine.control.session((s) => s.shape === 'done', patienceMs)
    await atRest(engine)
    if (stopMessage?.used !== asked) throw new Error(`counted as ${stopMessage?.used} of ${asked}`)
  }
}
