import { OnwardError } from '../../../base/errors.ts'
import type { RequestPlace } from '../../canonical/codec.ts'
import {
  type CanonicalRequest,
  efforts,
  type Effort,
  type Reasoning,
  type ResponseFormat,
  type Tool,
  type ToolChoice,
  type WebSearch,
} from '../../canonical/request.ts'
import { namesIn, plainSearch } from '../../canonical/web-search.ts'
import { asName, asObject, asText, type JsonObject, asList, asNumber } from '../../values.ts'
import { readGeminiPath } from '../path.ts'
import { camelled, noteUnread, type Draft } from './members.ts'
import { readContents, readSystem } from './read-contents.ts'

const rootMembers = new Set([
  'model',
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'labels',
  'serviceTier',
])

export function readRequest(body: JsonObject, place: RequestPlace): CanonicalRequest {
  const path = readGeminiPath(place.path)
  const whole = camelled(body)
  // countTokens may wrap the request it counts
  const request = camelled(asObject(whole['generateContentRequest']) ?? whole)
  const model = path?.model ?? asName(request['model'])?.replace(/^models\//, '')
  if (model === undefined)
    throw new OnwardError(
      'bad-request',
      'The path names no model: it should read /v1beta/models/{model}:generateContent.',
      { status: 400 },
    )
  const unread = new Set<string>()
  noteUnread(request, rootMembers, '', unread)
  const { system, messages } = readContents(
    request['contents'],
    readSystem(request['systemInstruction'], unread),
    unread,
  )
  return {
    model,
    stream: path?.method === 'streamGenerateContent',
    system,
    messages,
    ...readTools(request['tools'], request['toolConfig'], unread),
    parallelTools: null,
    ...readConfig(camelled(asObject(request['generationConfig']) ?? {}), unread),
    verbosity: null,
    user: null,
    metadata: labelsOf(request['labels'], unread),
    cacheKey: null,
    serviceTier: tierOf(request['serviceTier']),
    store: null,
    includeUsage: true,
    unread: [...unread],
  }
}

function labelsOf(value: unknown, unread: Set<string>): Record<string, string> | null {
  const labels = asObject(value)
  for (const name in labels ?? {}) if (typeof labels?.[name] !== 'string') unread.add(`labels.${name}`)
  return (
    labels &&
    Object.fromEntries(
      Object.entries(labels).flatMap(([name, label]) => (typeof label === 'string' ? [[name, label]] : [])),
    )
  )
}

const tierOf = (value: unknown): string | null => {
  const tier = asText(value)?.toLowerCase() ?? null
  return tier === 'unspecified' ? null : tier
}

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

function readConfig(config: JsonObject, unread: Set<string>): Config {
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

const declarationMembers = new Set(['name', 'description', 'parameters', 'parametersJsonSchema'])
const configMembers = new Set(['functionCallingConfig'])
const callingMembers = new Set(['mode', 'allowedFunctionNames'])

function readTools(
  value: unknown,
  config: unknown,
  unread: Set<string>,
): Pick<CanonicalRequest, 'tools' | 'toolChoice'> {
  const { choice, validated } = readCalling(camelled(asObject(config) ?? {}), unread)
  const tools: Tool[] = []
  for (const entry of Array.isArray(value) ? value : [value]) {
    const tool = camelled(asObject(entry) ?? {})
    for (const kind in tool) {
      const content = tool[kind]
      if (content === null || content === undefined) continue
      if (kind !== 'functionDeclarations')
        tools.push({
          type: 'native',
          of: 'gemini',
          kind,
          raw: { [kind]: content },
          search: readSearch(kind, camelled(asObject(content) ?? {}), unread),
        })
      else
        for (const declaration of asList(content))
          tools.push(readFunction(camelled(asObject(declaration) ?? {}), validated, unread))
    }
  }
  return { tools, toolChoice: choice }
}

/** GoogleSearch and EnterpriseWebSearch of @google/genai. */
const searchKinds = new Set(['googleSearch', 'googleSearchRetrieval', 'enterpriseWebSearch'])
const searchMembers = new Set(['excludeDomains'])

function readSearch(kind: string, content: JsonObject, unread: Set<string>): WebSearch | null {
  if (!searchKinds.has(kind)) return null
  noteUnread(content, searchMembers, `tools[].${kind}.`, unread)
  return { ...plainSearch, blocked: namesIn(content['excludeDomains']) }
}

function readFunction(declaration: JsonObject, validated: boolean, unread: Set<string>): Tool {
  noteUnread(declaration, declarationMembers, 'tools[].functionDeclarations[].', unread)
  const schema = asObject(declaration['parameters'])
  return {
    type: 'function',
    name: asText(declaration['name']) ?? '',
    description: asText(declaration['description']),
    parameters: asObject(declaration['parametersJsonSchema']) ?? (schema && fromSchema(schema)),
    ...(validated ? { strict: true, strictIfPossible: true } : { strict: null }),
  }
}

/** VALIDATED lets the model choose, and makes calls follow their schemas: other protocols call that strict. */
function readCalling(config: JsonObject, unread: Set<string>): { choice: ToolChoice | null; validated: boolean } {
  noteUnread(config, configMembers, 'toolConfig.', unread)
  const calling = camelled(asObject(config['functionCallingConfig']) ?? {})
  noteUnread(calling, callingMembers, 'toolConfig.functionCallingConfig.', unread)
  const mode = asText(calling['mode'])?.toUpperCase()
  const names = asList(calling['allowedFunctionNames']).flatMap((name) => asName(name) ?? [])
  return { choice: choiceOf(mode, names), validated: mode === 'VALIDATED' }
}

function choiceOf(mode: string | undefined, names: readonly string[]): ToolChoice | null {
  if (mode === 'NONE') return { type: 'none' }
  if (mode === 'ANY' && names[0] !== undefined && names.length === 1) return { type: 'tool', name: names[0] }
  if (mode !== 'ANY' && mode !== 'AUTO' && mode !== 'VALIDATED') return null
  const choice = mode === 'ANY' ? 'any' : 'auto'
  return names.length > 0 ? { type: 'allowed', mode: choice, names } : { type: choice }
}

/** int64 in protobuf's JSON: a number in a string */
const counts = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'])
const skipped = new Set(['propertyOrdering', 'nullable', 'type', 'example'])

/**
 * Converts Google's Schema (an OpenAPI 3.0 subset) to JSON Schema, as all other protocols and `parametersJsonSchema`
 * use.
 */
function fromSchema(source: JsonObject): JsonObject {
  const schema = camelled(source)
  const type = asText(schema['type'])?.toLowerCase()
  const nullable = schema['nullable'] === true
  const result: Draft = {}
  if (type !== undefined && type !== 'type_unspecified') result['type'] = nullable ? [type, 'null'] : type
  for (const name in schema) if (!skipped.has(name)) result[name] = member(name, schema[name], schema)
  if ('example' in schema) result['examples'] = [schema['example']]
  if (nullable && Array.isArray(result['anyOf'])) result['anyOf'] = [...result['anyOf'], { type: 'null' }]
  if (nullable && Array.isArray(result['enum'])) result['enum'] = [...result['enum'], null]
  return result
}

function member(name: string, value: unknown, schema: JsonObject): unknown {
  if (counts.has(name)) return typeof value === 'string' ? Number(value) : value
  if (name === 'items') return convert(value)
  if (name === 'anyOf') return asList(value).map(convert)
  if (name === 'properties') return properties(asObject(value) ?? {}, asList(schema['propertyOrdering']))
  return value
}

/** JSON Schema has no member for the order of properties, so they are written in that order. */
function properties(source: JsonObject, order: readonly unknown[]): JsonObject {
  const result: Draft = {}
  for (const name of order) if (typeof name === 'string' && Object.hasOwn(source, name)) result[name] = null
  for (const name in source) result[name] = convert(source[name])
  return result
}

const convert = (value: unknown): unknown => {
  const schema = asObject(value)
  return schema ? fromSchema(schema) : value
}
