import type { AudioPart, FilePart, ImagePart, Source } from '../../canonical/request.ts'
import type { Draft } from './members.ts'

/** null where Google can't get at it. */
export function writeMedia(part: ImagePart | FilePart | AudioPart, dropped: Set<string>): Draft | null {
  if (part.cache) dropped.add('cache_control')
  if (part.type === 'audio') return inline(part.mediaType, part.base64, null)
  // per-part resolution is not in every version of the API
  if (part.type === 'image' && part.detail !== null && part.detail !== 'auto') dropped.add('detail')
  const name = part.type === 'file' ? part.name : null
  const { source } = part
  if (source.kind === 'text') return inline(source.mediaType, Buffer.from(source.text).toString('base64'), name)
  return writeSource(source, name, dropped)
}

function writeSource(source: Source, name: string | null, dropped: Set<string>): Draft | null {
  if (source.kind === 'data') return inline(source.mediaType, source.base64, name)
  if (source.kind === 'url') return file(source.url, source.mediaType ?? typeByName(source.url), name)
  if (source.of === 'gemini') return file(source.id, source.mediaType ?? null, name)
  dropped.add('file_id')
  return null
}

const inline = (mimeType: string, data: string, name: string | null): Draft => ({
  inlineData: { mimeType, data, ...(name !== null && { displayName: name }) },
})

const file = (fileUri: string, mimeType: string | null, name: string | null): Draft => ({
  fileData: { ...(mimeType !== null && { mimeType }), fileUri, ...(name !== null && { displayName: name }) },
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

/** Google wants a type with an address, others do not say one. */
const typeByName = (url: string): string | null =>
  types[/\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? ''] ?? null
