/**
 * Reads one event of a Responses answer. A whole body is the response that the last event holds. All code that
 * understands answers uses these functions, and each reads only what it is asked for.
 */
import type { FinishKind } from '../../../../shared/events.ts'
import type { AnswerUsage, AnswerFinish } from '../canonical/answer.ts'
import { usageIn } from '../chat/facts.ts'
import { finishName, meaningOf } from '../finish-names.ts'
import { describe, errorIn, type ProviderError } from '../observe/peek.ts'
import { summedUp } from '../usage-sums.ts'
import { asList, asObject, asText, type JsonObject, asCount } from '../values.ts'

/** Returns the response that an event begins or ends, with all of it that is known so far. */
export const response = (event: JsonObject | null): JsonObject => asObject(event?.['response']) ?? {}

export const item = (event: JsonObject | null): JsonObject | null => asObject(event?.['item'])

export const parts = (message: JsonObject | null): (JsonObject | null)[] => asList(message?.['content']).map(asObject)

/** Returns the text of a part; a refusal is no text. */
export const text = (part: JsonObject | null): string => asText(part?.['text']) ?? ''

export const isRefusal = (part: JsonObject | null): boolean => part?.['type'] === 'refusal'

/** Returns the counts of a response, under the vendor's names. */
export const usage = (value: JsonObject | null): JsonObject | null => asObject(value?.['usage'])

const finishes: Partial<Record<string, 'completed' | 'incomplete' | 'failed'>> = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
}

/** Returns how an event of this type ends a response, whatever its status member holds; null: it goes on. */
export const finish = (type: string): 'completed' | 'incomplete' | 'failed' | null => finishes[type] ?? null

/** Reads the error of an error event, whose own type is no error code. */
export const error = (event: JsonObject): ProviderError => errorIn(event) ?? describe({ ...event, type: undefined })

/**
 * Usage of a response (https://platform.openai.com/docs/api-reference/responses/object). Input includes the cache,
 * output the reasoning; OpenRouter names what was written to a cache, and gateways in front of Gemini count reasoning
 * beside the output (https://github.com/router-for-me/CLIProxyAPI/pull/5746): the total shows it. Servers that only
 * changed the shape of a Chat answer write Chat's names.
 */
export function usageOfResponse(usage: JsonObject | null): AnswerUsage | null {
  const input = asCount(usage?.['input_tokens'])
  const output = asCount(usage?.['output_tokens'])
  if (!usage || (input === null && output === null)) return usageIn(usage)
  const read = asObject(usage['input_tokens_details'])
  return summedUp({
    input: input ?? 0,
    cachedInput: asCount(read?.['cached_tokens']) ?? 0,
    cacheWrite: asCount(read?.['cache_write_tokens']) ?? 0,
    output: output ?? 0,
    reasoning: asCount(asObject(usage['output_tokens_details'])?.['reasoning_tokens']) ?? 0,
    total: asCount(usage['total_tokens']),
  })
}

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
