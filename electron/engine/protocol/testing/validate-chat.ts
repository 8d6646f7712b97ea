/** Answers of Chat Completions as OpenAI's API reference describes them and its SDKs read them. */
import type { JsonObject } from '../values.ts'
import {
  anyObject,
  between,
  by,
  count,
  flag,
  isObject,
  listOf,
  name,
  nothing,
  object,
  orNull,
  problemsOf,
  text,
  words,
  type Report,
} from './validate-chat-shapes.ts'

export { validateChatRequest } from './validate-chat-request.ts'

const usageShape = object(
  { prompt_tokens: count, completion_tokens: count, total_tokens: count },
  {
    prompt_tokens_details: object({}, { cached_tokens: count, audio_tokens: count, cache_write_tokens: count }),
    completion_tokens_details: object(
      {},
      {
        reasoning_tokens: count,
        audio_tokens: count,
        accepted_prediction_tokens: count,
        rejected_prediction_tokens: count,
      },
    ),
  },
)
const finishReason = words('stop', 'length', 'tool_calls', 'content_filter', 'function_call')
const tier = orNull(words('auto', 'default', 'flex', 'scale', 'priority'))
const logprobs = orNull(object({ content: orNull(listOf(anyObject)), refusal: orNull(listOf(anyObject)) }))
const extra = { extra_content: anyObject }
/** OpenRouter's extension, which clients keep and send back. */
const detail = by('type', {
  'reasoning.encrypted': object({ type: name, data: name }, { id: orNull(text), format: text, index: count }),
  'reasoning.text': object(
    { type: name },
    { text: orNull(text), signature: orNull(text), id: orNull(text), format: text, index: count },
  ),
  'reasoning.summary': object({ type: name, summary: text }, { id: orNull(text), format: text, index: count }),
})
const reasoning = { reasoning_content: text, reasoning_details: listOf(detail, 1) }

/** ChatCompletionMessage.Annotation; `content` is OpenRouter's. */
const annotation = object({
  type: words('url_citation'),
  url_citation: object({ url: name, title: text, start_index: count, end_index: count }, { content: text }),
})

const wholeCall = by('type', {
  function: object({ id: name, type: name, function: object({ name, arguments: text }) }, extra),
  custom: object({ id: name, type: name, custom: object({ name, input: text }) }, extra),
})
const message = object(
  { role: words('assistant'), content: orNull(text), refusal: orNull(text) },
  { tool_calls: listOf(wholeCall, 1), annotations: listOf(annotation), ...reasoning },
)
const choice = object({ index: count, message, logprobs, finish_reason: finishReason })
const body = object(
  { id: name, object: words('chat.completion'), created: count, model: name, choices: listOf(choice, 1) },
  { usage: usageShape, service_tier: tier, system_fingerprint: text },
)

/** Returns the problems of a whole answer; empty if there are none. */
export function validateChatBody(value: JsonObject): string[] {
  const problems = problemsOf(body, value, 'body')
  totals(value['usage'], (problem) => problems.push(problem))
  for (const entry of Array.isArray(value['choices']) ? value['choices'] : []) {
    if (!isObject(entry) || !isObject(entry['message'])) continue
    const calls = entry['message']['tool_calls']
    finishFits(entry['finish_reason'], Array.isArray(calls) ? calls.length : 0, (problem) => problems.push(problem))
    if (Array.isArray(calls) && new Set(calls.map((one) => (isObject(one) ? one['id'] : one))).size < calls.length)
      problems.push('two calls have one id')
  }
  return problems
}

function totals(usage: unknown, report: Report): void {
  if (isObject(usage) && Number(usage['prompt_tokens']) + Number(usage['completion_tokens']) !== usage['total_tokens'])
    report('usage.total_tokens is not the sum')
}

function finishFits(reason: unknown, calls: number, report: Report): void {
  if (reason === 'stop' && calls > 0) report('finish_reason is stop though tools are called')
  if (reason === 'tool_calls' && calls === 0) report('finish_reason is tool_calls though no tool is called')
}

const callDelta = object(
  { index: count },
  {
    id: name,
    type: words('function', 'custom'),
    function: object({}, { name, arguments: text }),
    custom: object({}, { name, input: text }),
    ...extra,
  },
)
const delta = object(
  {},
  {
    role: words('assistant'),
    content: orNull(text),
    refusal: orNull(text),
    tool_calls: listOf(callDelta, 1),
    annotations: listOf(annotation, 1),
    ...reasoning,
  },
)
const chunkChoice = object({ index: between(0, 0), delta, finish_reason: orNull(finishReason) }, { logprobs })
const chunkShape = object(
  { id: name, object: words('chat.completion.chunk'), created: count, model: name, choices: listOf(chunkChoice, 0, 1) },
  { usage: orNull(usageShape), service_tier: tier, system_fingerprint: text },
)
const errorShape = object({
  error: object(
    { message: name, type: name },
    { param: orNull(text), code: orNull(text), request_id: text, retryable: flag },
  ),
})

