import type { Disposable } from '../../base/disposable.ts'
import { inBatches } from '../../store/in-batches.ts'
import { deliverDue } from '../deliver/deliver-due.ts'
import type { AlarmService } from '../alarm-service.ts'

/**
 * Which sessions get their due alarms, and when: one delivery after the other for a session, a few sessions at once,
 * and no session twice in a row for one reason.
 */
export interface Deliveries extends Disposable {
  start(): void
  one(sessionId: string): void
  many(sessionIds: readonly string[]): void
  busy(): boolean
  idle(): Promise<void>
}

/** A delivery writes a file or two; several files at once are one piece of work. */
const atOnce = 2

/** `onDone`: a session's delivery is over, or given up for now */
export function createDeliveries(service: AlarmService, onDone: (sessionId: string) => void): Deliveries {
  const waiting = new Set<string>()
  let running: Promise<void> | null = null
  let open = false

  const { clock } = service.deps
  const deliver = async (sessionId: string): Promise<void> => {
    try {
      await service.exclusive(sessionId, () => deliverDue(service, sessionId))
    } catch (error) {
      // The disk, or a terminal that moved: tried again with the next tick.
      service.dueIndex.again(sessionId, clock.monotonic() + service.deps.config().tickMs)
      service.problem(sessionId, error)
    }
    onDone(sessionId)
  }
  const work = async (): Promise<void> => {
    // Several calls in the same moment get one delivery.
    await Promise.resolve()
    while (open && waiting.size > 0) {
      const batch = [...waiting]
      waiting.clear()
      await inBatches(batch, deliver, atOnce)
    }
    running = null
  }
  const begin = () => {
    if (open && waiting.size > 0) running ??= work()
  }
  return {
    start() {
      open = true
      begin()
    },
    one(sessionId) {
      waiting.add(sessionId)
      begin()
    },
    many(sessionIds) {
      for (const sessionId of sessionIds) waiting.add(sessionId)
      begin()
    },
    busy: () => running !== null,
    async idle() {
      while (running) await running
    },
    dispose() {
      open = false
      waiting.clear()
    },
  }
}
