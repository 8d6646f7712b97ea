import { validateGeminiRequest } from '../../../electron/engine/protocol/testing/validate-gemini.ts'
import { at } from './json-path.ts'

/** As strict as Google is, which refuses members it does not know. */
export function checkGemini(json: unknown): string[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return ['the body is no object']
  const problems = validateGeminiRequest(json as Record<string, unknown>)
  const last = at(json, 'contents', -1)
  if (at(last, 'role') === 'model') problems.push("the request ends with the model's own content")
  return problems
}
