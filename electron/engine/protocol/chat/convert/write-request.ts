import { effortOfBudget, type WriteTarget, type Written as WrittenRequest } from '../../canonical/codec.ts'
import type { CanonicalRequest, Reasoning, ResponseFormat } from '../../canonical/request.ts'
import { wantsThinkingBack } from '../../canonical/thinking/phases.ts'
import type { JsonObject } from '../../values.ts'
import {
  effortFor,
  isMistralModel,
  isOpenaiModel,
  isOpenaiReasoningModel,
  refusedSampling,
  takesEffort,
  type SamplingMember,
} from '../../canonical/models.ts'
import { writeMessages, type Pen, type Written } from './write-messages.ts'
import { writeTools } from './write-tools.ts'

export function writeRequest(request: CanonicalRequest, target: WriteTarget): WrittenRequest {
  const { model, maxOutput, thinkingOff = false } = target
  const pen: Pen = { model, dropped: new Set() }
  const body: Written = { model, messages: writeMessages(request, pen, thinkingOff) }
  const set = (name: string, value: unknown) => {
    if (value !== null) body[name] = value
  }

  if (request.stream) {
    body['stream'] = true
    // Every other protocol reports usage, and so do our records.
    body['stream_options'] = { include_usage: true }
  }
  writeTools(request, body, pen)
  const limit =
    request.maxTokens === null || maxOutput === null ? request.maxTokens : Math.min(request.maxTokens, maxOutput)
  // The older name is the one compatible servers know; OpenAI's reasoning models refuse it.
  set(isOpenaiReasoningModel(model) ? 'max_completion_tokens' : 'max_tokens', limit)
  writeSampling(request, body, pen)
  if (request.topK !== null) pen.dropped.add('top_k')
  set(isMistralModel(model) ? 'random_seed' : 'seed', request.seed)
  if (request.format) body['response_format'] = writeFormat(request.format)
  if (request.verbosity !== null) among(verbosities, request.verbosity, 'verbosity', body, pen)
  const isOff = (thinkingOff && !/gemini/i.test(model)) || (isOffIn(request.reasoning) && wantsThinkingBack(model))
  // DeepSeek's Chat API knows no effort `none` (https://api-docs.deepseek.com/guides/thinking_mode).
  if (isOff) body['thinking'] = { type: 'disabled' }
  else if (request.reasoning) writeReasoning(request.reasoning, body, pen)
  // OpenAI's limit. Claude Code's is longer, and names device and account.
  if (request.user !== null && request.user.length > 64) pen.dropped.add('user')
  else set('user', request.user)
  writeAccount(request, body, pen)
  return { path: '/v1/chat/completions', body, dropped: [...pen.dropped] }
}

function writeSampling(request: CanonicalRequest, body: Written, { model, dropped }: Pen): void {
  const refused = refusedSampling(model, request.reasoning)
  for (const [member, name] of Object.entries(samplingNames) as [SamplingMember, string][]) {
    const value = request[member]
    if (value === null || (member === 'stop' && request.stop.length === 0)) continue
    if (refused.includes(member)) dropped.add(name)
    else if (member === 'logprobs') {
      body['logprobs'] = true
      if (request.logprobs) body['top_logprobs'] = request.logprobs
    } else if (member === 'stop') {
      // The API reference allows four.
      if (request.stop.length > 4) dropped.add('stop[4..]')
      body['stop'] = request.stop.slice(0, 4)
    } else body[name] = value
  }
}

const samplingNames: Readonly<Record<SamplingMember, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  logprobs: 'logprobs',
  stop: 'stop',
}

function writeFormat(format: ResponseFormat): JsonObject {
  if (format.type === 'json') return { type: 'json_object' }
  const { name, description, schema, strict } = format
  return {
    type: 'json_schema',
    json_schema: {
      name: name ?? 'answer',
      ...(description === null ? {} : { description }),
      schema,
      ...(strict === null ? {} : { strict }),
    },
  }
}

const isOffIn = (reasoning: Reasoning | null): boolean => reasoning?.effort === 'none' || reasoning?.budget === 0

/** Chat knows efforts only; a number of tokens becomes the effort that comes near it. */
function writeReasoning({ effort, budget, summary }: Reasoning, body: Written, { model, dropped }: Pen): void {
  // An effort with a budget of 0 is from Messages, where it is meant for the length of the answer.
  const wanted = budget === 0 ? 'none' : (effort ?? (budget === null ? null : effortOfBudget(budget)))
  // Messages' `adaptive`: how much is the model's to decide, and no effort says so.
  if (wanted === null) dropped.add('reasoning')
  if (wanted !== null && !takesEffort(model)) {
    if (wanted !== 'none') dropped.add('reasoning_effort')
  } else if (wanted !== null) {
    body['reasoning_effort'] = effortFor(model, wanted)
    if (body['reasoning_effort'] !== wanted) dropped.add('reasoning_effort')
  }
  if (budget !== null) dropped.add('reasoning.budget')
  if (summary !== null) dropped.add('reasoning.summary')
}

/** Writes members that only mean something with an account at OpenAI, or are refused elsewhere. */
function writeAccount({ store, metadata, cacheKey, serviceTier }: CanonicalRequest, body: Written, pen: Pen): void {
  // False is the default, and some servers refuse the member.
  if (store) body['store'] = true
  // OpenAI: metadata "is only allowed when 'store' is enabled".
  if (metadata && store) body['metadata'] = metadata
  else if (metadata) pen.dropped.add('metadata')
  if (cacheKey !== null && isOpenaiModel(pen.model)) body['prompt_cache_key'] = cacheKey
  else if (cacheKey !== null) pen.dropped.add('prompt_cache_key')
  // Messages calls OpenAI's `default` `standard_only`.
  if (serviceTier !== null)
    among(tiers, serviceTier === 'standard_only' ? 'default' : serviceTier, 'service_tier', body, pen)
}

function among(known: ReadonlySet<string>, value: string, name: string, body: Written, { dropped }: Pen): void {
  if (known.has(value)) body[name] = value
  else dropped.add(name)
}

const verbosities: ReadonlySet<string> = new Set(['low', 'medium', 'high'])
const tiers: ReadonlySet<string> = new Set(['auto', 'default', 'flex', 'scale', 'priority'])
