import { asList, asObject } from '../../values.ts'
import type { StrictRules } from './schema-rules.ts'

/** Counts over the schemas of a request that vendors limit. */
interface SchemaSize {
  /** properties that may be left out, in all objects */
  optional: number
  /** places that take several types */
  unions: number
}

export const noSize: SchemaSize = { optional: 0, unions: 0 }
export const addSizes = (a: SchemaSize, b: SchemaSize): SchemaSize => ({
  optional: a.optional + b.optional,
  unions: a.unions + b.unions,
})

export function sizeOfSchema(value: unknown): SchemaSize {
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
export const isTooMuch = ({ optional, unions }: SchemaSize, rules: StrictRules): boolean =>
  (!rules.allRequired && optional > rules.optional) || unions > rules.unions
