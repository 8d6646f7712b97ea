import { typedEvent, type TypedEvent } from '../sse/write.ts'
import type { AnswerInput } from '../types.ts'
import { type JsonObject, asName } from '../values.ts'

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

interface WholeMessage {
  id: string
  type: 'message'
  role: 'assistant'
  status: 'completed'
  content: readonly TextPart[]
}
interface TextPart {
  type: 'output_text'
  text: string
  annotations: readonly never[]
  logprobs: readonly never[]
}

/** Returns a message of Onward's own as an output item. */
export const wholeMessage = (id: string, text: string): WholeMessage => ({
  id,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
})

/** Returns every event of its life, without their numbers. */
export function messageEvents(item: WholeMessage, output_index: number): TypedEvent[] {
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', content: [] } },
    ...item.content.flatMap((part, content_index): TypedEvent[] => {
      const place = { item_id: item.id, output_index, content_index }
      return [
        { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
        { type: 'response.output_text.delta', ...place, delta: part.text, logprobs: [] },
        { type: 'response.output_text.done', ...place, text: part.text, logprobs: [] },
        { type: 'response.content_part.done', ...place, part },
      ]
    }),
    { type: 'response.output_item.done', output_index, item },
  ]
}

/**
 * Returns an item id like OpenAI's, which begin with the kind and may be 64 characters long; another one in each
 * response.
 */
export function ownItemId(responseId: unknown): string {
  const own = asName(responseId)
    ?.replace(/^resp_/, '')
    .slice(0, 64 - 'msg__onward'.length)
  return own === undefined ? 'msg_onward' : `msg_${own}_onward`
}
