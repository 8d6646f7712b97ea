import { isString, member, members, type Span } from '../json-bytes/index.ts'
import { textPartEdits } from '../images/text-part.ts'
import type { Picture, ProtocolImages } from '../images/types.ts'
import { contentOf, typed } from '../needs/parts.ts'
import { wordAt } from '../needs/word.ts'

const kept = ['cache_control'] as const

/** Blocks `image`, in a message and in a tool's result. */
export const messagesImages: ProtocolImages = {
  words: ['"image"'],
  within: (body, item) =>
    typed(body, contentOf(body, item), (type) => type === 'image' || type === 'tool_result')
      .flatMap((block) =>
        isImage(body, block) ? [block] : typed(body, contentOf(body, block), (type) => type === 'image'),
      )
      .map((block) => ({ ...block, picture: pictureOf(body, block) })),
  edits: (body, _, replaced) => textPartEdits(body, replaced, 'text', kept),
}

const isImage = (body: Buffer, block: Span): boolean => wordAt(body, member(body, block, 'type')) === 'image'

function pictureOf(body: Buffer, block: Span): Picture | null {
  const source = member(body, block, 'source')
  if (!source) return null
  const [type, data, mediaType, url, id] = members(body, source, ['type', 'data', 'media_type', 'url', 'file_id'])
  const picture = (says: Picture['says'], token: Span | null | undefined): Picture | null =>
    token && isString(body, token) ? { says, token, mediaType: wordAt(body, mediaType) } : null
  switch (wordAt(body, type)) {
    case 'base64':
      return picture('data', data)
    case 'url':
      return picture('address', url)
    case 'file':
      return picture('id', id)
    default:
      return null
  }
}
