import { isString, type Edit } from './json-bytes/index.ts'
import type { RequestLens } from './types.ts'

/** The edit that gives a request another model; none when it names that model already. */
export function modelEdits(lens: RequestLens, model: string): Edit[] {
  if (lens.protocol === 'gemini') return geminiModelEdits(lens, model)
  if (lens.model === model) return []
  const at = lens.place('model')
  if (at) return [{ ...at, replacement: JSON.stringify(model) }]
  const start = lens.body.indexOf('{') + 1
  const isEmpty = lens.body.toString('latin1', start).trimStart().startsWith('}')
  return [{ start, end: start, replacement: `"model":${JSON.stringify(model)}${isEmpty ? '' : ','}` }]
}

/** The path names the model. Only a whole request inside a countTokens names it again, and both must say the same. */
function geminiModelEdits(lens: RequestLens, model: string): Edit[] {
  if (lens.model === model) return []
  const at = lens.place('generateContentRequest', 'model')
  return at && isString(lens.body, at)
    ? [{ ...at, replacement: JSON.stringify(`models/${model.replace(/^models\//, '')}`) }]
    : []
}
