import { asObject, type JsonObject } from '../../values.ts'

/**
 * A call's arguments as the object Messages wants. Text that is no JSON object (a call cut off in the middle) stands in
 * it whole.
 */
export function toolInput(json: string): JsonObject {
  if (json === '') return {}
  try {
    const value: unknown = JSON.parse(json)
    const input = asObject(value)
    if (input) return input
    if (value === null) return {}
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return { arguments: json }
}
