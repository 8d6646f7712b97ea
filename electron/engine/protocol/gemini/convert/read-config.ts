import {
  efforts,
  type CanonicalRequest,
  type Effort,
  type Reasoning,
  type ResponseFormat,
} from '../../canonical/request.ts'
import { asList, asNumber, asObject, asText, type JsonObject } from '../../values.ts'
import { fromSchema } from './from-schema.ts'
import { camelled, noteUnread } from './members.ts'

type Config = Pick<
  CanonicalRequest,
  | 'maxTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'frequencyPenalty'
  | 'presencePenalty'
  | 'seed'
  | 'logprobs'
  | 'stop'
  | 'format'
  | 'reasoning'
>

const members = new Set([
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'frequencyPenalty',
  'presencePenalty',
  'seed',
  'responseLogprobs',
  'logprobs',
  'stopSequences',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  '_responseJsonSchema',
  'thinkingConfig',
  'candidateCount',
  'responseModalities',
])

export function readConfig(config: JsonObject, unread: Set<string>): Config {
  noteUnread(config, members, 'generationConfig.', unread)
  if ((asNumber(config['candidateCount']) ?? 1) !== 1) unread.add('generationConfig.candidateCount')
  if (asList(config['responseModalities']).some((modality) => modality !== 'TEXT'))
    unread.add('generationConfig.responseModalities')
  return {
    maxTokens: asNumber(config['maxOutputTokens']),
    temperature: asNumber(config['temperature']),
    topP: asNumber(config['topP']),
    topK: asNumber(config['topK']),
    frequencyPenalty: asNumber(config['frequencyPenalty']),
    presencePenalty: asNumber(config['presencePenalty']),
    seed: asNumber(config['seed']),
    logprobs: config['responseLogprobs'] === true ? (asNumber(config['logprobs']) ?? 0) : null,
    stop: asList(config['stopSequences']).filter((stop) => typeof stop === 'string'),
    format: readFormat(config, unread),
    reasoning: readThinking(asObject(config['thinkingConfig']), unread),
  }
}

function readFormat(config: JsonObject, unread: Set<string>): ResponseFormat | null {
  const named = asObject(config['responseJsonSchema']) ?? asObject(config['_responseJsonSchema'])
  const googles = asObject(config['responseSchema'])
  const schema = named ?? (googles && fromSchema(googles))
  const mime = asText(config['responseMimeType'])
  if (mime === 'application/json')
    return schema
      ? { type: 'schema', name: null, description: null, schema, strict: null, strictIfPossible: true }
      : { type: 'json' }
  if (mime !== null && mime !== 'text/plain') unread.add('generationConfig.responseMimeType')
  if (schema) unread.add(named ? 'generationConfig.responseJsonSchema' : 'generationConfig.responseSchema')
  return null
}

const thinkingMembers = new Set(['thinkingBudget', 'thinkingLevel', 'includeThoughts'])

/** A budget of 0 switches thinking off, -1 leaves it to the model (ThinkingConfig). */
function readThinking(value: JsonObject | null, unread: Set<string>): Reasoning | null {
  if (!value) return null
  const config = camelled(value)
  noteUnread(config, thinkingMembers, 'generationConfig.thinkingConfig.', unread)
  const tokens = asNumber(config['thinkingBudget'])
  const shown = config['includeThoughts']
  return {
    effort: tokens === 0 ? 'none' : effortOf(config['thinkingLevel']),
    budget: tokens !== null && tokens > 0 ? tokens : null,
    summary: shown === true ? 'auto' : shown === false ? 'none' : null,
  }
}

function effortOf(level: unknown): Effort | null {
  const name = asText(level)?.toLowerCase()
  return efforts.find((effort) => effort === name) ?? null
}
