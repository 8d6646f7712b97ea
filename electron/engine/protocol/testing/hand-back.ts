import type { WireProtocol } from '../canonical/request.ts'
import { asList, asNumber, asObject, asText, parseObject, type JsonObject } from '../values.ts'
import { eventsOf } from './golden/client-answer.ts'

/**
 * Returns an answer as a faithful client keeps it in its history: items of the list that its next request begins with.
 */
export function kept(protocol: WireProtocol, answer: string, stream: boolean): JsonObject[] {
  const events = stream ? eventsOf(answer).map((event) => asObject(event) ?? {}) : []
  const body = stream ? {} : (parseObject(Buffer.from(answer)) ?? {})
  switch (protocol) {
    case 'messages':
      return [{ role: 'assistant', content: stream ? blocksOf(events) : body['content'] }]
    case 'chat':
      return [stream ? messageOf(events) : (asObject(asObject(asList(body['choices'])[0])?.['message']) ?? {})]
    case 'responses': {
      const whole = stream ? asObject(events.findLast((event) => asObject(event['response']))?.['response']) : body
      return asList(whole?.['output']).map((item) => asObject(item) ?? {})
    }
    case 'gemini':
      return [{ role: 'model', parts: (stream ? events : [body]).flatMap(partsOf) }]
  }
}

function blocksOf(events: readonly JsonObject[]): JsonObject[] {
  const blocks: Record<string, unknown>[] = []
  for (const event of events) {
    const index = asNumber(event['index']) ?? 0
    if (event['type'] === 'content_block_start') blocks[index] = { ...asObject(event['content_block']) }
    const block = blocks[index]
    const delta = event['type'] === 'content_block_delta' ? asObject(event['delta']) : null
    if (!block || !delta) continue
    for (const name of ['text', 'thinking', 'signature'] as const)
      if (typeof delta[name] === 'string') block[name] = `${asText(block[name]) ?? ''}${delta[name]}`
    if (typeof delta['partial_json'] === 'string')
      block['json'] = `${asText(block['json']) ?? ''}${delta['partial_json']}`
  }
  return blocks.map(({ json, ...block }) =>
    block['type'] === 'tool_use' ? { ...block, input: JSON.parse(asText(json) || '{}') } : block,
  )
}

function messageOf(events: readonly JsonObject[]): JsonObject {
  const message: Record<string, unknown> = { role: 'assistant', content: '' }
  const calls: Record<string, unknown>[] = []
  for (const event of events) {
    const delta = asObject(asObject(asList(event['choices'])[0])?.['delta']) ?? {}
    for (const name of ['content', 'reasoning_content'] as const)
      if (typeof delta[name] === 'string') message[name] = `${asText(message[name]) ?? ''}${delta[name]}`
    if (delta['reasoning_details'])
      message['reasoning_details'] = [...asList(message['reasoning_details']), ...asList(delta['reasoning_details'])]
    for (const entry of asList(delta['tool_calls'])) {
      const { index, function: called, ...rest } = asObject(entry) ?? {}
      const call = (calls[asNumber(index) ?? 0] ??= {})
      const before = asObject(call['function'])
      const piece = asObject(called)
      Object.assign(call, rest)
      call['function'] = {
        name: asText(before?.['name']) ?? asText(piece?.['name']),
        arguments: `${asText(before?.['arguments']) ?? ''}${asText(piece?.['arguments']) ?? ''}`,
      }
    }
  }
  return calls.length > 0 ? { ...message, tool_calls: calls } : message
}

const partsOf = (chunk: JsonObject): readonly unknown[] =>
  asList(asObject(asObject(asList(chunk['candidates'])[0])?.['content'])?.['parts'])

const without = (object: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** The same for clients that only know texts and calls: no thinking, and no seals. */
export function withoutThinking(protocol: WireProtocol, items: readonly JsonObject[]): JsonObject[] {
  switch (protocol) {
    case 'messages':
      return items.map((item) => ({
        ...item,
        content: asList(item['content']).filter((block) => !/thinking/.test(asText(asObject(block)?.['type']) ?? '')),
      }))
    case 'chat':
      return items.map((item) => ({
        ...without(item, 'reasoning_content', 'reasoning_details'),
        ...(item['tool_calls']
          ? { tool_calls: asList(item['tool_calls']).map((call) => without(asObject(call) ?? {}, 'extra_content')) }
          : {}),
      }))
    case 'responses':
      return items.filter((item) => item['type'] !== 'reasoning')
    case 'gemini':
      return items.map((item) => ({
        ...item,
        parts: asList(item['parts']).flatMap((entry) => {
          const part = without(asObject(entry) ?? {}, 'thoughtSignature')
          return part['thought'] === true || part['text'] === '' ? [] : [part]
        }),
      }))
  }
}

/** The user's side after an answer: results for all its calls, or a text. */
export function followup(protocol: WireProtocol, items: readonly JsonObject[]): JsonObject[] {
  const calls = (name: string): JsonObject[] =>
    items.flatMap((item) => asList(item[name]).map((c) => asObject(c) ?? {}))
  const word = 'Go on.'
  switch (protocol) {
    case 'messages': {
      const results = calls('content')
        .filter((block) => block['type'] === 'tool_use')
        .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' }))
      return [{ role: 'user', content: results.length > 0 ? results : word }]
    }
    case 'chat': {
      const results = calls('tool_calls').map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' }))
      return results.length > 0 ? results : [{ role: 'user', content: word }]
    }
    case 'responses': {
      const results = items
        .filter((item) => item['type'] === 'function_call')
        .map((call) => ({ type: 'function_call_output', call_id: call['call_id'], output: 'ok' }))
      return results.length > 0 ? results : [{ role: 'user', content: word }]
    }
    case 'gemini': {
      const results = calls('parts')
        .map((part) => asObject(part['functionCall']))
        .filter((call) => call !== null)
        .map(({ id, name }) => ({
          functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output: 'ok' } },
        }))
      return [{ role: 'user', parts: results.length > 0 ? results : [{ text: word }] }]
    }
  }
}

/** Returns a request that begins with a question and goes on with this history. */
export function requestOf(protocol: WireProtocol, history: readonly JsonObject[], model = 'm'): JsonObject {
  const question = 'What is there?'
  switch (protocol) {
    case 'messages':
      return { model, max_tokens: 1000, messages: [{ role: 'user', content: question }, ...history] }
    case 'chat':
      return { model, messages: [{ role: 'user', content: question }, ...history] }
    case 'responses':
      return { model, input: [{ role: 'user', content: question }, ...history] }
    case 'gemini':
      return { contents: [{ role: 'user', parts: [{ text: question }] }, ...history] }
  }
}

/** Returns the client's next request: its question, its copy of the answer, and what follows that. */
export const nextRequest = (protocol: WireProtocol, items: readonly JsonObject[], model = 'm'): JsonObject =>
  requestOf(protocol, [...items, ...followup(protocol, items)], model)
