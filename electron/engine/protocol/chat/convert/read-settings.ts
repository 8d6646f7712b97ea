import { efforts, type Effort, type Reasoning, type ResponseFormat } from '../../canonical/request.ts'
import { asName, asNumber, asObject, asText, type JsonObject } from '../../values.ts'
import { noteUnread, noteUnreadOf, type Unread } from './members.ts'

const knownReasoning = new Set(['effort', 'max_tokens', 'enabled', 'exclude'])
const knownThinking = new Set(['type', 'budget_tokens'])
const knownFormat = new Set(['type', 'json_schema'])
const knownSchema = new Set(['name', 'description', 'schema', 'strict'])

export const asBoolean = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)

/**
 * `reasoning_effort`, or what other vendors say for it: `reasoning` (OpenRouter), `thinking` (DeepSeek, GLM, Kimi),
 * `enable_thinking` (Qwen).
 */
export function readReasoning(body: JsonObject, unread: Unread): Reasoning | null {
  const reasoning = asObject(body['reasoning'])
  const thinking = asObject(body['thinking'])
  if (reasoning) noteUnread(reasoning, knownReasoning, 'reasoning.', unread)
  if (thinking) noteUnread(thinking, knownThinking, 'thinking.', unread)
  const said = asName(body['reasoning_effort']) ?? asName(reasoning?.['effort'])
  const given = efforts.find((effort) => effort === said) ?? null
  if (said !== null && given === null) unread.add('reasoning_effort')
  const isOff =
    reasoning?.['enabled'] === false || thinking?.['type'] === 'disabled' || body['enable_thinking'] === false
  const effort: Effort | null = given ?? (isOff ? 'none' : null)
  const budget =
    asNumber(reasoning?.['max_tokens']) ?? asNumber(thinking?.['budget_tokens']) ?? asNumber(body['thinking_budget'])
  const summary = reasoning?.['exclude'] === true ? 'none' : null
  const isOn =
    reasoning?.['enabled'] === true || asName(thinking?.['type']) !== null || body['enable_thinking'] === true
  return effort !== null || budget !== null || summary !== null || isOn ? { effort, budget, summary } : null
}

export function readFormat(value: unknown, unread: Unread): ResponseFormat | null {
  const format = asObject(value)
  if (format) noteUnread(format, knownFormat, 'response_format.', unread)
  noteUnreadOf(format?.['json_schema'], knownSchema, 'response_format.json_schema.', unread)
  switch (format?.['type']) {
    case undefined:
    case 'text':
      return null
    case 'json_object':
      return { type: 'json' }
    case 'json_schema': {
      const given = asObject(format['json_schema'])
      const schema = asObject(given?.['schema'])
      if (given && schema)
        return {
          type: 'schema',
          name: asName(given['name']),
          description: asName(given['description']),
          schema,
          strict: asBoolean(given['strict']),
        }
      // a named format without a schema asks for JSON of any shape
      unread.add('response_format.json_schema')
      return { type: 'json' }
    }
    default:
      unread.add('response_format')
      return null
  }
}

export function readStop(value: unknown): string[] {
  const one = asName(value)
  if (one !== null) return [one]
  return Array.isArray(value) ? value.filter((stop): stop is string => typeof stop === 'string' && stop !== '') : []
}

export function readMetadata(value: unknown, unread: Unread): Record<string, string> | null {
  const given = asObject(value)
  if (!given) return null
  const metadata: Record<string, string> = {}
  for (const name in given) {
    const text = asText(given[name])
    if (text === null) unread.add(`metadata.${name}`)
    else metadata[name] = text
  }
  return Object.keys(metadata).length > 0 ? metadata : null
}

/** `safety_identifier` is the newer name of the same member. */
export function readUser(body: JsonObject, unread: Unread): string | null {
  const user = asName(body['user'])
  const identifier = asName(body['safety_identifier'])
  if (user !== null && identifier !== null && user !== identifier) unread.add('safety_identifier')
  return user ?? identifier
}
