import { asList, asObject, asText, type JsonObject } from '../../values.ts'
import type { StrictRules } from './schema-rules.ts'

type Note = (keyword: string) => void
/** A schema has no place among those the vendor takes. */
class Unfit extends Error {}

/** Keywords that do not restrict an answer. */
const silent = new Set(['$schema', '$id', '$comment', '$anchor', 'examples', 'deprecated', 'readOnly', 'writeOnly'])
const definitions = ['$defs', 'definitions'] as const

/**
 * A schema that keeps to Anthropic's rules and says as much as it can of what another one says, in the way of
 * Anthropic's own SDKs (lib/transform-json-schema of @anthropic-ai/sdk): objects are closed, and what has no place
 * becomes words of the description. `note`: keywords that do not bind any more. null: it would say something else.
 */
export function fitSchema(schema: JsonObject, rules: StrictRules, note: Note): JsonObject | null {
  if (callsItself(schema)) return null
  try {
    return fitted(schema, rules, note)
  } catch (error) {
    if (error instanceof Unfit) return null
    throw error
  }
}

function fitted(value: unknown, rules: StrictRules, note: Note): JsonObject {
  const schema = asObject(value)
  if (!schema) throw new Unfit()
  const out: Record<string, unknown> = {}
  for (const name of definitions) {
    const defined = asObject(schema[name])
    if (defined) out[name] = eachOf(defined, rules, note)
  }
  // Anthropic refuses members beside a reference.
  if (schema['$ref'] !== undefined) return { ...out, $ref: schema['$ref'] }
  const left: Record<string, unknown> = {}
  const type = typeOf(schema)
  if (type !== null) out['type'] = type
  for (const name in schema) {
    if (name in out || silent.has(name) || name === 'oneOf' || name === 'allOf') continue
    const said = member(name, schema, rules, note)
    if (said === undefined) left[name] = schema[name]
    else out[name] = said
  }
  alternatives(schema, out, rules, note)
  if (isOf(type, 'object')) close(schema, out, note)
  for (const name in left) note(name)
  return describe(out, left)
}

/** undefined: it has no place. */
function member(name: string, schema: JsonObject, rules: StrictRules, note: Note): unknown {
  const value = schema[name]
  switch (name) {
    case 'properties':
      return eachOf(asObject(value) ?? {}, rules, note)
    case 'items':
      return fitted(value, rules, note)
    case 'anyOf':
      return asList(value).map((entry) => fitted(entry, rules, note))
    case 'additionalProperties':
      return false
    case 'format':
      return rules.formats.has(asText(value) ?? '') ? value : undefined
    case 'minItems':
      return typeof value === 'number' && value <= rules.minItems ? value : undefined
    case 'enum':
      return asList(value).every(isPlain) ? value : undefined
    case 'const':
      return isPlain(value) ? value : undefined
    default:
      return rules.keywords.has(name) ? value : undefined
  }
}

/** `oneOf` becomes `anyOf`. An `allOf` of several can't be said, since each of its schemas is closed. */
function alternatives(schema: JsonObject, out: Record<string, unknown>, rules: StrictRules, note: Note): void {
  const one = asList(schema['oneOf'])
  const all = asList(schema['allOf'])
  if (one.length + all.length === 0) return
  if (all.length > 1 || out['anyOf'] !== undefined || (one.length > 0 && all.length > 0)) throw new Unfit()
  if (one.length > 0) note('oneOf')
  out['anyOf'] = [...one, ...all].map((entry) => fitted(entry, rules, note))
}

/** An object that may have any keys could have none once it is closed. */
function close(schema: JsonObject, out: Record<string, unknown>, note: Note): void {
  const more = schema['additionalProperties']
  const isOpen = more !== undefined && more !== false
  if (more !== false && Object.keys(asObject(schema['properties']) ?? {}).length === 0) throw new Unfit()
  if (isOpen) note('additionalProperties')
  out['additionalProperties'] = false
}

const eachOf = (schemas: JsonObject, rules: StrictRules, note: Note): JsonObject =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, fitted(schema, rules, note)]))

/** Returns the type of a schema, from its other members where it does not say it. null: it needs none. */
function typeOf(schema: JsonObject): unknown {
  if (schema['type'] !== undefined) return schema['type']
  if (schema['properties'] !== undefined) return 'object'
  if (schema['items'] !== undefined) return 'array'
  if (['enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref'].some((name) => schema[name] !== undefined)) return null
  throw new Unfit()
}

const isOf = (type: unknown, name: string): boolean => type === name || asList(type).includes(name)
const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object'

function describe(out: Record<string, unknown>, left: JsonObject): JsonObject {
  const names = Object.keys(left)
  if (names.length === 0) return out
  const words = `{${names.map((name) => `${name}: ${JSON.stringify(left[name])}`).join(', ')}}`
  const said = asText(out['description'])
  return { ...out, description: said === null || said === '' ? words : `${said}\n\n${words}` }
}

/** True if a reference leads back to where it stands, or out of the schema. */
function callsItself(root: JsonObject): boolean {
  const done = new Set<unknown>()
  const walk = (value: unknown, under: ReadonlySet<unknown>): boolean => {
    const object = asObject(value)
    if (!object) return asList(value).some((entry) => walk(entry, under))
    if (under.has(object)) return true
    if (done.has(object)) return false
    const within = new Set(under).add(object)
    const ref = asText(object['$ref'])
    const target = ref === null ? null : targetOf(root, ref)
    if (ref !== null && (target === null || walk(target, within))) return true
    const found = Object.values(object).some((inner) => walk(inner, within))
    done.add(object)
    return found
  }
  return walk(root, new Set())
}

function targetOf(root: JsonObject, ref: string): JsonObject | null {
  if (!ref.startsWith('#')) return null
  let found: unknown = root
  for (const name of ref.slice(1).split('/').slice(1))
    found = asObject(found)?.[decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')]
  return asObject(found)
}
