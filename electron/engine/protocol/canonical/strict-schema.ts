import { asList, asObject, asText, type JsonObject } from '../values.ts'
import type { Tool, WireProtocol } from './request.ts'

/** What a vendor takes as the schema of a strict tool; anything else is answered with a 400. */
interface StrictRules {
  keywords: ReadonlySet<string>
  formats: ReadonlySet<string>
  /** every property must be required */
  allRequired: boolean
  /** the most `minItems` may say */
  minItems: number
  /** levels of objects and lists */
  depth: number
  /** in one request */
  tools: number
  /** properties that are not required, in one request */
  optional: number
}

const common = [
  'type',
  'description',
  'title',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
]
const commonFormats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']

/** https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
const openaiRules: StrictRules = {
  keywords: new Set([
    ...common,
    'anyOf',
    'pattern',
    'format',
    'multipleOf',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'minItems',
    'maxItems',
  ]),
  formats: new Set(commonFormats),
  allRequired: true,
  minItems: Infinity,
  depth: 10,
  tools: Infinity,
  optional: 0,
}

/**
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations: properties may be
 * left out of `required`, up to a number for all tools together.
 */
const anthropicRules: StrictRules = {
  keywords: new Set([...common, 'anyOf', 'format', 'minItems', 'default']),
  formats: new Set([...commonFormats, 'uri']),
  allRequired: false,
  minItems: 1,
  depth: Infinity,
  tools: 20,
  optional: 24,
}

/** By protocol; null: Gemini takes any schema. */
export const strictRules: Readonly<Record<WireProtocol, StrictRules | null>> = {
  chat: openaiRules,
  responses: openaiRules,
  messages: anthropicRules,
  gemini: null,
}

type FunctionTool = Extract<Tool, { type: 'function' }>

/**
 * Tools that are strict only because Gemini's VALIDATED said so for all of them, as far as the target's rules allow it.
 * What a client itself called strict stays so. References are never followed: vendors differ in what they take of them.
 */
export function strictAsAllowed(
  tools: readonly Tool[],
  rules: StrictRules | null,
): { tools: readonly Tool[]; dropped: readonly string[] } {
  const wanted = tools.filter(isIfPossible)
  if (rules === null || wanted.length === 0) return { tools, dropped: [] }
  const fit = new Set<Tool>(
    wanted.filter(({ parameters }) => parameters !== null && isFunctionSchema(parameters, rules)),
  )
  const optional = [...fit].reduce((sum, tool) => sum + (isIfPossible(tool) ? optionalIn(tool.parameters) : 0), 0)
  if (fit.size > rules.tools || (!rules.allRequired && optional > rules.optional)) fit.clear()
  return {
    tools: tools.map((tool) => (isIfPossible(tool) && !fit.has(tool) ? { ...tool, strict: null } : tool)),
    dropped: fit.size < wanted.length ? ['tools[].strict'] : [],
  }
}

const isIfPossible = (tool: Tool): tool is FunctionTool =>
  tool.type === 'function' && tool.strict === true && tool.strictIfPossible === true

const isFunctionSchema = (schema: JsonObject, rules: StrictRules): boolean =>
  schema['type'] === 'object' && schema['anyOf'] === undefined && isStrict(schema, rules, 0)

function isStrict(value: unknown, rules: StrictRules, depth: number): boolean {
  const schema = asObject(value)
  if (!schema || depth > rules.depth) return false
  if (schema['type'] === undefined && schema['anyOf'] === undefined) return false
  for (const name in schema) if (!rules.keywords.has(name)) return false
  const format = asText(schema['format'])
  if (format !== null && !rules.formats.has(format)) return false
  if (typeof schema['minItems'] === 'number' && schema['minItems'] > rules.minItems) return false
  const inner = [schema['items'], ...asList(schema['anyOf'])].filter((entry) => entry !== undefined)
  return inner.every((entry) => isStrict(entry, rules, depth + 1)) && isStrictObject(schema, rules, depth)
}

function isStrictObject(schema: JsonObject, rules: StrictRules, depth: number): boolean {
  const properties = asObject(schema['properties'])
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']]
  if (!properties && !types.includes('object')) return true
  if (schema['additionalProperties'] !== false) return false
  const required = new Set(asList(schema['required']))
  return Object.entries(properties ?? {}).every(
    ([name, property]) => (!rules.allRequired || required.has(name)) && isStrict(property, rules, depth + 1),
  )
}

/** Properties of a schema that may be left out, in all its objects. */
function optionalIn(value: unknown): number {
  const schema = asObject(value)
  if (!schema) return 0
  const properties = asObject(schema['properties']) ?? {}
  const required = new Set(asList(schema['required']))
  const own = Object.keys(properties).filter((name) => !required.has(name)).length
  const inner = [...Object.values(properties), schema['items'], ...asList(schema['anyOf'])]
  return inner.reduce<number>((sum, entry) => sum + optionalIn(entry), own)
}
