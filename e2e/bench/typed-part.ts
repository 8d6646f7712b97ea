/** Real agents that are kept going, one in one terminal at a time; loaded for the bench. */
import { removeHomes } from '../support/engine-process.ts'
import { endTerminalHosts } from '../support/hosted-agent-driver.ts'
import { say, type MockUpstream } from '../support/mock-upstream/index.ts'
import { endAgents } from '../support/real/end-agents.ts'
import { agentMissing, realAgents, type RealAgent } from '../support/real/index.ts'
import { startAgent, type PlaceKind } from '../support/real/person.ts'
import { closeWorld, openWorld } from '../support/real/world.ts'
import { stopsOf, type Stop } from './stops-of.ts'

/** An agent that has not come to its end by then is given up. */
const SEAT_MS = 60_000
/** No model answers sooner; and what a person sent keeps one busy until their hands have left the keyboard. */
const ANSWER_MS = { first: 2_000, others: 300 }

type World = Awaited<ReturnType<typeof openWorld>>
let open: World | null = null

export const agentsThere = (): readonly RealAgent[] =>
  Object.values(realAgents).filter((agent) => agentMissing(agent) === null)

/** @param bin another build than the one here */
export async function keepGoing(agent: RealAgent, how: PlaceKind, rounds: number, bin?: string): Promise<Stop[]> {
  const world = await openWorld(agent.provider, bin === undefined ? {} : { bin })
  open = world
  try {
    return await Promise.race([driven(world, agent, how, rounds), late(`${agent.name} (${how})`)])
  } finally {
    await closeWorld(world)
    open = null
    removeHomes()
  }
}

/** At once, whatever runs: for a bench that ends. */
export function endNow(): void {
  if (open === null) return
  open.tmux.dispose()
  endAgents(open.engine.home)
  process.kill(open.engine.pid, 'SIGKILL')
  endTerminalHosts(open.engine.home)
}

async function driven({ mock, engine, tmux }: World, agent: RealAgent, how: PlaceKind, rounds: number) {
  answerInTime(mock)
  const person = await startAgent(agent, { engine, tmux, how, name: 'work' })
  await person.say(`Write the parts. <**stopMessage:"carry on with the next part",${rounds}**>`)
  await engine.control.session((s) => s.shape === 'done' || s.shape === 'failed', SEAT_MS)
  person.dispose()
  return stopsOf(engine.control.events)
}

function answerInTime(mock: MockUpstream): void {
  let ms = ANSWER_MS.first
  mock.script(async ({ auxiliary }) => {
    if (auxiliary !== null) return undefined
    await inMs(ms)
    ms = ANSWER_MS.others
    return say('One part is written.')
  })
}

const inMs = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms)
  })

const late = async (what: string): Promise<never> => {
  await inMs(SEAT_MS)
  throw new Error(`${what} was not kept going within ${SEAT_MS} ms`)
}
