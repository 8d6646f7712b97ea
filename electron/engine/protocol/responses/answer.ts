import type { JsonObject } from '../values.ts'
import { typedEvent, type TypedEvent } from '../sse/write.ts'
import { messageEvents, wholeMessage } from './whole-message.ts'
import type { AnswerInput } from '../types.ts'

/**
 * Returns a whole Responses answer with one message, as an object or with every event of its life. `echo`: the members
 * that repeat the request.
 */
export function responsesAnswer(
  input: AnswerInput,
  echo: JsonObject = responseDefaults,
): { contentType: string; body: Buffer } {
  const item = wholeMessage(`msg_${input.id}`, input.text)
  const done = { ...response(input, echo), status: 'completed', output: [item], usage: noTokens }
  if (!input.stream) return { contentType: 'application/json', body: Buffer.from(JSON.stringify(done)) }

  const begun = { ...response(input, echo), status: 'in_progress', output: [], usage: null }
  const events: TypedEvent[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...messageEvents(item, 0),
    { type: 'response.completed', response: done },
  ]
  const body = events.map((event, sequence_number) => typedEvent({ ...event, sequence_number })).join('')
  return { contentType: 'text/event-stream; charset=utf-8', body: Buffer.from(body) }
}

const response = (input: AnswerInput, echo: JsonObject) => ({
  id: `resp_${input.id}`,
  object: 'response',
  created_at: Math.floor(input.nowMs / 1000),
  model: input.model,
  error: null,
  incomplete_details: null,
  ...echo,
})

/**
 * The members of a response that the official SDK's types require beside its own facts, for a request that sets none of
 * them.
 */
export const responseDefaults = {
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: false,
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  truncation: 'disabled',
}

/** No provider was asked, so nothing was used. */
const noTokens = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
}
