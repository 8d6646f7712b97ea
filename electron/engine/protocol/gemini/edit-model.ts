import { isString, type Edit } from '../json-bytes/index.ts'
import type { RequestLens } from '../types.ts'

/** The path names the model. Only a whole request inside a countTokens names it again, and both must say the same. */
export function geminiModelEdits(lens: RequestLens, model: string): Edit[] {
  if (lens.model === model) return []
  const at = lens.place('generateContentRequest', 'model')
  return at && isString(lens.body, at)
    ? [{ ...at, replacement: JSON.stringify(`models/${model.replace(/^models\//, '')}`) }]
    : []
}
