import { isObject, isString, member, type Span } from '../json-bytes/index.ts'
import { textPartEdits } from '../images/text-part.ts'
import type { FoundImage, ProtocolImages } from '../images/types.ts'
import { contentOf, typed } from '../needs/parts.ts'

const kept = ['cache_control', 'prompt_cache_breakpoint'] as const

/** Parts `image_url` of a content, a tool's result among them. */
export const chatImages: ProtocolImages = {
  words: ['image_url'],
  within: (body, item) =>
    typed(body, contentOf(body, item), (type) => type === 'image_url').map((part) => found(body, part)),
  edits: (body, _, replaced) => textPartEdits(body, replaced, 'text', kept),
}

function found(body: Buffer, part: Span): FoundImage {
  const image = member(body, part, 'image_url')
  // Some clients write the address itself.
  const url = image && isObject(body, image) ? member(body, image, 'url') : image
  return { ...part, picture: url && isString(body, url) ? { says: 'address', token: url, mediaType: null } : null }
}
