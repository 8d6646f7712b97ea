import { forViewers } from '../../../../shared/control/under-way.ts'
import type { ViewHub } from '../../control/views/hub.ts'
import type { InFlight } from '../../base/in-flight.ts'
import type { StopMessage } from '../../servertools/stop-message/stop-message.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'
import type { ClockAssembly } from '../clock.ts'

export interface UnderWayParts {
  /** requests, and the work that follows their end */
  turns: InFlight
  outboxes: Pick<Outboxes, 'all'>
  automation: Pick<StopMessage, 'reviewing'>
  alarms: Pick<ClockAssembly['alarms'], 'idle' | 'isDue'>
  viewers: Pick<ViewHub, 'upToDate'>
  /** writes what is not on the disk yet */
  flush(): Promise<void>
}

/**
 * Lists the work that the engine still does by itself, without anyone else's doing and without waiting for a set time.
 * Queues are drained and everything is written to the disk first, so that an empty list is true of all of them.
 */
export async function listUnderWay({
  turns,
  outboxes,
  automation,
  alarms,
  viewers,
  flush,
}: UnderWayParts): Promise<string[]> {
  await Promise.all(outboxes.all().map((outbox) => outbox.exclusive(async () => undefined)))
  await alarms.idle()
  await flush()
  return [
    ...turns.list(),
    ...outboxes.all().flatMap((outbox) => (outbox.atWork() ? [`a followup for ${outbox.scope}`] : [])),
    ...automation.reviewing().map((scope) => `a review for ${scope}`),
    ...(alarms.isDue() ? ['an alarm'] : []),
    ...(viewers.upToDate ? [] : [forViewers]),
  ]
}
