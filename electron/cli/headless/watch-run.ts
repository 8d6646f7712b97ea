/** The end of a job without a terminal, as the engine shows it. */
import type { FolderChecks } from '../../../shared/review.ts'
import type { SessionView } from '../../../shared/state.ts'
import { pause, systemClock } from '../../engine/base/clock.ts'
import { withControl, type ControlCalls, type EngineTarget } from '../client.ts'
import { findTarget } from '../engine.ts'
import { CliError } from '../exit.ts'
import type { Place } from '../place.ts'
import type { HeadlessAgent } from './headless-agent.ts'
import { looksAtChecks, outcomeOf, type Outcome } from './outcome.ts'

/** an engine that is started again by its system, or taken over, is waited for */
const ENGINE_AGAIN_MS = 20_000
const POLL_MS = 50
/** Between two looks at what the engine does; what ends a job has to stand for two of them. */
const LOOK_MS = { first: 200, most: 1_000 }

export interface Watched {
  agent: HeadlessAgent
  terminalId: string
  place: Place
  told: AbortSignal
  startedAt: number
}

/** Starts the agent and waits for the end of its job, across engines that take each other's place. */
export async function untilOver(at: { engine: EngineTarget }, watched: Watched): Promise<Outcome> {
  const { agent, told, place } = watched
  if (!told.aborted) agent.begin()
  for (;;) {
    try {
      return await withControl(at.engine, (calls) => followed(calls, watched))
    } catch (error) {
      if (!(error instanceof CliError && error.exit === 'noEngine')) throw error
      const again = await nextEngine(place, told)
      if (again) at.engine = again
      else {
        agent.stop()
        await rested(agent)
        return told.aborted ? wasTold(told) : { code: 'engine-lost' }
      }
    }
  }
}

const wasTold = ({ reason }: AbortSignal): Outcome => ({ code: 'told', signal: reason as NodeJS.Signals })

async function nextEngine(place: Place, told: AbortSignal): Promise<EngineTarget | null> {
  const clock = systemClock('awake')
  for (const until = clock.monotonic() + ENGINE_AGAIN_MS; clock.monotonic() < until && !told.aborted;) {
    const found = await findTarget(place).catch(() => null)
    if (found && found.info.endsBy === undefined) return found
    await pause(clock, POLL_MS, told)
  }
  return null
}

export const rested = (agent: HeadlessAgent): Promise<void> =>
  new Promise((resolve) => {
    if (!agent.running) return resolve()
    const waiting = agent.onRest(() => {
      waiting.dispose()
      resolve()
    })
  })

/** A goal that was asked for and not set is no success. */
async function refusedMarker(calls: ControlCalls, { id }: SessionView, since: number): Promise<Outcome | null> {
  const events = await calls.timeline.query({ session: id, limit: 500 })
  const refused = events.flatMap(({ at, body }) =>
    at >= since && body.type === 'marker-refused' ? [body.message] : [],
  )
  return refused[0] === undefined ? null : { code: 'marker-refused', message: refused[0] }
}

/** Looks between two runs at what the engine does, until nothing comes any more. */
async function followed(calls: ControlCalls, { agent, terminalId, told, startedAt }: Watched): Promise<Outcome> {
  const clock = systemClock('awake')
  let run = agent.runs
  let open: ReadonlySet<string> | null = null
  let before: string | null = null
  let wait = LOOK_MS.first
  for (;;) {
    await rested(agent)
    if (told.aborted) return wasTold(told)
    if (agent.runs !== run) {
      run = agent.runs
      open = before = null
      wait = LOOK_MS.first
    }
    const work = await calls.underWay.query()
    const session = await calls.session.query(terminalId)
    // A run that has ended begins no request: those that it left are the last of it. Others are another agent's.
    const requests: ReadonlySet<string> = new Set(work.flatMap((one) => /request (\S+)$/.exec(one)?.[1] ?? []))
    const last: ReadonlySet<string> = open ?? requests
    open = new Set([...last].filter((id) => requests.has(id)))
    const requestsOver = open.size === 0
    const atRest = requestsOver && !work.some((one) => one.endsWith(` ${session.scope ?? `pty:${terminalId}`}`))
    const called = session.id !== terminalId
    const found = agent.runs !== run || agent.running ? null : outcomeOf({ session, called, requestsOver, atRest })
    const outcome = found?.code === 'nothing-more' ? ((await refusedMarker(calls, session, startedAt)) ?? found) : found
    const now = outcome && JSON.stringify(outcome)
    if (outcome && now === before) return outcome
    before = now
    await pause(clock, wait, told)
    wait = outcome ? LOOK_MS.first : Math.min(LOOK_MS.most, wait * 2)
  }
}

/** Asks the engine for all that it knows of the job; where a bound ended it, its checks are run once more. */
export async function report(at: { engine: EngineTarget }, terminalId: string, outcome: Outcome, told: AbortSignal) {
  return withControl(at.engine, async (calls) => {
    const { checks } = await calls.checks.query(terminalId)
    let results: FolderChecks['checks'] = checks
    if (looksAtChecks(outcome))
      for (const { name, approval } of checks)
        if (approval === 'approved' && !told.aborted)
          results = (await calls.runCheck.mutate({ session: terminalId, name })).checks
    return {
      session: await calls.session.query(terminalId),
      rounds: await calls.rounds.query(terminalId),
      checks: results,
    }
  })
}
