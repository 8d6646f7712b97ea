/** The engine of a fleet that `--on` leads to, where no machine of that name was added: asked through this one's. */
import { withControl, type ControlCalls, type EngineTarget } from './client.ts'
import { EndsWell } from './exit.ts'

/** @returns null: this engine is in no fleet. @throws OnwardError `fleet-…`; EndsWell where it waits at the hub */
export function onFleet<T>(
  local: EngineTarget,
  engine: string,
  work: (calls: ControlCalls) => Promise<T>,
): Promise<{ answer: T } | null> {
  return withControl(local, async (here) =>
    (await here.fleet.query().catch(olderEngine)) === null ? null : { answer: await work(callsTo(engine, here)) },
  )
}

/** One that knows no fleets is in none. */
function olderEngine(error: unknown): null {
  if (typeof error === 'object' && error !== null && 'data' in error && isUnknown(error.data)) return null
  throw error
}
const isUnknown = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'code' in data && data.code === 'NOT_FOUND'

/** The same calls, each an order to the other engine. */
function callsTo(engine: string, here: ControlCalls): ControlCalls {
  const ask = (operation: string) => async (input: unknown) => {
    const asked = await here.askFleet.mutate({ engine, operation, input }).catch((error: unknown) => {
      // a time is read here for one that is away: its answer names the instant
      if (operation === 'readTime' && codeOf(error) === 'fleet-engine-away') return here.readTime.query(String(input))
      throw error
    })
    if (!('kind' in asked)) return asked
    if (asked.kind === 'answered') return asked.answer
    const until = new Date(asked.until).toISOString()
    throw new EndsWell(`◐ ${engine} is away: the hub keeps this for it until ${until}.\n`, {
      waits: true,
      engine,
      until,
    })
  }
  return new Proxy({} as ControlCalls, {
    get: (_, operation) => ({ query: ask(String(operation)), mutate: ask(String(operation)) }),
  })
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' &&
  error !== null &&
  'data' in error &&
  typeof error.data === 'object' &&
  error.data !== null
    ? Reflect.get(error.data, 'onwardCode')
    : null
