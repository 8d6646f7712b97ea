import type { AudioPart, FilePart, ImagePart, Source } from '../../canonical/request.ts'
import type { Draft } from './members.ts'

/** null if Google can't reach it. Only Vertex AI has `displayName`: the Gemini API refuses it. */
export function writeMedia(part: ImagePart | FilePart | AudioPart, dropped: Set<string>): Draft | null {
  if (part.cache) dropped.add('cache_control')
  if (part.type === 'audio') return inline(part.mediaType, part.base64)
  // not every version of the API has per-part resolution
  if (part.type === 'image' && part.detail !== null && part.detail !== 'auto') dropped.add('detail')
  if (part.type === 'file' && part.name !== null) dropped.add('filename')
  const { source } = part
  if (source.kind === 'text') return inline(source.mediaType, Buffer.from(source.text).toString('base64'))
  return writeSource(source, dropped)
}

function writeSource(source: Source, dropped: Set<string>): Draft | null {
  if (source.kind === 'data') return inline(source.mediaType, source.base64)
  if (source.kind === 'url') return file(source.url, source.mediaType ?? typeByName(source.url))
  if (source.of === 'gemini') return file(source.id, source.mediaType ?? null)
  dropped.add('file_id')
  return null
}

const inline = (mimeType: string, data: string): Draft => ({
  inlineData: { mimeType, data },
})

const file = (fileUri: string, mimeType: string | null): Draft => ({
  fileData: { ...(mimeType !== null && { mimeType }), fileUri },
})

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
}

/** Google wants a media type with an address; other protocols have none. */
const typeByName = (url: string): string | null =>
  types[/\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? ''] ?? null
