/** Answers of many events, in every protocol. */
import { begin, candidate, chunk, many, over, response, type Protocol } from './watched-engine.ts'

/** as many words, each an event of its own */
export const tokens: Record<Protocol, (count: number) => object[]> = {
  chat: (count) => [...many(count, () => chunk({ content: 'a' })), chunk({}, 'stop')],
  messages: (count) => [
    begin,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...many(count, () => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } })),
    { type: 'content_block_stop', index: 0 },
    ...over('end_turn'),
  ],
  responses: (count) => [
    { type: 'response.created', response: response([], 'in_progress') },
    ...many(count, () => ({
      type: 'response.output_text.delta',
      output_index: 0,
      content_index: 0,
      item_id: 'x',
      delta: 'a',
    })),
    {
      type: 'response.completed',
      response: response(
        [
          {
            type: 'message',
            id: 'x',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'a', annotations: [] }],
          },
        ],
        'completed',
      ),
    },
  ],
  gemini: (count) => many(count, (i) => candidate([{ text: 'a' }], i === count - 1)),
}

/** as many calls of the client's own */
export const calls: Record<Protocol, (count: number, name?: string, input?: object) => object[]> = {
  chat: (count, name = 'look', input = {}) => [
    ...many(count, (i) => {
      const json = JSON.stringify(input)
      const call = { index: i, id: `c${i}`, type: 'function', function: { name, arguments: json.slice(0, 1) } }
      return [
        chunk({ tool_calls: [call] }),
        chunk({ tool_calls: [{ index: i, function: { arguments: json.slice(1) } }] }),
      ]
    }).flat(),
    chunk({}, 'tool_calls'),
  ],
  messages: (count, name = 'look', input = {}) => [
    begin,
    ...many(count, (index) => [
      { type: 'content_block_start', index, content_block: { type: 'tool_use', id: `c${index}`, name, input: {} } },
      { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) } },
      { type: 'content_block_stop', index },
    ]).flat(),
    ...over('tool_use'),
  ],
  responses: (count, name = 'look', input = {}) => {
    const args = JSON.stringify(input)
    const items = many(count, (i) => ({
      type: 'function_call',
      id: `f${i}`,
      call_id: `c${i}`,
      name,
      arguments: args,
      status: 'completed',
    }))
    return [
      { type: 'response.created', response: response([], 'in_progress') },
      ...items.flatMap((item, i) => [
        { type: 'response.output_item.added', output_index: i, item: { ...item, arguments: '' } },
        { type: 'response.function_call_arguments.delta', output_index: i, item_id: item.id, delta: args },
        { type: 'response.function_call_arguments.done', output_index: i, item_id: item.id, arguments: args },
        { type: 'response.output_item.done', output_index: i, item },
      ]),
      { type: 'response.completed', response: response(items, 'completed') },
    ]
  },
  gemini: (count, name = 'look', input = {}) =>
    many(count, (i) => candidate([{ functionCall: { name, args: input } }], i === count - 1)),
}

/** A text, in one body. */
export const whole: Record<Protocol, (text: string) => object> = {
  chat: (content) => ({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  }),
  messages: (text) => ({ ...begin.message, content: [{ type: 'text', text }], stop_reason: 'end_turn' }),
  responses: (text) =>
    response(
      [{ type: 'message', id: 'x', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] }],
      'completed',
    ),
  gemini: (text) => candidate([{ text }], true),
}
