// What an agent sends last in a long task, as each client writes it: many rounds of one tool call and its result, a
// person's words at every twentieth. Seeded, so that every run gets the same bytes.
import { prose, source, tool } from './bodies.mjs'

const tools = Array.from({ length: 14 }, (_, i) => tool(i).function)
const input = (i) => ({ path: `src/file-${i}.ts`, text: source(500, i + 5) })
const text = (words) => [{ type: 'text', text: words }]

/** One round as this protocol says it; `said`: a person's words before it, or none. */
const writers = {
  chat: {
    path: '/v1/chat/completions',
    client: 'qwen',
    list: 'messages',
    round: (i, said, result) => [
      ...(said ? [{ role: 'user', content: said }] : []),
      {
        role: 'assistant',
        content: prose(300, i + 3),
        tool_calls: [
          { id: `call_${i}`, type: 'function', function: { name: 'tool_1', arguments: JSON.stringify(input(i)) } },
        ],
      },
      { role: 'tool', tool_call_id: `call_${i}`, content: result },
    ],
    rest: (system) => ({
      head: [{ role: 'system', content: system }],
      members: { model: 'mock-model', stream: true, tools: tools.map((one) => ({ type: 'function', function: one })) },
    }),
  },
  responses: {
    path: '/v1/responses',
    client: 'codex',
    list: 'input',
    round: (i, said, result) => [
      ...(said ? [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: said }] }] : []),
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: prose(300, i + 3), annotations: [] }],
      },
      { type: 'function_call', name: 'tool_1', arguments: JSON.stringify(input(i)), call_id: `call_${i}` },
      { type: 'function_call_output', call_id: `call_${i}`, output: result },
    ],
    rest: (system) => ({
      head: [],
      members: {
        model: 'mock-model',
        stream: true,
        store: false,
        instructions: system,
        tools: tools.map((one) => ({ type: 'function', ...one })),
      },
    }),
  },
  messages: {
    path: '/v1/messages?beta=true',
    client: 'claude',
    list: 'messages',
    round: (i, said, result) => [
      ...(said ? [{ role: 'user', content: text(said) }] : []),
      {
        role: 'assistant',
        content: [...text(prose(300, i + 3)), { type: 'tool_use', id: `call_${i}`, name: 'tool_1', input: input(i) }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call_${i}`, content: text(result) }] },
    ],
    rest: (system) => ({
      head: [],
      members: {
        model: 'mock-model',
        stream: true,
        max_tokens: 4_096,
        system: text(system),
        tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
      },
    }),
  },
  gemini: {
    path: '/v1beta/models/mock-model:streamGenerateContent?alt=sse',
    client: 'gemini',
    list: 'contents',
    round: (i, said, result) => [
      ...(said ? [{ role: 'user', parts: [{ text: said }] }] : []),
      { role: 'model', parts: [{ text: prose(300, i + 3) }, { functionCall: { name: 'tool_1', args: input(i) } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'tool_1', response: { output: result } } }] },
    ],
    rest: (system) => ({
      head: [],
      members: {
        systemInstruction: { role: 'user', parts: [{ text: system }] },
        tools: [
          {
            functionDeclarations: tools.map(({ name, description, parameters }) => ({
              name,
              description,
              parametersJsonSchema: parameters,
            })),
          },
        ],
      },
    }),
  },
}

export const protocols = Object.keys(writers)

/**
 * A body of about `bytes` bytes, and who sends it where. `persons`: false where a person spoke at its beginning alone.
 */
export function agentBody(protocol, bytes, { persons = true } = {}) {
  const { path, client, list, round, rest } = writers[protocol]
  const { head, members } = rest(prose(12_000, 1))
  const items = [...head]
  let size = Buffer.byteLength(JSON.stringify({ ...members, [list]: items }))
  for (let i = 0; size < bytes; i++) {
    const more = round(
      i,
      i === 0 || (persons && i % 20 === 0) ? prose(400, i) : null,
      source(Math.min(5_000, Math.max(100, bytes - size - 2_000)), i + 7),
    )
    size += Buffer.byteLength(JSON.stringify(more))
    items.push(...more)
  }
  return { path, client, body: Buffer.from(JSON.stringify({ ...members, [list]: items })) }
}
