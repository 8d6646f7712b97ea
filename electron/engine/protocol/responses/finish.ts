import type { FinishKind } from '../../../../shared/events.ts'
import type { AnswerFinish } from '../canonical/answer.ts'
import { finishName, meaningOf } from '../finish-names.ts'
import { asObject, type JsonObject } from '../values.ts'

/**
 * Returns how a response finished: a plain stop is `completed` without a refusal, an item that asks the client for
 * something, or a required action.
 */
export function finishOfResponse(
  status: string | null,
  response: JsonObject,
  said: { call: boolean; refusal: boolean },
): FinishKind {
  switch (status) {
    case 'completed':
      if (said.call || asObject(response['required_action'])) return 'tool-calls'
      return said.refusal ? 'refusal' : 'stop'
    case 'failed':
    case 'cancelled':
      return 'error'
    default:
      return whyIncomplete(response)
  }
}

/** Returns why a response is incomplete. It is never a plain stop, whatever reason the provider gives. */
export function whyIncomplete(response: JsonObject): Exclude<AnswerFinish, 'stop' | 'stop-sequence' | 'tool-calls'> {
  const name = finishName(asObject(response['incomplete_details'])?.['reason'])
  const meaning = name === null ? 'incomplete' : meaningOf(name)
  switch (meaning) {
    case 'length':
    case 'content-filter':
    case 'refusal':
    case 'pause-turn':
      return meaning
    default:
      return 'incomplete'
  }
}
