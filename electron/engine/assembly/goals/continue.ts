import type { RecordEvent } from '../../../../shared/events.ts'
import type { Scope } from '../../../../shared/words.ts'
import { problemOf } from '../../base/errors.ts'
import type { Turn, TurnEnd } from '../../pipeline/turn.ts'
import type { StopMessage } from '../../servertools/stop-message/stop-message.ts'
import type { Outboxes } from '../../terminals/outbox/outboxes.ts'

export interface ContinueDeps {
  outboxes: Outboxes
  automation: Pick<StopMessage, 'view'>
  record: RecordEvent
}

/**
 * Puts the followup that the model asked for into its terminal's outbox (`continue_execution`). If a stopMessage is
 * set, that decides what comes next. Once per request.
 * @returns what to do when the other decisions about the turn are made; null: nothing
 */
export function createContinue({
  outboxes,
  automation,
  record,
}: ContinueDeps): (turn: Turn, end: TurnEnd) => (() => Promise<void>) | null {
  const isSet = (scope: Scope): boolean => {
    const status = automation.view(scope).stopMessage?.status.kind ?? 'done'
    return status !== 'done'
  }
  return (turn, { continueWith, clientLeft }) => {
    const { scope, sessionId } = turn.identity
    if (!continueWith || clientLeft || scope === null || sessionId === null || isSet(scope)) return null
    return () => put(turn, continueWith.text, scope, sessionId)
  }

  async function put(turn: Turn, text: string, scope: Scope, sessionId: string): Promise<void> {
    try {
      const outbox = await outboxes.of(scope)
      const group = `continue:${turn.call.requestId}`
      await outbox.exclusive(async (transaction) => {
        if (!transaction.entries().some((entry) => entry.group === group))
          await transaction.add({ sessionId, text, source: 'continue_execution', writtenBy: 'model', group })
      })
    } catch (error) {
      record(
        { sessionId, scope, requestId: turn.call.requestId },
        { type: 'engine-problem', ...problemOf(error, 'continue-execution') },
      )
    }
  }
}
