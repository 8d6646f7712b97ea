import { asList, asObject, asText, type JsonObject } from '../../values.ts'
import type { ResponseFormat, Tool } from '../request.ts'
import { fitSchema } from './fit-schema.ts'
import { openaiRules, type StrictRules } from './schema-rules.ts'

type Format = ResponseFormat | null

/**
 * The schema of an answer as the target takes it. Anthropic holds to every schema, and refuses one that breaks its
 * rules: it is fitted to them, or not asked for at all. OpenAI holds to those that are called strict.
 */
export function formatAsAllowed(
  format: Format,
  rules: StrictRules | null,
): { format: Format; dropped: readonly string[] } {
  if (format?.type !== 'schema' || rules === null) return { format, dropped: [] }
  if (rules === openaiRules) return strictIfAllowed(format, rules)
  const dropped = new Set<string>()
  const schema = fitSchema(format.schema, rules, (name) => dropped.add(`format.schema.${name}`))
  return schema === null || isTooMuch(sizeOfSchema(schema), rules)
    ? { format: null, dropped: ['format'] }
    : { format: { ...format, schema }, dropped: [...dropped] }
}

/** Where the client did not say that an answer may differ from its schema, it is strict if it can be. */
function strictIfAllowed(
  format: Extract<ResponseFormat, { type: 'schema' }>,
  rules: StrictRules,
): { format: Format; dropped: readonly string[] } {
  if (!format.strictIfPossible) return { format, dropped: [] }
  return isStrictSchema(format.schema, rules)
    ? { format: { ...format, strict: true }, dropped: [] }
    : { format, dropped: ['format.strict'] }
}

type FunctionTool = Extract<Tool, { type: 'function' }>

/**
 * Strict tools, as far as the target's rules allow it; the schemas go as they are. A tool that a client called strict
 * under OpenAI's rules stays as it was for a target that has them too. References are never followed: vendors differ in
 * what they take of them. `format`: the schema of the answer counts too.
 */
export function strictAsAllowed(
  tools: readonly Tool[],
  format: ResponseFormat | null,
  rules: StrictRules | null,
): { tools: readonly Tool[]; dropped: readonly string[] } {
  const isJudged = (tool: Tool): tool is FunctionTool =>
    tool.type === 'function' && tool.strict === true && (tool.strictIfPossible === true || rules !== openaiRules)
  const wanted = tools.filter(isJudged)
  if (rules === null || wanted.length === 0) return { tools, dropped: [] }
  const fit = new Set<Tool>(wanted.filter(({ parameters }) => parameters !== null && isStrictSchema(parameters, rules)))
  const sizes = [...fit].map((tool) => (isJudged(tool) ? sizeOfSchema(tool.parameters) : noSize))
  const all = [...sizes, format?.type === 'schema' ? sizeOfSchema(format.schema) : noSize].reduce(addSizes, noSize)
  if (fit.size > rules.tools || isTooMuch(all, rules)) fit.clear()
  return {
    tools: tools.map((tool) => (isJudged(tool) && !fit.has(tool) ? { ...tool, strict: null } : tool)),
    dropped: fit.size < wanted.length ? ['tools[].strict'] : [],
  }
}

/** True if the schema of a function or an answer may be called strict as it is. */
const isStrictSchema = (schema: JsonObject, rules: StrictRules): boolean =>
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

/** Counts over the schemas of a request that vendors limit. */
interface SchemaSize {
  /** properties that may be left out, in all objects */
  optional: number
  /** places that take several types */
  unions: number
}

const noSize: SchemaSize = { optional: 0, unions: 0 }
const addSizes = (a: SchemaSize, b: SchemaSize): SchemaSize => ({
  optional: a.optional + b.optional,
  unions: a.unions + b.unions,
})

function sizeOfSchema(value: unknown): SchemaSize {
  const schema = asObject(value)
  if (!schema) return noSize
  const properties = asObject(schema['properties']) ?? {}
  const required = new Set(asList(schema['required']))
  const own = {
    optional: Object.keys(properties).filter((name) => !required.has(name)).length,
    unions: Array.isArray(schema['type']) || schema['anyOf'] !== undefined ? 1 : 0,
  }
  const definitions = ['$defs', 'definitions'].flatMap((name) => Object.values(asObject(schema[name]) ?? {}))
  const inner = [...Object.values(properties), schema['items'], ...asList(schema['anyOf']), ...definitions]
  return inner.map(sizeOfSchema).reduce(addSizes, own)
}

/** Where every property must be required, that is judged schema by schema. */
const isTooMuch = ({ optional, unions }: SchemaSize, rules: StrictRules): boolean =>
  (!rules.allRequired && optional > rules.optional) || unions > rules.unions
