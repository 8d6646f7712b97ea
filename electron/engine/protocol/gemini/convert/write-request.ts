import type { WriteTarget, Written } from '../../canonical/codec.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import { writeGeminiPath } from '../path.ts'
import { isEmpty, type Draft } from './members.ts'
import { writeContents } from './write-contents.ts'
import { writeTools } from './write-tools.ts'
import { writeThinking } from './write-thinking.ts'

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
