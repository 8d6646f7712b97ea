import type { WireProtocol } from '../../canonical/request.ts'
import { at, each, eventsOf, members, words } from '../golden/client-answer.ts'

type Item = Record<string, unknown>

/** The simplest client: it keeps the answer, and sends it back with its tools' results. */
export interface Client {
  /** the assistant's items of its history */
  kept(answer: { stream: string } | { body: unknown }): Item[]
  /** the next request's body */
  next(kept: readonly Item[], calls: readonly { id: string; name: string }[]): Item
  path: string
}

const tool = 'read_file'
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const asked = 'Where is it?'
const resultOf = (id: string): string => `result of ${id}`

export const clients: Readonly<Record<WireProtocol, Client>> = {
  chat: {
    path: '/v1/chat/completions',
    kept: (answer) => [
      'stream' in answer ? chatMessage(answer.stream) : members(at(answer.body, 'choices', 0, 'message')),
    ],
    next: (kept, calls) => ({
      model: 'm',
      messages: [
        { role: 'user', content: asked },
        ...kept,
        ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: resultOf(id) })),
        ...(calls.length === 0 ? [{ role: 'user', content: 'Go on.' }] : []),
      ],
      tools: [{ type: 'function', function: { name: tool, parameters: schema } }],
    }),
  },
  responses: {
    path: '/v1/responses',
    kept: (answer) =>
      each(
        'stream' in answer
          ? at(
              eventsOf(answer.stream).find((event) => at(event, 'type') === 'response.completed'),
              'response',
              'output',
            )
          : at(answer.body, 'output'),
      ).map(members),
    next: (kept, calls) => ({
      model: 'm',
      store: false,
      input: [
        { role: 'user', content: asked },
        ...kept,
        ...calls.map(({ id }) => ({ type: 'function_call_output', call_id: id, output: resultOf(id) })),
        ...(calls.length === 0 ? [{ role: 'user', content: 'Go on.' }] : []),
      ],
      tools: [{ type: 'function', name: tool, parameters: schema, strict: false }],
    }),
  },
  messages: {
    path: '/v1/messages',
    kept: (answer) => [
      {
        role: 'assistant',
        content: 'stream' in answer ? messagesContent(answer.stream) : each(at(answer.body, 'content')),
      },
    ],
    next: (kept, calls) => ({
      model: 'm',
      max_tokens: 32_000,
      thinking: { type: 'enabled', budget_tokens: 8000 },
      messages: [
        { role: 'user', content: asked },
        ...kept,
        {
          role: 'user',
          content:
            calls.length === 0
              ? 'Go on.'
              : calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: resultOf(id) })),
        },
      ],
      tools: [{ name: tool, input_schema: schema }],
    }),
  },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    kept: (answer) =>
      // Like its SDK's chats: a content for each chunk.
      ('stream' in answer ? eventsOf(answer.stream) : [answer.body])
        .map((chunk) => members(at(chunk, 'candidates', 0, 'content')))
        .filter((content) =>
          each(content['parts']).some((part) => Object.keys(members(part)).length > 1 || at(part, 'text') !== ''),
        ),
    next: (kept, calls) => ({
      contents: [
        { role: 'user', parts: [{ text: asked }] },
        ...kept,
        {
          role: 'user',
          parts:
            calls.length === 0
              ? [{ text: 'Go on.' }]
              : calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { output: resultOf(id) } } })),
        },
      ],
      tools: [{ functionDeclarations: [{ name: tool, parametersJsonSchema: schema }] }],
    }),
  },
}

/** Joins chunks as OpenAI's reference says: texts are joined, calls matched by their index. */
function chatMessage(stream: string): Item {
  const message: Item = { role: 'assistant', content: null }
  const calls: { id: unknown; type: unknown; extra: unknown; name: string; args: string }[] = []
  const details: unknown[] = []
  for (const event of eventsOf(stream)) {
    const delta = at(event, 'choices', 0, 'delta')
    for (const name of ['content', 'reasoning_content'])
      if (words(at(delta, name)) !== '') message[name] = words(message[name]) + words(at(delta, name))
    details.push(...each(at(delta, 'reasoning_details')))
    for (const entry of each(at(delta, 'tool_calls'))) {
      const call = (calls[Number(at(entry, 'index'))] ??= { id: null, type: null, extra: null, name: '', args: '' })
      call.id ??= at(entry, 'id')
      call.type ??= at(entry, 'type')
      call.extra ??= at(entry, 'extra_content')
      call.name += words(at(entry, 'function', 'name'))
      call.args += words(at(entry, 'function', 'arguments'))
    }
  }
  if (details.length > 0) message['reasoning_details'] = details
  if (calls.length > 0)
    message['tool_calls'] = calls.map(({ id, type, extra, name, args }) => ({
      id,
      type,
      function: { name, arguments: args },
      ...(extra ? { extra_content: extra } : {}),
    }))
  return message
}

function messagesContent(stream: string): Item[] {
  const blocks: Item[] = []
  for (const event of eventsOf(stream)) {
    const index = Number(at(event, 'index'))
    if (at(event, 'type') === 'content_block_start') blocks[index] = members(at(event, 'content_block'))
    const block = blocks[index]
    if (at(event, 'type') !== 'content_block_delta' || !block) continue
    const delta = members(at(event, 'delta'))
    for (const name of ['text', 'thinking', 'signature'])
      if (name in delta) block[name] = words(block[name]) + words(delta[name])
    if ('partial_json' in delta) block['json'] = words(block['json']) + words(delta['partial_json'])
  }
  return blocks.map(({ json, ...block }) => (typeof json === 'string' ? { ...block, input: JSON.parse(json) } : block))
}
