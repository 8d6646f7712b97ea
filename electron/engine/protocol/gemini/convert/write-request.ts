import type { WriteTarget, Written } from '../../canonical/codec.ts'
import type { CanonicalRequest, Effort, Reasoning, Tool, ToolChoice } from '../../canonical/request.ts'
import { noteLost } from '../../canonical/web-search.ts'
import type { JsonObject } from '../../values.ts'
import { writeGeminiPath } from '../path.ts'
import { isEmpty, type Draft } from './members.ts'
import { budgetRange, thinks, thinksInLevels } from '../../canonical/models.ts'
import { writeContents } from './write-contents.ts'

export function writeRequest(request: CanonicalRequest, target: WriteTarget): Written {
  const dropped = new Set<string>()
  const model = target.model.replace(/^models\//, '')
  const body: Draft = {}
  const system = request.system.filter(({ text }) => text !== '')
  if (system.length > 0) body['systemInstruction'] = { parts: system.map(({ text }) => ({ text })) }
  body['contents'] = writeContents(request.messages, model, dropped)
  writeTools(request, body, dropped)
  const config = writeConfig(request, { ...target, model }, dropped)
  if (!isEmpty(config)) body['generationConfig'] = config
  writeRest(request, body, dropped)
  // Without alt=sse Google answers a stream as one JSON list.
  const method = request.stream ? 'streamGenerateContent' : 'generateContent'
  return {
    path: writeGeminiPath({ version: 'v1beta', model, method, query: request.stream ? '?alt=sse' : '' }),
    body,
    dropped: [...dropped],
  }
}

/** Tiers of the Gemini API by OpenAI's and Anthropic's names for theirs. */
const tiers: Partial<Record<string, string>> = {
  flex: 'flex',
  priority: 'priority',
  standard: 'standard',
  default: 'standard',
  standard_only: 'standard',
}

function writeRest(
  { system, parallelTools, verbosity, user, metadata, cacheKey, serviceTier, store }: CanonicalRequest,
  body: Draft,
  dropped: Set<string>,
): void {
  if (system.some(({ cache }) => cache)) dropped.add('cache_control')
  if (parallelTools === false) dropped.add('parallelTools')
  if (verbosity !== null) dropped.add('verbosity')
  if (user !== null) dropped.add('user')
  if (cacheKey !== null) dropped.add('cacheKey')
  // Gemini's own `store` is about logs, not about answers to be fetched later
  if (store === true) dropped.add('store')
  // Only Vertex AI has `labels`: the Gemini API refuses them.
  if (metadata && !isEmpty(metadata)) dropped.add('metadata')
  const tier = tiers[serviceTier ?? '']
  if (tier !== undefined) body['serviceTier'] = tier
  else if (serviceTier !== null && serviceTier !== 'auto') dropped.add('serviceTier')
}

/** GenerationConfig: the most stop sequences */
const mostStops = 5
/** the most alternatives per token */
const mostLogprobs = 20

function writeConfig(request: CanonicalRequest, { model, maxOutput }: WriteTarget, dropped: Set<string>): Draft {
  const config: Draft = {}
  const set = (name: string, value: unknown) => {
    if (value !== null) config[name] = value
  }
  // a value above the model's limit is refused
  const isTooMuch = request.maxTokens !== null && maxOutput !== null && request.maxTokens > maxOutput
  if (isTooMuch) dropped.add('maxTokens')
  set('maxOutputTokens', isTooMuch ? maxOutput : request.maxTokens)
  set('temperature', request.temperature)
  set('topP', request.topP)
  set('topK', request.topK)
  set('frequencyPenalty', request.frequencyPenalty)
  set('presencePenalty', request.presencePenalty)
  set('seed', request.seed)
  if (request.stop.length > 0) config['stopSequences'] = request.stop.slice(0, mostStops)
  if (request.stop.length > mostStops) dropped.add('stop')
  if (request.logprobs !== null) {
    config['responseLogprobs'] = true
    if (request.logprobs > 0) config['logprobs'] = Math.min(request.logprobs, mostLogprobs)
  }
  writeFormat(request, config, dropped)
  const thinking = request.reasoning && writeThinking(request.reasoning, model, dropped)
  if (thinking) config['thinkingConfig'] = thinking
  return config
}

/** A schema is always enforced; its name and description have no member here. */
function writeFormat({ format }: CanonicalRequest, config: Draft, dropped: Set<string>): void {
  if (!format) return
  config['responseMimeType'] = 'application/json'
  if (format.type === 'json') return
  config['responseJsonSchema'] = format.schema
  if (format.name !== null) dropped.add('format.name')
  if (format.description !== null) dropped.add('format.description')
}

/**
 * Writes either a budget or a level: Google refuses both in one request. Thoughts are shown unless the client wants
 * them hidden, as the vendors of the other protocols do; Google's own default hides them.
 */
function writeThinking(reasoning: Reasoning, model: string, dropped: Set<string>): Draft | null {
  const isOff = reasoning.budget === 0 || (reasoning.effort === 'none' && reasoning.budget === null)
  if (!thinks(model)) {
    if (!isOff) dropped.add('reasoning')
    return null
  }
  const asked = isOff ? off : reasoning
  const config: Draft = thinksInLevels(model)
    ? level(asked, model, dropped)
    : { thinkingBudget: budget(asked, model, dropped) }
  if (!isOff) config['includeThoughts'] = reasoning.summary !== 'none'
  return config
}

const off: Pick<Reasoning, 'effort' | 'budget'> = { effort: 'none', budget: null }
type Asked = typeof off

/**
 * The budgets that Google's own OpenAI endpoint uses for an effort (https://ai.google.dev/gemini-api/docs/openai,
 * Thinking).
 */
const budgets: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: Infinity,
}
const dynamic = -1

