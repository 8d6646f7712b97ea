import type { WriteTarget } from '../../canonical/codec.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import type { Draft } from './members.ts'
import { writeThinking } from './write-thinking.ts'

/** GenerationConfig: the most stop sequences */
const mostStops = 5
/** the most alternatives per token */
const mostLogprobs = 20

export function writeConfig(request: CanonicalRequest, { model, maxOutput }: WriteTarget, dropped: Set<string>): Draft {
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
