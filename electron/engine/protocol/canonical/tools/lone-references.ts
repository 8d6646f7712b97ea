import { asObject, type JsonObject } from '../../values.ts'
import type { CanonicalRequest } from '../request.ts'

/** The author of the schema names their members. */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
/** Their values are no schemas. */
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

/** The schema itself where it has no such reference: most have none, and a copy costs more than the look. */
function lone(schema: unknown): unknown {
  if (Array.isArray(schema)) return changed(schema, lone)
  const object = asObject(schema)
  if (!object) return schema
  const said = withMembers(object, (value, name) =>
    data.has(name) ? value : named.has(name) ? eachOf(value) : lone(value),
  )
  if (typeof said['$ref'] !== 'string' || Object.keys(said).every((name) => name.startsWith('$'))) return said
  const { $ref, ...beside } = said
  return beside['anyOf'] === undefined
    ? { ...beside, anyOf: [{ $ref }] }
    : { ...beside, allOf: [...(Array.isArray(beside['allOf']) ? beside['allOf'] : []), { $ref }] }
}

function eachOf(value: unknown): unknown {
  const schemas = asObject(value)
  return schemas ? withMembers(schemas, lone) : value
}

function changed(list: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  const made = list.map(change)
  return made.every((value, at) => value === list[at]) ? list : made
}

function withMembers(object: JsonObject, change: (value: unknown, name: string) => unknown): JsonObject {
  let made: Record<string, unknown> | null = null
  for (const [name, value] of Object.entries(object)) {
    const now = change(value, name)
    if (now !== value) (made ??= { ...object })[name] = now
  }
  return made ?? object
}
