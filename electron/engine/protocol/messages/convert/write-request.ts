import type { WriteTarget, Written } from '../../canonical/codec.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import { callsWithoutThinking } from '../../canonical/thinking/thinking-off.ts'
import type { JsonObject } from '../../values.ts'
import { traitsOf, type ModelTraits } from './models.ts'
import { writeMessages } from './write-messages.ts'
import { textBlock, type Dropped } from './write-parts.ts'
import { writeThinking } from './write-thinking.ts'
import { writeToolChoice, writeTools } from './write-tools.ts'

/** The limit where neither the client nor the config gives one. */
const defaultMaxTokens = 32_000

export function writeMessagesRequest(request: CanonicalRequest, target: WriteTarget): Written {
  const dropped: Dropped = new Set()
  const traits = traitsOf(target.model)
  const limit = target.maxOutput ?? Infinity
  const maxTokens = Math.min(request.maxTokens ?? target.maxOutput ?? defaultMaxTokens, limit)
  const system = request.system.flatMap((part) => textBlock(part.text, part.cache))
  const messages = writeMessages(request.messages, target.model, traits, dropped)
  const tools = writeTools(request, dropped)
  const choice = writeToolChoice(request, tools, dropped)
  const isForced = choice?.['type'] === 'any' || choice?.['type'] === 'tool'
  // A tool that must be called matters more to its client than thinking; Anthropic takes only one of them.
  const off = isForced ? 'all' : traits.thinking !== 'both' && callsWithoutThinking(messages) ? 'budget' : null
  const { thinking, effort } = writeThinking(request.reasoning, traits, maxTokens, off, dropped)

  const body: Record<string, unknown> = { model: target.model, max_tokens: maxTokens }
  if (system.length > 0) body['system'] = system
  body['messages'] = messages
  if (tools.length > 0) body['tools'] = tools
  if (choice) body['tool_choice'] = choice
  writeSampling(request, traits, thinking !== null && thinking['type'] !== 'disabled', body, dropped)
  const stop = request.stop.filter((text) => /\S/.test(text))
  if (stop.length < request.stop.length) dropped.add('stop_sequences')
  if (stop.length > 0) body['stop_sequences'] = stop
  if (thinking) body['thinking'] = thinking
  const output = writeOutput(request, effort, dropped)
  if (output) body['output_config'] = output
  if (request.user !== null) body['metadata'] = { user_id: request.user }
  writeTier(request.serviceTier, body, dropped)
  if (request.stream) body['stream'] = true
  noteInexpressible(request, dropped)
  return { path: '/v1/messages', body, dropped: [...dropped] }
}

function writeOutput({ format }: CanonicalRequest, effort: string | null, dropped: Dropped): JsonObject | null {
  if (format?.type === 'json') dropped.add('format')
  const schema = format?.type === 'schema' ? format : null
  if (schema && schema.name !== null) dropped.add('format.name')
  if (schema && schema.description !== null) dropped.add('format.description')
  // Anthropic always holds to the schema.
  if (schema?.strict === false) dropped.add('format.strict')
  if (!schema && effort === null) return null
  return {
    ...(effort === null ? {} : { effort }),
    ...(schema ? { format: { type: 'json_schema', schema: schema.schema } } : {}),
  }
}

function writeTier(tier: string | null, body: Record<string, unknown>, dropped: Dropped): void {
  if (tier === 'auto') body['service_tier'] = 'auto'
  else if (tier === 'default') body['service_tier'] = 'standard_only'
  else if (tier !== null) dropped.add('service_tier')
}

/** Records what no member of Messages can say. `store: false` is what it does anyway. */
function noteInexpressible(request: CanonicalRequest, dropped: Dropped): void {
  if (request.frequencyPenalty !== null && request.frequencyPenalty !== 0) dropped.add('frequency_penalty')
  if (request.presencePenalty !== null && request.presencePenalty !== 0) dropped.add('presence_penalty')
  if (request.seed !== null) dropped.add('seed')
  if (request.logprobs !== null) dropped.add('logprobs')
  if (request.verbosity !== null) dropped.add('verbosity')
  if (request.metadata !== null) dropped.add('metadata')
  if (request.cacheKey !== null) dropped.add('prompt_cache_key')
  if (request.store === true) dropped.add('store')
}

/**
 * With thinking Anthropic takes no temperature and no top_k, and top_p only from 0.95 on; newer models take none of
 * them, the ones before not temperature and top_p together.
 */
function writeSampling(
  request: CanonicalRequest,
  { sampling }: ModelTraits,
  thinks: boolean,
  body: Record<string, unknown>,
  dropped: Dropped,
): void {
  const { temperature, topP, topK } = request
  const free = sampling !== 'none' && !thinks
  // 1 is the default.
  if (temperature !== null && (free || temperature !== 1)) {
    if (free) body['temperature'] = Math.min(Math.max(temperature, 0), 1)
    if (body['temperature'] !== temperature) dropped.add('temperature')
  }
  if (topP !== null) {
    const fits =
      sampling !== 'none' && topP >= (thinks ? 0.95 : 0) && topP <= 1 && !(sampling === 'one' && 'temperature' in body)
    if (fits) body['top_p'] = topP
    else if (topP !== 1) dropped.add('top_p')
  }
  if (topK !== null) {
    if (free) body['top_k'] = topK
    else dropped.add('top_k')
  }
}
