import { fitSchema } from './fit-schema.ts'
import type { ResponseFormat } from '../request.ts'
import { openaiRules, type StrictRules } from './schema-rules.ts'
import { isTooMuch, sizeOfSchema } from './schema-size.ts'
import { isStrictSchema } from './strict-schema.ts'

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
