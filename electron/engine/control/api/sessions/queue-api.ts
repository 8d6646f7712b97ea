import type { ControlApi } from '../../../../../shared/control/contract.ts'
import type { OutboxEntryView } from '../../../../../shared/state.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { Outbox } from '../../../terminals/outbox/outbox.ts'
import type { Outboxes } from '../../../terminals/outbox/outboxes.ts'
import type { Target } from './target.ts'

export interface QueueApiDeps {
  targetOf(wanted: string): Promise<Target>
  outboxes: Outboxes
}

type QueueApi = Pick<ControlApi, 'say' | 'editEntry' | 'cancelEntry' | 'sendEntryNow' | 'moveEntry'>

export function queueApi({ targetOf, outboxes }: QueueApiDeps): QueueApi {
  const holding = (entryId: string): Outbox => {
    const outbox = outboxes.holding(entryId)
    if (!outbox)
      throw new OnwardError('entry-not-found', 'This followup does not exist any more. Look at the queue again.', {
        status: 404,
      })
    return outbox
  }
  return {
    async say(wanted, text): Promise<OutboxEntryView> {
      const { sessionId, scope } = await targetOf(wanted)
      const outbox = await outboxes.of(scope())
      return outbox.add({ sessionId, text, source: 'user' })
    },
    editEntry: (entryId, revision, text) => holding(entryId).edit(entryId, revision, text),
    cancelEntry: (entryId) => holding(entryId).cancel(entryId),
    sendEntryNow: (entryId) => holding(entryId).sendNow(entryId),
    moveEntry: (entryId, before) => holding(entryId).move(entryId, before),
  }
}
