import type { AnswerEvent, AnswerFinish, AnswerUsage } from '../../canonical/answer.ts'
import { describe, errorIn } from '../../observe/errors.ts'
import { asNumber, asObject, type JsonObject } from '../../values.ts'
import { finishOfResponse, usageOfResponse } from '../finish.ts'

export function readUsage(value: unknown): AnswerUsage | null {
  const usage = usageOfResponse(value)
  return (
    usage && {
      ...usage,
      cacheWrite: asNumber(asObject(asObject(value)?.['input_tokens_details'])?.['cache_write_tokens']) ?? 0,
    }
  )
}

export const writeUsage = ({ input, cachedInput, cacheWrite, output, reasoning }: AnswerUsage): JsonObject => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
})

/** How a response ended, as its status says. What is neither whole nor named is no answer. */
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
    usage: readUsage(response['usage']),
  }
}

function reasonOf(status: string, response: JsonObject, said: { call: boolean; refusal: boolean }): AnswerFinish {
  const kind = finishOfResponse(status, response, said.call)
  switch (kind) {
    case 'stop':
      return said.refusal ? 'refusal' : 'stop'
    case 'tool-calls':
    case 'content-filter':
      return kind
    // Incomplete for another reason: cut short is what it is.
    default:
      return 'length'
  }
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

/** A refusal that was said as a part is a whole answer; one that left no words was a filter's. */
export function writeEnd(reason: AnswerFinish, refusalSaid: boolean): End {
  if (reason === 'length') return { status: 'incomplete', reason: 'max_output_tokens' }
  const filtered = reason === 'content-filter' || (reason === 'refusal' && !refusalSaid)
  return filtered ? { status: 'incomplete', reason: 'content_filter' } : { status: 'completed', reason: null }
}
