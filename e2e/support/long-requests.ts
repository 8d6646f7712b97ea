/** Requests of every protocol that are long, or hold more than anybody reads. */
import { many, type Protocol } from './watched-engine.ts'

const schema = {
  type: 'object',
  properties: Object.fromEntries(many(12, (i) => [`p${i}`, { type: 'string', description: 'A path. '.repeat(15) }])),
}
const image = Buffer.alloc(1_000_000, 7).toString('base64')
const text = (i: number): string => `Message ${i}: é "quoted"\n${'The quick brown fox jumps over it. '.repeat(60)}`

interface Long {
  messages: number
  images: number
  tools: number
}

/** Rounds of four: what a person says, a call, its result, an answer. */
const inRounds = (count: number, of: readonly ((i: number) => object)[], last: object): object[] => [
  ...many(count, (i) => of[i % 4]?.(i) ?? {}),
  last,
]

export const conversation: Record<Protocol, (long: Long) => object> = {
  chat: ({ messages, images, tools }) => ({
    tools: many(tools, (i) => ({
      type: 'function',
      function: { name: `t${i}`, description: 'd', parameters: schema },
    })),
    messages: inRounds(
      messages,
      [
        (i) => ({
          role: 'user',
          content: [
            { type: 'text', text: text(i) },
            ...(i < 4 * images ? [{ type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } }] : []),
          ],
        }),
        (i) => ({
          role: 'assistant',
          content: 'I look.',
          tool_calls: [
            { id: `c${i}`, type: 'function', function: { name: 't1', arguments: JSON.stringify({ p0: text(i) }) } },
          ],
        }),
        (i) => ({ role: 'tool', tool_call_id: `c${i - 1}`, content: text(i) }),
        (i) => ({ role: 'assistant', content: text(i) }),
      ],
      { role: 'user', content: 'go' },
    ),
  }),
  messages: ({ messages, images, tools }) => ({
    max_tokens: 9,
    tools: many(tools, (i) => ({ name: `t${i}`, description: 'd', input_schema: schema })),
    messages: inRounds(
      messages,
      [
        (i) => ({
          role: 'user',
          content: [
            { type: 'text', text: text(i) },
            ...(i < 4 * images
              ? [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }]
              : []),
          ],
        }),
        (i) => ({
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: `c${i}`, name: 't1', input: { p0: text(i) } },
          ],
        }),
        (i) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${i - 1}`, content: text(i) }] }),
        (i) => ({ role: 'assistant', content: [{ type: 'text', text: text(i) }] }),
      ],
      { role: 'user', content: 'go' },
    ),
  }),
  responses: ({ messages, images, tools }) => ({
    tools: many(tools, (i) => ({ type: 'function', name: `t${i}`, description: 'd', parameters: schema })),
    input: inRounds(
      messages,
      [
        (i) => ({
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: text(i) },
            ...(i < 4 * images ? [{ type: 'input_image', image_url: `data:image/png;base64,${image}` }] : []),
          ],
        }),
        (i) => ({ type: 'function_call', call_id: `c${i}`, name: 't1', arguments: JSON.stringify({ p0: text(i) }) }),
        (i) => ({ type: 'function_call_output', call_id: `c${i - 1}`, output: text(i) }),
        (i) => ({
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: text(i), annotations: [] }],
        }),
      ],
      { type: 'message', role: 'user', content: 'go' },
    ),
  }),
  gemini: ({ messages, images, tools }) => ({
    tools: [
      { functionDeclarations: many(tools, (i) => ({ name: `t${i}`, description: 'd', parametersJsonSchema: schema })) },
    ],
    contents: inRounds(
      messages,
      [
        (i) => ({
          role: 'user',
          parts: [
            { text: text(i) },
            ...(i < 4 * images ? [{ inlineData: { mimeType: 'image/png', data: image } }] : []),
          ],
        }),
        (i) => ({ role: 'model', parts: [{ functionCall: { name: 't1', args: { p0: text(i) } } }] }),
        (i) => ({ role: 'user', parts: [{ functionResponse: { name: 't1', response: { output: text(i) } } }] }),
        (i) => ({ role: 'model', parts: [{ text: text(i) }] }),
      ],
      { role: 'user', parts: [{ text: 'go' }] },
    ),
  }),
}

/** A conversation of these messages of a person's. */
export const saying: Record<Protocol, (texts: readonly string[]) => object> = {
  chat: (texts) => ({ messages: texts.map((content) => ({ role: 'user', content })) }),
  messages: (texts) => ({ max_tokens: 9, messages: texts.map((content) => ({ role: 'user', content })) }),
  responses: (texts) => ({ input: texts.map((content) => ({ role: 'user', content })) }),
  gemini: (texts) => ({ contents: texts.map((one) => ({ role: 'user', parts: [{ text: one }] })) }),
}
