import type { AnswerEvent, AnswerFinish, AnswerUsage } from '../../canonical/answer.ts'
import { describe, errorIn } from '../../observe/peek.ts'
import type { JsonObject } from '../../values.ts'
import { finishWords } from '../../finish-names.ts'
import * as facts from '../facts.ts'
import { finishOfResponse, whyIncomplete, usageOfResponse } from '../facts.ts'

export const writeUsage = ({ input, cachedInput, cacheWrite, output, reasoning }: AnswerUsage): JsonObject => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
})

/** Returns how a response ended, by its status. A response that is neither whole nor has a reason is no answer. */
export function readEnd(
  status: string | null,
  response: JsonObject,
  said: { call: boolean; refusal: boolean },
): AnswerEvent {
  if (status === 'failed' || status === 'cancelled')
    return { type: 'error', ...(errorIn(response) ?? describe({ message: `The provider's response is ${status}.` })) }
  if (status !== 'completed' && status !== 'incomplete') return brokeOff
  return {
    type: 'finish',
    reason: reasonOf(status, response, said),
    stopSequence: null,
    usage: usageOfResponse(facts.usage(response)),
  }
}

function reasonOf(status: string, response: JsonObject, said: { call: boolean; refusal: boolean }): AnswerFinish {
  if (status === 'incomplete') return whyIncomplete(response)
  const kind = finishOfResponse(status, response, said)
  return kind === 'tool-calls' || kind === 'refusal' ? kind : 'stop'
}

export const brokeOff: AnswerEvent = {
  type: 'error',
  code: 'upstream-broke-off',
  message: 'The provider ended its answer before it was complete.',
}

export interface End {
  status: 'completed' | 'incomplete'
  reason: 'max_output_tokens' | 'content_filter' | null
}

/** A refusal sent as a part is a whole answer; a refusal without text came from a filter. */
export function writeEnd(finish: AnswerFinish, refusalSaid: boolean): End {
  const reason = finish === 'refusal' && refusalSaid ? null : finishWords.responses[finish]
  return { status: reason === null ? 'completed' : 'incomplete', reason }
}
