import type { TypedEvent } from '../sse/write.ts'
import { asName } from '../values.ts'

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
