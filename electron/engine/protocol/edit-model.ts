import { isString, type Edit } from './json-bytes/index.ts'
import { memberEdits, rootOf } from './json-members.ts'
import type { RequestLens } from './types.ts'

/** The edit that gives a request another model; none when it names that model already. */
export function modelEdits(lens: RequestLens, model: string): Edit[] {
  const { body } = lens
  if (lens.model === model) return []
  if (lens.protocol !== 'gemini') {
    const at = lens.place('model')
    const replacement = JSON.stringify(model)
    // Nearly every request has one: its members need no further walk.
    return at
      ? [{ start: at.start, end: at.end, replacement }]
      : memberEdits(body, rootOf(body), { model: replacement })
  }
  // The path names the model. Only a whole request inside a countTokens names it again, and both must say the same.
  const at = lens.place('generateContentRequest', 'model')
  return at && isString(body, at)
    ? [{ ...at, replacement: JSON.stringify(`models/${model.replace(/^models\//, '')}`) }]
    : []
}
