import { type WriteTarget, type Written, effortOfBudget } from '../../canonical/codec.ts'
import type { CanonicalRequest, Reasoning, WebSearch } from '../../canonical/request.ts'
import {
  effortFor,
  isOpenaiModel,
  isOpenaiReasoningModel,
  knowsCacheMarks,
  refusedSampling,
  takesEffort,
} from '../../canonical/models.ts'
import type { JsonObject } from '../../values.ts'
import { writeInput, type Note } from './write-input.ts'
import { writeText, writeToolChoice, writeTools } from './write-tools.ts'

/** OpenAI's own limits; a request beyond them is answered 400. */
const limits = { leastOutput: 16, name: 64, metadataEntries: 16, metadataKey: 64, metadataValue: 512 }
const tiers: readonly string[] = ['auto', 'default', 'flex', 'scale', 'priority']

export function writeRequest(request: CanonicalRequest, target: WriteTarget): Written {
  const names = new Set<string>()
  const dropped: Note = (name) => {
    names.add(name)
  }
  for (const name of ['topK', 'frequencyPenalty', 'presencePenalty', 'seed'] as const)
    if (request[name] !== null) dropped(name)
  if (request.stop.length > 0) dropped('stop')

  const body: Record<string, unknown> = { model: target.model, stream: request.stream, store: request.store ?? false }
  const put = (name: string, value: unknown): void => {
    if (value !== null && value !== undefined) body[name] = value
  }
  put('instructions', instructionsOf(request))
  if (request.system.some((part) => part.cache)) dropped('cache_control')
  body['input'] = writeInput(request.messages, { dropped, cacheMarks: knowsCacheMarks(target.model) })
  addTools(request, target.model, put, dropped)
  put('max_output_tokens', maxOutput(request.maxTokens, target.maxOutput, dropped))
  const reasons = isOpenaiModel(target.model) ? isOpenaiReasoningModel(target.model) : null
  const refused = refusedSampling(target.model, request.reasoning)
  for (const [member, name] of [
    ['temperature', 'temperature'],
    ['topP', 'top_p'],
  ] as const) {
    if (request[member] !== null && refused.includes(member)) dropped(member)
    else put(name, request[member])
  }
  const logprobs = refused.includes('logprobs') ? null : request.logprobs
  if (logprobs !== request.logprobs) dropped('logprobs')
  if (logprobs) put('top_logprobs', logprobs)
  put('text', writeText(request, dropped))
  if (request.reasoning && !takesEffort(target.model)) dropped('reasoning')
  else
    put('reasoning', request.reasoning && writeReasoning(forSearch(request.reasoning, request), dropped, target.model))
  put('include', includeOf({ ...request, logprobs }, reasons))
  put('user', within(request.user, 'user', dropped))
  put('metadata', metadataOf(request.metadata, dropped))
  put('prompt_cache_key', within(request.cacheKey, 'cacheKey', dropped))
  if (request.serviceTier !== null && tiers.includes(request.serviceTier)) put('service_tier', request.serviceTier)
  else if (request.serviceTier !== null) dropped('serviceTier')
  return { path: '/v1/responses', body, dropped: [...names] }
}

/**
 * Joins the instructions into one text: some servers with this protocol know `instructions` and no developer messages.
 */
export function instructionsOf({ system }: CanonicalRequest): string | null {
  return system.length === 0
    ? null
    : system.length === 1
      ? (system[0]?.text ?? null)
      : system.map((part) => part.text).join('\n\n')
}

function addTools(
  request: CanonicalRequest,
  model: string,
  put: (name: string, value: unknown) => void,
  dropped: Note,
): void {
  const tools = writeTools(request.tools, model, dropped)
  if (tools.length > 0) put('tools', tools)
  if (isOpenaiModel(model)) put('max_tool_calls', searchOf(request)?.maxUses)
  if (request.toolChoice && tools.length > 0) put('tool_choice', writeToolChoice(request.toolChoice, request.tools))
  // Without tools a choice among them is refused, and the two plain choices mean nothing.
  else if (request.toolChoice && request.toolChoice.type !== 'auto' && request.toolChoice.type !== 'none')
    dropped('toolChoice')
  put('parallel_tool_calls', request.parallelTools)
}

/** Returns another vendor's web search, to be declared in this protocol. */
const searchOf = ({ tools }: CanonicalRequest): WebSearch | null =>
  tools.flatMap((tool) => (tool.type === 'native' && tool.of !== 'responses' ? (tool.search ?? []) : []))[0] ?? null

/** A search needs more than the least effort (https://developers.openai.com/api/docs/guides/tools-web-search). */
const forSearch = (reasoning: Reasoning, request: CanonicalRequest): Reasoning =>
  reasoning.effort === 'minimal' && searchOf(request) ? { ...reasoning, effort: 'low' } : reasoning

function maxOutput(wanted: number | null, model: number | null, dropped: Note): number | null {
  if (wanted === null) return null
  if (wanted < limits.leastOutput) dropped('maxTokens')
  return Math.max(limits.leastOutput, model === null ? wanted : Math.min(wanted, model))
}

export function writeReasoning({ effort, budget, summary }: Reasoning, dropped: Note, model = ''): JsonObject {
  if (budget !== null && effort === null) dropped('reasoning.budget')
  const said = effort ?? (budget === null ? null : effortOfBudget(budget))
  const taken = said && effortFor(model, said)
  if (taken !== said) dropped('reasoning.effort')
  return {
    ...(taken === null ? {} : { effort: taken }),
    ...(summary === null || summary === 'none' ? {} : { summary }),
  }
}

/**
 * Nothing is stored, so reasoning must come back in the request: its encrypted content is requested if the model
 * reasons. Models that don't reason refuse that ("Encrypted content is not supported with this model").
 * @param model true if it is a model of OpenAI's that reasons; null: another vendor's
 */
function includeOf(request: CanonicalRequest, model: boolean | null): string[] | null {
  const { reasoning, messages, logprobs } = request
  const sealed = (): boolean =>
    messages.some(
      (m) =>
        m.role === 'assistant' && m.parts.some((part) => part.type === 'thinking' && part.seal?.of === 'responses'),
    )
  const reasons = model ?? (reasoning ? reasoning.effort !== 'none' : sealed())
  const include = [
    ...(reasons ? ['reasoning.encrypted_content'] : []),
    ...(logprobs === null ? [] : ['message.output_text.logprobs']),
    // Clients of other vendors get the search results.
    ...(model !== null && searchOf(request) ? ['web_search_call.action.sources'] : []),
  ]
  return include.length === 0 ? null : include
}

function within(text: string | null, name: string, dropped: Note): string | null {
  if (text === null || text.length <= limits.name) return text
  dropped(name)
  return null
}

function metadataOf(metadata: CanonicalRequest['metadata'], dropped: Note): JsonObject | null {
  if (!metadata) return null
  const fitting = Object.entries(metadata).filter(
    ([key, value]) => key.length <= limits.metadataKey && value.length <= limits.metadataValue,
  )
  const kept = fitting.slice(0, limits.metadataEntries)
  if (kept.length < Object.keys(metadata).length) dropped('metadata')
  return kept.length === 0 ? null : Object.fromEntries(kept)
}
