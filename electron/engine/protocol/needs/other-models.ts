import { decode, elements, isObject, member } from '../json-bytes/index.ts'
import type { RequestLens } from '../types.ts'

/** Lists of OpenRouter (`models`) and LiteLLM (`fallbacks`), whose members are names or objects with one. */
const lists = ['models', 'fallbacks', 'fallback_models', 'fallback_model', 'fallbackModels'] as const

/** Returns the models that a request names beside its own: to fall back on, or for a tool of the vendor's. */
export function otherModels(lens: RequestLens): readonly string[] {
  const listed = lists.flatMap((name) => namesIn(lens.value(name)))
  const tools = lens.place('tools')
  if (!tools) return listed
  const named = elements(lens.body, tools).flatMap((tool) => {
    const at = isObject(lens.body, tool) ? member(lens.body, tool, 'model') : null
    return at ? namesIn(decode(lens.body, at)) : []
  })
  return [...listed, ...named]
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return 'model' in value ? namesIn(value.model) : Object.values(value).flatMap(namesIn)
}
