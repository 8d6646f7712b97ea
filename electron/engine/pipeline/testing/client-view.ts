import type { EntryProtocol } from '../../../../shared/words.ts'
import { objectsOf } from '../../protocol/join/testing/rounds.ts'
import { heardOf } from '../../protocol/testing/heard-of.ts'
import { asList, asObject, type JsonObject } from '../../protocol/values.ts'

export { beats, chatComment, emptyDelta, heardOf, problemsOf } from '../../protocol/testing/heard-of.ts'
export { refusedOf } from '../../protocol/testing/refused-of.ts'

const numbered = (value: JsonObject, name: string): number => Number(value[name])

/** Puts a Messages answer's blocks together from its events. */
function blocksOf(stream: string): JsonObject[] {
  const blocks: Record<string, unknown>[] = []
  for (const event of objectsOf(stream)) {
    if (event['type'] === 'content_block_start')
      blocks[numbered(event, 'index')] = { ...asObject(event['content_block']) }
    const block = blocks[numbered(event, 'index')]
    const delta = asObject(event['delta'])
    if (!block || !delta) continue
    for (const name of ['text', 'thinking', 'signature'] as const)
      if (typeof delta[name] === 'string') block[name] = String(block[name] ?? '') + delta[name]
    if (typeof delta['partial_json'] === 'string') block['json'] = String(block['json'] ?? '') + delta['partial_json']
  }
  return blocks.map(({ json, ...block }) =>
    json === undefined || json === '' ? block : { ...block, input: JSON.parse(String(json)) },
  )
}

/** Returns an answer as the client sends it back in its next request, with the results of its calls after it. */
export function historyOf(entry: EntryProtocol, stream: string): JsonObject[] {
  const heard = heardOf(entry, stream)
  const { calls } = heard
  switch (entry) {
    case 'chat': {
      const said = {
        role: 'assistant',
        content: heard.text === '' ? null : heard.text,
        ...(heard.thinking === '' ? {} : { reasoning_content: heard.thinking }),
      }
      return [
        {
          ...said,
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map(({ id, name, text }) => ({
                  id,
                  type: 'function',
                  function: { name, arguments: text },
                })),
              }),
        },
        ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: `own ${id}` })),
      ]
    }
    case 'messages': {
      const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: `own ${id}` }))
      return [
        { role: 'assistant', content: blocksOf(stream) },
        ...(results.length === 0 ? [] : [{ role: 'user', content: results }]),
      ]
    }
    case 'responses': {
      const last = objectsOf(stream).findLast(
        (event) => event['type'] === 'response.completed' || event['type'] === 'response.incomplete',
      )
      const output = asList(asObject(last?.['response'])?.['output']).map((item) => asObject(item) ?? {})
      return [...output, ...calls.map(({ id }) => ({ type: 'function_call_output', call_id: id, output: `own ${id}` }))]
    }
    case 'gemini': {
      const parts = objectsOf(stream)
        .flatMap((event) => asList(asObject(asObject(asList(event['candidates'])[0])?.['content'])?.['parts']))
        .map((part) => asObject(part) ?? {})
      const kept = parts.filter((part) => part['text'] !== '' || 'thoughtSignature' in part)
      const results = kept.flatMap((part) => {
        const call = asObject(part['functionCall'])
        return call
          ? [
              {
                functionResponse: {
                  ...(call['id'] === undefined ? {} : { id: call['id'] }),
                  name: call['name'],
                  response: { result: 'own' },
                },
              },
            ]
          : []
      })
      return [{ role: 'model', parts: kept }, ...(results.length === 0 ? [] : [{ role: 'user', parts: results }])]
    }
  }
}

export const userItem = (entry: EntryProtocol, text: string): JsonObject =>
  entry === 'gemini' ? { role: 'user', parts: [{ text }] } : { role: 'user', content: text }

const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
/** A tool of the client's own. */
const toolOf: Readonly<Record<EntryProtocol, (name: string) => JsonObject>> = {
  chat: (name) => ({ type: 'function', function: { name, description: 'Own.', parameters } }),
  responses: (name) => ({ type: 'function', name, description: 'Own.', parameters, strict: false }),
  messages: (name) => ({ name, description: 'Own.', input_schema: parameters }),
  gemini: (name) => ({ functionDeclarations: [{ name, description: 'Own.', parameters }] }),
}

/** A request of the client's; `stream` comes from the scene. */
export function requestOf(
  entry: EntryProtocol,
  history: readonly JsonObject[],
  { tools = ['Read'], ...more }: JsonObject & { tools?: readonly string[] } = {},
): JsonObject {
  const declared = tools.length === 0 ? {} : { tools: tools.map(toolOf[entry]) }
  switch (entry) {
    case 'chat':
      return { model: 'm', reasoning_effort: 'high', messages: history, ...declared, ...more }
    case 'responses':
      return { model: 'm', store: false, input: history, ...declared, ...more }
    case 'messages':
      return { model: 'm', max_tokens: 4_000, messages: history, ...declared, ...more }
    case 'gemini':
      return { contents: history, ...declared, ...more }
  }
}

/** Returns the items of a request that went up, one text each. */
export function itemsOf(entry: EntryProtocol, body: JsonObject): string[] {
  return asList(body[entry === 'gemini' ? 'contents' : entry === 'responses' ? 'input' : 'messages']).map((item) =>
    JSON.stringify(item),
  )
}
