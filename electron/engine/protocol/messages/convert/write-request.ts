import type { WriteTarget, Written } from '../../canonical/codec.ts'
import type { CanonicalRequest, Effort, Reasoning, Tool } from '../../canonical/request.ts'
import { callsWithoutThinking } from '../../canonical/thinking/foreign-seals.ts'
import type { JsonObject } from '../../values.ts'
import { traitsOf, type ModelTraits } from '../../canonical/models.ts'
import { searchTool, writeSearch } from './web-search.ts'
import { writeMessages, textBlock, type Dropped } from './write-messages.ts'

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

interface WrittenThinking {
  thinking: JsonObject | null
  effort: string | null
}

const minBudget = 1024
/** tokens to think where a model knows no effort */
const budgetOf: Record<Exclude<Effort, 'none'>, number> = {
  minimal: 1024,
  low: 4096,
  medium: 10_000,
  high: 20_000,
  xhigh: 32_000,
  max: 48_000,
}
const effortOf = (budget: number): Effort =>
  budget <= 4096 ? 'low' : budget <= 10_000 ? 'medium' : budget <= 32_000 ? 'high' : 'xhigh'

/**
 * One rule: a budget is sent as `enabled` with it, an effort as `adaptive` with `output_config.effort`. Models that
 * know only one of the two get the other as that (`models.ts`); other vendors' models get a budget and the effort
 * beside it. `off`: thinking is impossible in this request (a forced tool, an assistant's calls without their
 * thinking).
 */
function writeThinking(
  reasoning: Reasoning | null,
  traits: ModelTraits,
  maxTokens: number,
  off: 'budget' | 'all' | null,
  dropped: Dropped,
): WrittenThinking {
  if (!reasoning) return { thinking: null, effort: null }
  const { budget } = reasoning
  if ((reasoning.effort === 'none' && budget === null) || budget === 0) {
    if (traits.thinking === 'none') return { thinking: null, effort: null }
    return {
      thinking: { type: 'disabled' },
      effort: reasoning.effort === 'none' ? null : effortMember(reasoning.effort, traits, dropped),
    }
  }
  const asked = reasoning.effort === 'none' ? null : reasoning.effort
  const display = displayOf(reasoning.summary, dropped)
  const byBudget =
    traits.thinking === 'budget' || traits.thinking === 'both' || (traits.thinking === 'either' && budget !== null)
  const effort = effortMember(
    asked ?? (traits.thinking === 'adaptive' && budget !== null ? effortOf(budget) : null),
    traits,
    dropped,
  )
  if (traits.thinking === 'none' || off === 'all') return without(effort, dropped)
  if (!byBudget) return { thinking: { type: 'adaptive', ...display }, effort }
  const tokens = off === 'budget' ? 0 : fitting(budget ?? budgetOf[asked ?? 'medium'], maxTokens)
  if (tokens >= minBudget) {
    if (budget !== null && tokens !== budget) dropped.add('budget_tokens')
    return { thinking: { type: 'enabled', budget_tokens: tokens, ...display }, effort }
  }
  if (traits.thinking !== 'either') return without(effort, dropped)
  dropped.add('budget_tokens')
  return { thinking: { type: 'adaptive', ...display }, effort }
}

function without(effort: string | null, dropped: Dropped): WrittenThinking {
  dropped.add('reasoning')
  return { thinking: null, effort }
}

/** Below `max_tokens`, which count the thinking too; with room for an answer when it has to be cut. */
function fitting(budget: number, maxTokens: number): number {
  const wanted = Math.max(minBudget, Math.floor(budget))
  if (wanted < maxTokens) return wanted
  return Math.min(maxTokens - 1, Math.max(minBudget, Math.floor(maxTokens * 0.8)))
}

function effortMember(effort: Effort | null, traits: ModelTraits, dropped: Dropped): string | null {
  if (effort === null || effort === 'none') return null
  const { thinking } = traits
  if (thinking === 'none') dropped.add('effort')
  // Models that think by budget got the effort as a budget.
  if (thinking === 'none' || thinking === 'budget') return null
  const taken = traits.effort(effort)
  if (taken !== effort) dropped.add('effort')
  return taken === 'minimal' ? 'low' : taken
}

function displayOf(summary: Reasoning['summary'], dropped: Dropped): JsonObject {
  if (summary === null) return {}
  if (summary === 'concise' || summary === 'detailed') dropped.add('reasoning.summary')
  return { display: summary === 'none' ? 'omitted' : 'summarized' }
}

function writeTools({ tools, toolChoice }: CanonicalRequest, dropped: Dropped): JsonObject[] {
  // Messages can't offer a choice among some tools: the others are not declared.
  const allowed = toolChoice?.type === 'allowed' ? new Set(toolChoice.names) : null
  return tools.flatMap((tool) => {
    if (allowed && tool.type !== 'native' && !allowed.has(tool.name)) return []
    return writeTool(tool, dropped)
  })
}

function writeTool(tool: Tool, dropped: Dropped): JsonObject[] {
  switch (tool.type) {
    case 'native':
      if (tool.of === 'messages') return [tool.raw]
      if (tool.search) return [writeSearch(tool.search, dropped)]
      dropped.add(`tools.${tool.kind}`)
      return []
    case 'custom':
      dropped.add('tools.custom')
      return []
    case 'function': {
      const written: Record<string, unknown> = { name: tool.name }
      if (tool.description !== null && tool.description !== '') written['description'] = tool.description
      written['input_schema'] = inputSchema(tool.parameters)
      if (tool.strict === true) written['strict'] = true
      if (tool.cache) written['cache_control'] = tool.cache
      return [written]
    }
  }
}

/** Anthropic demands `type: object`. */
function inputSchema(parameters: JsonObject | null): JsonObject {
  if (!parameters) return { type: 'object', properties: {} }
  return parameters['type'] === 'object' ? parameters : { ...parameters, type: 'object' }
}

/** null where nothing has to be said. Without tools Anthropic takes no choice. */
function writeToolChoice(
  { toolChoice, parallelTools }: CanonicalRequest,
  tools: readonly JsonObject[],
  dropped: Dropped,
): JsonObject | null {
  if (tools.length === 0) {
    if (toolChoice && toolChoice.type !== 'auto' && toolChoice.type !== 'none') dropped.add('tool_choice')
    return null
  }
  const single = parallelTools === false ? { disable_parallel_tool_use: true } : {}
  switch (toolChoice?.type) {
    case undefined:
      return parallelTools === false ? { type: 'auto', ...single } : null
    case 'none':
      return { type: 'none' }
    case 'tool':
      return { type: 'tool', name: toolChoice.name, ...single }
    case 'search':
      return { type: 'tool', name: searchTool, ...single }
    case 'allowed':
      return { type: toolChoice.mode, ...single }
    case 'auto':
    case 'any':
      return { type: toolChoice.type, ...single }
  }
}
