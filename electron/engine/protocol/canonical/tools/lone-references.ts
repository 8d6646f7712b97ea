import { asObject, type JsonObject } from '../../values.ts'
import type { CanonicalRequest } from '../request.ts'

/** Their members are named by whoever writes the schema. */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
/** What they hold is no schema. */
const data = new Set(['const', 'default', 'enum', 'example', 'examples'])

/**
 * A reference with other words beside it, as the only one of its alternatives: that says the same, and vendors that
 * take nothing beside `$ref` take it (Gemini: https://ai.google.dev/api/caching#Schema; Anthropic, OpenAI and Moonshot
 * where a schema binds).
 */
export function withLoneReferences(request: CanonicalRequest): CanonicalRequest {
  const { format } = request
  return {
    ...request,
    tools: request.tools.map((tool) =>
      tool.type === 'function' && tool.parameters
        ? { ...tool, parameters: asObject(lone(tool.parameters)) ?? tool.parameters }
        : tool,
    ),
    format: format?.type === 'schema' ? { ...format, schema: asObject(lone(format.schema)) ?? format.schema } : format,
  }
}

function lone(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lone)
  const object = asObject(schema)
  if (!object) return schema
  const said = Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      data.has(name) ? value : named.has(name) ? eachOf(value) : lone(value),
    ]),
  )
  const { $ref, ...beside } = said
  if (typeof $ref !== 'string' || Object.keys(beside).every((name) => name.startsWith('$'))) return said
  return beside['anyOf'] === undefined
    ? { ...beside, anyOf: [{ $ref }] }
    : { ...beside, allOf: [...(Array.isArray(beside['allOf']) ? beside['allOf'] : []), { $ref }] }
}

function eachOf(value: unknown): unknown {
  const schemas: JsonObject | null = asObject(value)
  return schemas ? Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, lone(schema)])) : value
}
