import type { ContentPart, FilePart, ImagePart, Source } from '../../canonical/request.ts'
import type { JsonObject } from '../../values.ts'

/** Names of what Messages can't say. */
export type Dropped = Set<string>

/** Anthropic refuses text blocks without visible text. */
const hasText = (text: string): boolean => /\S/.test(text)

export const textBlock = (text: string, cache?: JsonObject): JsonObject[] =>
  hasText(text) ? [cache ? { type: 'text', text, cache_control: cache } : { type: 'text', text }] : []

/** A part as a block of a user's message or of a tool's result; none where it can't be said. */
export function writeContent(part: ContentPart, dropped: Dropped): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlock(part.text, part.cache)
    case 'image':
      if (part.detail !== null && part.detail !== 'auto') dropped.add('image.detail')
      return writeImage(part.source, part.cache, dropped)
    case 'file':
      return writeFile(part, dropped)
    case 'audio':
      dropped.add('audio')
      return []
  }
}

const imageTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

function writeImage(source: Source, cache: ImagePart['cache'], dropped: Dropped): JsonObject[] {
  const written = writeSource(source, dropped)
  if (!written) return []
  const type = written['media_type'] === 'image/jpg' ? 'image/jpeg' : written['media_type']
  if (typeof type === 'string' && !imageTypes.has(type)) {
    dropped.add(type)
    return []
  }
  return [block('image', type === undefined ? written : { ...written, media_type: type }, cache)]
}

function writeFile({ source, name, cache }: FilePart, dropped: Dropped): JsonObject[] {
  const document = (written: JsonObject | null) =>
    written ? [{ ...block('document', written, cache), ...(name === null || name === '' ? {} : { title: name }) }] : []
  if (source.kind === 'text') return hasText(source.text) ? document(plain(source.text)) : []
  const type = source.kind === 'id' ? null : source.mediaType
  if (type === null || type === 'application/pdf' || source.kind === 'id') return document(writeSource(source, dropped))
  if (type.startsWith('image/')) return writeImage(source, cache, dropped)
  if (source.kind === 'data' && /^(text\/|application\/(json|xml|yaml|javascript|x-))/.test(type)) {
    return document(plain(Buffer.from(source.base64, 'base64').toString('utf8')))
  }
  dropped.add(type)
  return []
}

const plain = (data: string): JsonObject => ({ type: 'text', media_type: 'text/plain', data })
const block = (type: string, source: JsonObject, cache: JsonObject | undefined): JsonObject =>
  cache ? { type, source, cache_control: cache } : { type, source }

function writeSource(source: Source, dropped: Dropped): JsonObject | null {
  switch (source.kind) {
    case 'data':
      return { type: 'base64', media_type: source.mediaType, data: source.base64 }
    case 'url':
      return { type: 'url', url: source.url }
    case 'id':
      if (source.of === 'messages') return { type: 'file', file_id: source.id }
      dropped.add('file_id')
      return null
  }
}
