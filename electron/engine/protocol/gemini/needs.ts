import { asksWithImage } from '../images/holds-image.ts'
import { decode } from '../json-bytes/index.ts'
import { needsOf } from '../needs/needs-of.ts'
import type { RequestLens, RequestNeeds } from '../types.ts'
import { asNumber, asObject, asText } from '../values.ts'
import { camelled } from './convert/members.ts'
import { geminiImages } from './images.ts'
import { either, listed } from './request-lens.ts'
import { placeOf } from './request-place.ts'

export const geminiNeeds = (lens: RequestLens): RequestNeeds =>
  needsOf(lens, {
    image: () => asksWithImage(lens, geminiImages),
    webSearch: () => asksSearch(lens),
    thinking: () => asksThinking(lens),
  })

const searches = [
  'googleSearch',
  'google_search',
  'googleSearchRetrieval',
  'google_search_retrieval',
  'enterpriseWebSearch',
  'enterprise_web_search',
] as const

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
