import { asObject, type JsonObject } from '../../values.ts'

/**
 * A call's arguments for protocols that have an object there, not a text. None at all are an empty one, and models say
 * `null` where a tool takes nothing. null for what is no JSON object.
 */
export function argumentsObject(text: string): JsonObject | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return value === null ? {} : asObject(value)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
