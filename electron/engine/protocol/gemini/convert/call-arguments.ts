import { asObject, type JsonObject } from '../../values.ts'

/** Gemini's arguments are an object, not a text; none at all is an empty one. null for what is no JSON object. */
export function argumentsObject(text: string): JsonObject | null {
  if (text === '') return {}
  try {
    return asObject(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
