import type { AudioPart, FilePart, ImagePart, Source } from '../../canonical/request.ts'
import { asName, asObject, asText, type JsonObject } from '../../values.ts'
import { camelled, noteUnread } from './members.ts'

const blobMembers = new Set(['mimeType', 'data', 'displayName'])
const resolutionMembers = new Set(['level'])
const fileMembers = new Set(['mimeType', 'fileUri', 'displayName'])

/** Reads an `inlineData` or `fileData` part; null for any other. `path` is the place of the part. */
export function readMedia(
  part: JsonObject,
  path: string,
  unread: Set<string>,
): ImagePart | FilePart | AudioPart | null {
  const resolution = asObject(part['mediaResolution'])
  if (resolution) noteUnread(camelled(resolution), resolutionMembers, `${path}mediaResolution.`, unread)
  const inline = asObject(part['inlineData'])
  if (inline) return readInline(camelled(inline), part, path, unread)
  const file = asObject(part['fileData'])
  return file && readFile(camelled(file), part, path, unread)
}

function readInline(
  blob: JsonObject,
  part: JsonObject,
  path: string,
  unread: Set<string>,
): ImagePart | FilePart | AudioPart {
  noteUnread(blob, blobMembers, `${path}inlineData.`, unread)
  const mediaType = asText(blob['mimeType']) ?? 'application/octet-stream'
  const base64 = asText(blob['data']) ?? ''
  if (mediaType.startsWith('image/')) return image({ kind: 'data', mediaType, base64 }, part)
  if (mediaType.startsWith('audio/')) return { type: 'audio', mediaType, base64 }
  return { type: 'file', source: { kind: 'data', mediaType, base64 }, name: asName(blob['displayName']) }
}

function readFile(file: JsonObject, part: JsonObject, path: string, unread: Set<string>): ImagePart | FilePart {
  noteUnread(file, fileMembers, `${path}fileData.`, unread)
  const uri = asText(file['fileUri']) ?? ''
  const mediaType = asName(file['mimeType'])
  const source: Source = isGooglesOwn(uri)
    ? { kind: 'id', of: 'gemini', id: uri, ...(mediaType !== null && { mediaType }) }
    : { kind: 'url', url: uri, mediaType }
  return mediaType?.startsWith('image/')
    ? image(source, part)
    : { type: 'file', source, name: asName(file['displayName']) }
}

/** True for files in Google's Files API or storage: no other vendor can open them. */
export const isGooglesOwn = (uri: string): boolean =>
  !/^https?:/i.test(uri) || /^https:\/\/[\w.-]*\bgoogleapis\.com\/v\w+\/files\//i.test(uri)

const image = (source: Source, part: JsonObject): ImagePart => ({ type: 'image', source, detail: detailOf(part) })

/** The resolution of a part, in OpenAI's words for `detail`. */
const details: readonly (readonly [level: string, detail: string])[] = [
  ['MEDIA_RESOLUTION_LOW', 'low'],
  ['MEDIA_RESOLUTION_MEDIUM', 'medium'],
  ['MEDIA_RESOLUTION_HIGH', 'high'],
]

function detailOf(part: JsonObject): string | null {
  const level = asObject(part['mediaResolution'])?.['level']
  return details.find(([name]) => name === level)?.[1] ?? null
}
