/** Finds its way in the config's JSON schema. Of JSON Schema only what the config's own schema uses. */
export interface Schema {
  type?: string | readonly string[]
  description?: string
  default?: unknown
  const?: unknown
  enum?: readonly unknown[]
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
}

/** The file beside the config's schema is made from it. */
export const asSchema = (json: unknown): Schema => json as Schema

/** One schema may stand for several: each that could be meant. */
export const formsOf = (schema: Schema): readonly Schema[] => {
  const several = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return several.length === 0 ? [schema] : several.flatMap(formsOf)
}

/** Every schema that could hold at this path. */
export function schemasAt(root: Schema, path: readonly (string | number)[]): readonly Schema[] {
  return path.reduce<readonly Schema[]>((at, step) => at.flatMap((schema) => below(schema, step)), formsOf(root))
}

function below(schema: Schema, step: string | number): readonly Schema[] {
  if (typeof step === 'number') return schema.items ? formsOf(schema.items) : []
  const known = schema.properties && Object.hasOwn(schema.properties, step) ? schema.properties[step] : undefined
  const next = known ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined)
  return next ? formsOf(next) : []
}
