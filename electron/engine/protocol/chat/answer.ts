import { sseEvent } from '../sse/write.ts'
import type { AnswerInput } from '../types.ts'

/** A whole Chat answer with one text, as an object or as a stream up to `[DONE]`. */
export function chatAnswer(input: AnswerInput): { contentType: string; body: Buffer } {
  const head = { id: `chatcmpl-${input.id}`, created: Math.floor(input.nowMs / 1000), model: input.model }
  if (!input.stream) {
    const message = { role: 'assistant', content: input.text, refusal: null }
    const whole = {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
      usage: noTokens,
    }
    return { contentType: 'application/json', body: Buffer.from(JSON.stringify(whole)) }
  }
  const usage = input.includeUsage ? { usage: null } : {}
  const chunk = (delta: object, finish: string | null) =>
    sseEvent({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...usage,
    })
  const events = [
    chunk({ role: 'assistant', content: '', refusal: null }, null),
    chunk({ content: input.text }, null),
    chunk({}, 'stop'),
    ...(input.includeUsage
      ? [sseEvent({ ...head, object: 'chat.completion.chunk', choices: [], usage: noTokens })]
      : []),
    'data: [DONE]\n\n',
  ]
  return { contentType: 'text/event-stream; charset=utf-8', body: Buffer.from(events.join('')) }
}

/** No provider was asked, so nothing was used. */
const noTokens = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