function budget({ effort, budget: tokens }: Asked, model: string, dropped: Set<string>): number {
  const { least, most, canBeOff } = budgetRange(model)
  if (tokens === null && effort === 'none') {
    if (canBeOff) return 0
    dropped.add('reasoning.effort')
    return least
  }
  const wanted = tokens ?? (effort === null || effort === 'none' ? null : budgets[effort])
  return wanted === null ? dynamic : Math.min(most, Math.max(least, wanted))
}

const levels: Readonly<Record<Effort, string>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
}

/** Without an effort the level is left to the model. Pro has no MINIMAL, and the first of them has no MEDIUM. */
function level({ effort, budget: tokens }: Asked, model: string, dropped: Set<string>): Draft {
  const wanted =
    effort ?? (tokens === null ? null : tokens <= budgets.low ? 'low' : tokens <= budgets.medium ? 'medium' : 'high')
  if (wanted === null) return {}
  if (wanted === 'xhigh' || wanted === 'max') dropped.add('reasoning.effort')
  const name = levels[wanted]
  if (name === 'MINIMAL' && /-pro\b/.test(model)) return { thinkingLevel: 'LOW' }
  if (name === 'MEDIUM' && /gemini-3-pro/.test(model)) return { thinkingLevel: 'HIGH' }
  return { thinkingLevel: name }
}

/**
 * Schemas are written as they are: `parametersJsonSchema` takes JSON Schema and ignores what it does not know, while
 * `parameters` refuses it (FunctionDeclaration of the Gemini API; the CLI of Google does the same).
 */
function writeTools({ tools, toolChoice }: CanonicalRequest, body: Draft, dropped: Set<string>): void {
  const declarations: JsonObject[] = []
  const natives: JsonObject[] = []
  let strict = 0
  for (const tool of tools) {
    if ('cache' in tool && tool.cache) dropped.add('cache_control')
    if (tool.type === 'native') {
      if (tool.of === 'gemini') natives.push(tool.raw)
      else if (tool.search) {
        // Only Vertex AI has its filters: the Gemini API refuses them.
        noteLost(tool.search, [], (name) => dropped.add(name))
        natives.push({ googleSearch: {} })
      } else dropped.add(`tools[].${tool.kind}`)
      continue
    }
    declarations.push(declaration(tool))
    if (tool.type === 'function' && tool.strict === true) strict++
  }
  // Search can't be forced, and can't be combined with functions.
  if (toolChoice?.type === 'search') {
    if (declarations.length > 0) dropped.add('tools')
    dropped.add('toolChoice')
    body['tools'] = natives
    return
  }
  const entries = declarations.length > 0 ? [{ functionDeclarations: declarations }, ...natives] : natives
  if (entries.length > 0) body['tools'] = entries
  const choice = toolChoice ?? { type: 'auto' }
  const validated = strict > 0 && strict === declarations.length
  // ANY and VALIDATED enforce the schemas of calls; AUTO with only some strict tools can't be expressed
  if (strict > 0 && !validated && choice.type === 'auto') dropped.add('tools[].strict')
  if (declarations.length === 0) {
    if (toolChoice && toolChoice.type !== 'auto' && toolChoice.type !== 'none') dropped.add('toolChoice')
  } else if (toolChoice || validated) body['toolConfig'] = { functionCallingConfig: calling(choice, validated) }
}

/**
 * Google refuses its search beside functions (newer models take both and want its calls back, which no other protocol
 * holds) and, up to 2.5, beside an answer in JSON.
 */
export const takesSearch = (model: string, { tools, toolChoice, format }: CanonicalRequest): boolean =>
  !/gemma|gemini-1/.test(model) &&
  (toolChoice?.type === 'search' || tools.every((tool) => tool.type === 'native')) &&
  (format === null || thinksInLevels(model))

function declaration(tool: Exclude<Tool, { type: 'native' }>): JsonObject {
  const parameters = tool.type === 'function' ? tool.parameters : null
  return {
    name: tool.name,
    ...(tool.description !== null && { description: tool.description }),
    ...(parameters && { parametersJsonSchema: parameters }),
  }
}

/** Names may only be narrowed with ANY and VALIDATED; the latter also lets the model answer in text. */
function calling(choice: Exclude<ToolChoice, { type: 'search' }>, validated: boolean): JsonObject {
  switch (choice.type) {
    case 'auto':
      return { mode: validated ? 'VALIDATED' : 'AUTO' }
    case 'none':
      return { mode: 'NONE' }
    case 'any':
      return { mode: 'ANY' }
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] }
    case 'allowed':
      return { mode: choice.mode === 'any' ? 'ANY' : 'VALIDATED', allowedFunctionNames: choice.names }
  }
}
