import { responseDefaults } from '../../answer.ts'
import { typedEvent, type TypedEvent } from '../../../sse/write.ts'
import type { JsonObject } from '../../../values.ts'

/** A provider's whole items. */
export const message = (id: string, text: string): JsonObject => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
})
export const reasoning = (id: string, text: string): JsonObject => ({
  id: `rs_${id}`,
  type: 'reasoning',
  summary: [{ type: 'summary_text', text }],
  encrypted_content: `sealed-${id}`,
})
export const call = (id: string, name: string, args = '{}'): JsonObject => ({
  id: `fc_${id}`,
  type: 'function_call',
  status: 'completed',
  call_id: `call_${id}`,
  name,
  arguments: args,
})

const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
}

export const bodyOf = (output: readonly JsonObject[], id = '1', members: JsonObject = {}): JsonObject => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: 1,
  model: 'm',
  ...responseDefaults,
  ...members,
  status: 'completed',
  output,
  usage,
})

/** Returns the events of an answer, each as text. */
export function eventsOf(output: readonly JsonObject[], id = '1', members: JsonObject = {}): string[] {
  const begun = { ...bodyOf([], id, members), status: 'in_progress', usage: null }
  const events: TypedEvent[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
  ]
  output.forEach((item, i) => events.push(...itemEvents(item, i)))
  events.push({ type: 'response.completed', response: bodyOf(output, id, members) })
  return events.map((event, sequence_number) => typedEvent({ ...event, sequence_number }))
}

function itemEvents(item: JsonObject, output_index: number): TypedEvent[] {
  const at = { item_id: item['id'], output_index }
  const done: TypedEvent = { type: 'response.output_item.done', output_index, item }
  const added = (empty: JsonObject): TypedEvent => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, status: 'in_progress', ...empty },
  })
  if (item['type'] === 'function_call') {
    const text = String(item['arguments'])
    const deltas = [text.slice(0, 1), text.slice(1)].map((delta) => ({
      type: 'response.function_call_arguments.delta',
      ...at,
      delta,
    }))
    return [
      added({ arguments: '' }),
      ...deltas,
      { type: 'response.function_call_arguments.done', ...at, name: item['name'], arguments: text },
      done,
    ]
  }
  const isMessage = item['type'] === 'message'
  const parts = (isMessage ? item['content'] : item['summary']) as readonly { text: string }[] // made above
  const [part, text] = isMessage
    ? ['response.content_part', 'response.output_text']
    : ['response.reasoning_summary_part', 'response.reasoning_summary_text']
  const more = isMessage ? { logprobs: [] } : {}
  return [
    added(isMessage ? { content: [] } : { summary: [], encrypted_content: 'begun' }),
    ...parts.flatMap((value, index) => {
      const place = { ...at, [isMessage ? 'content_index' : 'summary_index']: index }
      return [
        { type: `${part}.added`, ...place, part: { ...value, text: '' } },
        ...[value.text.slice(0, 2), value.text.slice(2)].map((delta) => ({
          type: `${text}.delta`,
          ...place,
          delta,
          ...more,
        })),
        { type: `${text}.done`, ...place, text: value.text, ...more },
        { type: `${part}.done`, ...place, part: value },
      ]
    }),
    done,
  ]
}

export const streamOf = (output: readonly JsonObject[], id = '1', members: JsonObject = {}): string =>
  eventsOf(output, id, members).join('')
