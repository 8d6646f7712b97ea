import { asksWithImage } from '../images/holds-image.ts'
import { asksEffort } from '../needs/effort.ts'
import { needsOf } from '../needs/needs-of.ts'
import { hasTool, isWebSearch } from '../needs/parts.ts'
import type { RequestLens, RequestNeeds } from '../types.ts'
import { responsesImages } from './images.ts'

export const responsesNeeds = (lens: RequestLens): RequestNeeds =>
  needsOf(lens, {
    image: () => asksWithImage(lens, responsesImages),
    webSearch: () =>
      hasTool(lens.body, lens.place('tools'), 'web_search', (type) => isWebSearch(type.replace(/^openrouter:/, ''))),
    thinking: () => asksEffort(lens.value('reasoning', 'effort')),
  })
