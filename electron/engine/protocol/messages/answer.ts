import { typedEvent, type TypedEvent } from '../sse/write.ts'
import type { AnswerInput } from '../types.ts'

/** A whole Messages answer with one text block, as an object or from `message_start` to `message_stop`. */
export function messagesAnswer(input: AnswerInput): { contentType: string; body: Buffer } {
  const message = {
    id: `msg_${input.id}`,
    type: 'message',
    role: 'assistant',
    model: input.model,
    stop_sequence: null,
    usage: noTokens,
  }
  if (!input.stream) {
    const whole = { ...message, content: [{ type: 'text', text: input.text }], stop_reason: 'end_turn' }
    return { contentType: 'application/json', body: Buffer.from(JSON.stringify(whole)) }
  }
  const events: TypedEvent[] = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...textBlockEvents(0, input.text),
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: noTokens },
    { type: 'message_stop' },
  ]
  return { contentType: 'text/event-stream; charset=utf-8', body: Buffer.from(events.map(typedEvent).join('')) }
}

/** A whole text block of a stream. */
export const textBlockEvents = (index: number, text: string): TypedEvent[] => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index },
]

/** No provider was asked, so nothing was used. */
const noTokens = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 }
