import { asList, asObject, asText, type JsonObject } from '../../values.ts'
import { camelled, type Draft } from './members.ts'

/** int64 in protobuf's JSON: a number in a string */
const counts = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'])
const skipped = new Set(['propertyOrdering', 'nullable', 'type', 'example'])

/**
 * Converts Google's Schema (an OpenAPI 3.0 subset) to JSON Schema, as all other protocols and `parametersJsonSchema`
 * use.
 */
export function fromSchema(source: JsonObject): JsonObject {
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
