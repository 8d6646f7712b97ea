import type { ControlApi } from '../../../../shared/control/contract.ts'
import type { OutboxEntryView } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import type { SessionState } from '../../sessions/session-state.ts'
import type { Outbox } from '../../terminals/outbox/outbox.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'

export interface QueueApiDeps {
  find(session: string): Promise<SessionState>
  scopeOf(session: SessionState): Scope
  /** the scope of a living terminal that has had no turn yet, by its id or scope; null: there is none */
  freshScope(terminal: string): Scope | null
  outboxes: Outboxes
}

type QueueApi = Pick<ControlApi, 'say' | 'editEntry' | 'cancelEntry' | 'sendEntryNow' | 'moveEntry'>

export function queueApi({ find, scopeOf, freshScope, outboxes }: QueueApiDeps): QueueApi {
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
      const fresh = freshScope(wanted)
      if (fresh !== null) return (await outboxes.of(fresh)).add({ sessionId: null, text, source: 'user' })
      const session = await find(wanted)
      const outbox = await outboxes.of(scopeOf(session))
      return outbox.add({ sessionId: session.id, text, source: 'user' })
    },
    editEntry: (entryId, revision, text) => holding(entryId).edit(entryId, revision, text),
    cancelEntry: (entryId) => holding(entryId).cancel(entryId),
    sendEntryNow: (entryId) => holding(entryId).sendNow(entryId),
    moveEntry: (entryId, before) => holding(entryId).move(entryId, before),
  }
}
