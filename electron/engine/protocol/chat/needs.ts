import { asksWithImage } from '../images/holds-image.ts'
import { elements, isObject, member } from '../json-bytes/index.ts'
import { asksEffort } from '../needs/effort.ts'
import { needsOf } from '../needs/needs-of.ts'
import { hasTool, isWebSearch } from '../needs/parts.ts'
import { wordAt } from '../needs/word.ts'
import type { RequestLens, RequestNeeds } from '../types.ts'
import { asNumber, asObject } from '../values.ts'
import { chatImages } from './images.ts'

export const chatNeeds = (lens: RequestLens): RequestNeeds =>
  needsOf(lens, {
    image: () => asksWithImage(lens, chatImages),
    webSearch: () => asksSearch(lens),
    thinking: () => asksThinking(lens),
  })

/**
 * OpenAI's `web_search_options`, a tool of the vendor (GLM, OpenRouter's `openrouter:web_search`), or OpenRouter's
 * plugin.
 */
function asksSearch({ body, place }: RequestLens): boolean {
  const options = place('web_search_options')
  if (options && isObject(body, options)) return true
  if (hasTool(body, place('tools'), 'web_search', (type) => isWebSearch(type.replace(/^openrouter:/, '')))) return true
  const plugins = place('plugins')
  return (
    plugins !== null && elements(body, plugins).some((plugin) => wordAt(body, member(body, plugin, 'id')) === 'web')
  )
}

/** The vendors' ways to say it are those that convert/read-settings reads. */
function asksThinking(lens: RequestLens): boolean {
  if (lens.value('enable_thinking') === true) return true
  const effort = lens.value('reasoning_effort') ?? null
  if (effort !== null) return asksEffort(effort)
  const type = asObject(lens.value('thinking'))?.['type']
  if (typeof type === 'string') return type !== 'disabled'
  const reasoning = asObject(lens.value('reasoning'))
  if (!reasoning || reasoning['enabled'] === false) return false
  return (
    reasoning['enabled'] === true || asksEffort(reasoning['effort']) || (asNumber(reasoning['max_tokens']) ?? 0) > 0
  )
}
