import { asksWithImage } from '../images/holds-image.ts'
import { needsOf } from '../needs/needs-of.ts'
import { hasTool, isWebSearch } from '../needs/parts.ts'
import { wordAt } from '../needs/word.ts'
import type { RequestLens, RequestNeeds } from '../types.ts'
import { messagesImages } from './images.ts'

export const messagesNeeds = (lens: RequestLens): RequestNeeds =>
  needsOf(lens, {
    image: () => asksWithImage(lens, messagesImages),
    webSearch: () => hasTool(lens.body, lens.place('tools'), 'web_search', isWebSearch),
    // An effort alone (output_config) is how thorough the answer is to be.
    thinking: () => ['enabled', 'adaptive'].includes(wordAt(lens.body, lens.place('thinking', 'type')) ?? ''),
    // Claude Code 2.1.332: Anthropic keeps what came before, and the request holds the newest message alone.
    bound: () => (wordAt(lens.body, lens.place('thread', 'type')) === 'continue' ? 'thread' : null),
  })
