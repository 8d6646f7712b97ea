import { z } from 'zod'
import { fleetName, type FleetAnswer } from '../../../shared/fleet.ts'
import { operations, type Input, type OperationName } from '../../../shared/operations/index.ts'
import { rightOf } from '../../../shared/operations/rights.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import type { Clock } from '../base/clock.ts'
import { OnwardError } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'
import { assertUsable } from './alive.ts'
import { aliveKey, commandSubject, orderSubject } from './subjects.ts'
import type { Hub } from './types.ts'

export interface AskDeps {
  hub: Pick<Hub, 'ask' | 'keep' | 'get'>
  fleet: string
  keptMs: number
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
}

const problem = z.object({ code: z.string(), message: z.string(), facts: z.record(z.string(), z.unknown()) })
const reply = z.union([z.object({ answer: z.unknown() }), z.object({ error: problem })])

/**
 * Asks another engine; what may be done later waits at the hub where it is away.
 * @throws OnwardError `fleet-…`, and as that engine refuses it
 */
export async function askEngine(deps: AskDeps, { engine, operation, input }: Input<'askFleet'>): Promise<FleetAnswer> {
  const { hub, fleet, clock, random } = deps
  const right = rightOf(operation)
  if (right === null)
    throw new OnwardError('fleet-may-not', 'That can’t be asked of an engine of the fleet. Do it on its machine.', {
      status: 403,
      details: { operation },
    })
  assertUsable(engine, fleetName.test(engine) ? await hub.get(aliveKey(engine)) : null)
  const { once } = { once: undefined, ...operations[operation as OperationName] }
  const id = random.uuid()
  const given = once && typeof input === 'object' && input !== null ? { key: id, ...input } : input
  const text = JSON.stringify(given ?? null)
  try {
    return answerIn(await hub.ask(commandSubject(fleet, engine, right, operation), text), engine)
  } catch (error) {
    if (!once || !OnwardError.isInstance(error) || !notHeard.has(error.code)) throw error
    const { key } = { key: id, ...(given as { key?: string }) }
    await hub.keep(orderSubject(fleet, engine, right, operation), key, text)
    return { kind: 'waits', until: clock.now() + deps.keptMs }
  }
}

/** It may have been heard all the same: the key holds it to once. */
const notHeard: ReadonlySet<string> = new Set(['fleet-engine-away', 'fleet-silent'])

function answerIn(text: string, engine: string): FleetAnswer {
  const read = reply.safeParse(parseJson(text)).data
  if (read && 'answer' in read) return { kind: 'answered', answer: read.answer }
  if (!read) throw new OnwardError('fleet-no-answer', `What answers as ${engine} is no Onward.`, { status: 409 })
  const { code, message, facts } = read.error
  throw new OnwardError(code, message, { status: 409, details: { ...facts, engine } })
}
