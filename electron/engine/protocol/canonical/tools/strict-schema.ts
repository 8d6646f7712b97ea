import { asList, asObject, asText, type JsonObject } from '../../values.ts'
import type { ResponseFormat, Tool } from '../request.ts'
import { addSizes, isTooMuch, noSize, sizeOfSchema } from './schema-size.ts'
import { openaiRules, type StrictRules } from './schema-rules.ts'

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
export const isStrictSchema = (schema: JsonObject, rules: StrictRules): boolean =>
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
