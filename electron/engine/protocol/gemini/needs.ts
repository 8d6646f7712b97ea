import { decode, type Span } from '../json-bytes/index.ts'
import { needsOf } from '../needs/needs-of.ts'
import { mentions } from '../needs/parts.ts'
import { wordAt } from '../needs/word.ts'
import type { RequestLens, RequestNeeds } from '../types.ts'
import { asNumber, asObject, asText } from '../values.ts'
import { camelled } from './convert/members.ts'
import { either, listed, partsOf } from './request-lens.ts'
import { placeOf } from './request-place.ts'

export const geminiNeeds = (lens: RequestLens): RequestNeeds => needsOf(lens, {
  image: () => lens.asked().some((content) => mentions(lens.body, content, 'image') && partsOf(lens.body, content).some((part) => holdsImage(lens.body, part))),
  webSearch: () => asksSearch(lens),
  thinking: () => asksThinking(lens),
})

/** A part's own data, or that of a tool's result. */
function holdsImage(body: Buffer, part: Span): boolean {
  if (isImage(body, part)) return true
  const result = either(body, part, 'functionResponse', 'function_response')
  return result !== null && partsOf(body, result).some((inner) => isImage(body, inner))
}

function isImage(body: Buffer, part: Span): boolean {
  const data = either(body, part, 'inlineData', 'inline_data', 'fileData', 'file_data')
  return data !== null && /^image\b/.test(wordAt(body, either(body, data, 'mimeType', 'mime_type')) ?? '')
}

const searches = ['googleSearch', 'google_search', 'googleSearchRetrieval', 'google_search_retrieval', 'enterpriseWebSearch', 'enterprise_web_search'] as const

function asksSearch(lens: RequestLens): boolean {
  const tools = placeOf(lens, 'tools')
  return tools !== null && listed(lens.body, tools).some((tool) => either(lens.body, tool, ...searches) !== null)
}

/** A budget of 0 switches thinking off, -1 leaves it to the model; Gemini 3 has levels instead (ThinkingConfig). */
function asksThinking(lens: RequestLens): boolean {
  const { body } = lens
  const config = placeOf(lens, 'generationConfig', 'generation_config')
  const at = config && either(body, config, 'thinkingConfig', 'thinking_config')
  if (!at) return false
  const said = camelled(asObject(decode(body, at)) ?? {})
  const budget = asNumber(said['thinkingBudget'])
  if (budget !== null) return budget !== 0
  const level = asText(said['thinkingLevel'])?.toLowerCase() ?? unspecified
  return level === unspecified ? said['includeThoughts'] === true : level !== 'minimal'
}
const unspecified = 'thinking_level_unspecified'
