/**
 * Orders that waited at the hub for this engine. Each is carried out once, whatever dies when: its id is written down
 * before, and again after; one that was under way is looked for where it would have been carried out.
 */
import { z } from 'zod'
import { operations, type OperationName } from '../../../shared/operations/index.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf, OnwardError, problemOf } from '../base/errors.ts'
import type { Document, DocumentSpec } from '../store/types.ts'
import { carryOut, type CommandDeps } from './answer-command.ts'
import { calledIn } from './subjects.ts'
import type { Taken } from './types.ts'

const takenOrders = z.object({
  /** when each was carried out or refused for good, by its id */
  over: z.record(z.string(), z.number()),
  /** it was begun, and nothing more is known */
  begun: z.string().nullable(),
})
type TakenOrders = z.infer<typeof takenOrders>

export const takenSpec: DocumentSpec<TakenOrders> = {
  path: 'fleet-orders.json',
  version: 1,
  parse: (value) => takenOrders.parse(value),
}

export interface OrdersDeps extends CommandDeps {
  document: Document<TakenOrders>
  /** longer than the hub keeps an order */
  keptMs: number
  clock: Pick<Clock, 'now'>
  /** a message or alarm of this id is there, or was */
  isDone(id: string): boolean
  /** tells a person of one that was refused */
  refused(problem: { code: string; message: string }): void
}

/** refusals that another time may change */
const passing: ReadonlySet<string> = new Set(['store-failed', 'not-started', 'scope-moved', 'alarm-under-way'])

export function createOrders(deps: OrdersDeps) {
  const { document, clock, keptMs, log } = deps
  const known = (): TakenOrders => document.get() ?? { over: {}, begun: null }
  const write = (id: string, isOver: boolean) => {
    const old = Object.entries(known().over).filter(([, at]) => clock.now() - at < keptMs)
    return document.set({
      over: { ...Object.fromEntries(old), ...(isOver && { [id]: clock.now() }) },
      begun: isOver ? null : id,
    })
  }
  return {
    /** After a start, while what was begun before is still known where it was to be carried out. */
    async settle(): Promise<void> {
      const { begun } = known()
      if (begun !== null && deps.isDone(begun)) await write(begun, true)
    },
    /** Never rejects. */
    async take({ subject, id, text }: { subject: string; id: string; text: string }): Promise<Taken> {
      try {
        const { over, begun } = known()
        if (id in over) return 'done'
        if (begun !== id || !deps.isDone(id)) {
          await write(id, false)
          await once(deps, subject, id, text)
        }
        await write(id, true)
        return 'done'
      } catch (error) {
        if (!OnwardError.isInstance(error)) log.error({ id, error: messageOf(error) }, 'an order of the fleet failed')
        if (!OnwardError.isInstance(error) || passing.has(error.code)) return 'again'
        deps.refused(problemOf(error, 'fleet'))
        return write(id, true).then(
          () => 'done',
          () => 'again',
        )
      }
    },
  }
}

/** @throws OnwardError `fleet-may-not`, and as `carryOut` */
async function once(deps: CommandDeps, subject: string, id: string, text: string): Promise<void> {
  const operation = calledIn(subject)?.operation
  const known = operation !== undefined && operation in operations ? operations[operation as OperationName] : null
  const given = parseJson(text)
  if (!known || !('once' in known) || typeof given !== 'object' || given === null)
    throw new OnwardError('fleet-may-not', 'What waited at the hub is nothing that may be done later.', { status: 403 })
  await carryOut(deps, subject, JSON.stringify({ ...given, key: id }))
}
