import { needsOf } from '../needs/needs-of.ts'
import { contentOf, hasTool, hasType, isWebSearch, mentions } from '../needs/parts.ts'
import { wordAt } from '../needs/word.ts'
import type { RequestLens, RequestNeeds } from '../types.ts'

export const messagesNeeds = (lens: RequestLens): RequestNeeds => needsOf(lens, {
  image: () => lens.asked().some((item) => mentions(lens.body, item, 'image') && hasType(lens.body, contentOf(lens.body, item), (type, block) =>
    type === 'image' || (type === 'tool_result' && hasType(lens.body, contentOf(lens.body, block), (inner) => inner === 'image')))),
  webSearch: () => hasTool(lens.body, lens.place('tools'), 'web_search', isWebSearch),
  // An effort alone (output_config) is how thorough the answer is to be.
  thinking: () => ['enabled', 'adaptive'].includes(wordAt(lens.body, lens.place('thinking', 'type')) ?? ''),
})