interface Seen {
  state: 'role' | 'content' | 'finished' | 'counted' | 'over'
  identity: string | null
  hasUsage: boolean | null
  calls: Map<number, { id: unknown; custom: boolean }>
}

/**
 * Returns the problems of a stream; empty if there are none. An error event is a proper end, and nothing follows it.
 * @param expected `usage`: true if the client asked for the usage chunk, and the provider gave one
 */
export function validateChatStream(stream: string, expected: { usage?: boolean } = {}): string[] {
  const problems: string[] = []
  const seen: Seen = { state: 'role', identity: null, hasUsage: null, calls: new Map() }
  let counted = false
  if (!stream.endsWith('\n\n')) problems.push('the last event is not closed by a blank line')
  stream
    .split('\n\n')
    .slice(0, -1)
    .forEach((event, i) => {
      const report: Report = (problem) => problems.push(`event ${i}: ${problem}`)
      if (!event.startsWith('data: ') || event.includes('\n') || event.includes('\r'))
        return report(`is not one data line: ${event.slice(0, 60)}`)
      const data = event.slice(6)
      if (seen.state === 'over') return report('comes after the end')
      if (data === '[DONE]') {
        if (seen.state !== 'finished' && seen.state !== 'counted') report('[DONE] comes before a finish_reason')
        seen.state = 'over'
        return
      }
      const value = parsed(data)
      if (value === null) return report('is not a JSON object')
      if ('error' in value) {
        errorShape(value, 'error event', report)
        seen.state = 'over'
        return
      }
      readChunk(value, seen, report)
      counted ||= seen.state === 'counted'
    })
  if (seen.state !== 'over') problems.push('the stream ends without [DONE] or an error')
  if (expected.usage === true && !counted) problems.push('the usage chunk is missing')
  if (expected.usage === false && (counted || seen.hasUsage))
    problems.push('usage is reported though nobody asked for it')
  return problems
}

function parsed(data: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(data)
    return isObject(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function readChunk(value: JsonObject, seen: Seen, report: Report): void {
  chunkShape(value, 'chunk', report)
  const identity = JSON.stringify([value['id'], value['created'], value['model']])
  seen.identity ??= identity
  if (seen.identity !== identity) report('has another id, time or model than the first chunk')
  const hasUsage = 'usage' in value
  seen.hasUsage ??= hasUsage
  if (seen.hasUsage !== hasUsage) report('usage must stand in every chunk or in none')
  const choices: readonly unknown[] = Array.isArray(value['choices']) ? value['choices'] : []
  const [first] = choices
  if (!isObject(first)) return readUsageChunk(value, seen, report)
  if (hasUsage) nothing(value['usage'], 'usage of a chunk with a choice', report)
  if (seen.state === 'finished' || seen.state === 'counted') return report('a choice comes after its finish_reason')
  const words = isObject(first['delta']) ? first['delta'] : {}
  if (seen.state === 'role') {
    if (words['role'] !== 'assistant') report('the first delta must give the role')
    seen.state = 'content'
  } else if ('role' in words) report('the role is given twice')
  const calls: readonly unknown[] = Array.isArray(words['tool_calls']) ? words['tool_calls'] : []
  for (const call of calls) if (isObject(call)) readCall(call, seen, report)
  if (first['finish_reason'] === null) return
  finishFits(first['finish_reason'], seen.calls.size, report)
  seen.state = 'finished'
}

function readUsageChunk(value: JsonObject, seen: Seen, report: Report): void {
  if (seen.state !== 'finished') report('a chunk without choices may only come once, behind the finish_reason')
  if (!isObject(value['usage'])) report('a chunk without choices must report the usage')
  totals(value['usage'], report)
  seen.state = 'counted'
}

function readCall(call: JsonObject, seen: Seen, report: Report): void {
  const index = Number(call['index'])
  const known = seen.calls.get(index)
  const said = isObject(call['custom']) ? call['custom'] : isObject(call['function']) ? call['function'] : {}
  if (known) {
    if ('id' in call || 'name' in said || 'type' in call) report(`call ${index} is begun twice`)
    if (known.custom ? 'function' in call : 'custom' in call) report(`call ${index} changes its type`)
    return
  }
  if (index !== seen.calls.size) report(`call ${index} begins out of order`)
  if (!('id' in call) || !('name' in said) || !('type' in call))
    report(`call ${index} begins without its id, type or name`)
  if (call['type'] === 'custom' ? !('custom' in call) : !('function' in call))
    report(`call ${index} is not what its type says`)
  if ([...seen.calls.values()].some(({ id }) => id === call['id'])) report(`call ${index} has the id of another`)
  seen.calls.set(index, { id: call['id'], custom: call['type'] === 'custom' })
}
