import type { ContentPart, FilePart, ImagePart, Source, TextPart } from '../../canonical/request.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { noteUnread, noteUnreadOf, type Unread } from '../../chat/convert/members.ts'

/** A mark where a prompt's cached beginning may end, like Messages' `cache_control`. */
const mark = 'prompt_cache_breakpoint'

const members = {
  text: new Set(['type', 'text', mark]),
  output: new Set(['type', 'text', 'refusal']),
  image: new Set(['type', 'image_url', 'file_id', 'detail', mark]),
  file: new Set(['type', 'file_data', 'file_url', 'file_id', 'filename', mark]),
  audio: new Set(['type', 'input_audio']),
  imageUrl: new Set(['url']),
  sound: new Set(['data', 'format']),
  mark: new Set(['mode']),
}
/**
 * The members that a part of each kind may hold without being recorded. An `output_text` that was sent back brings
 * annotations along.
 */
const knownOf: Partial<Record<string, ReadonlySet<string>>> = {
  input_text: members.text,
  text: members.text,
  output_text: members.output,
  refusal: members.output,
  input_image: members.image,
  input_file: members.file,
  input_audio: members.audio,
}

/** Reads the parts of a content that is a text or a list; `path` of the content, for the record. */
export function contentParts(content: unknown, path: string, unread: Unread): ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const parts: ContentPart[] = []
  for (const entry of asList(content)) {
    const part = typeof entry === 'string' ? text(entry) : contentPart(asObject(entry), path, unread)
    if (part) parts.push(part)
  }
  return parts
}

const text = (value: string): TextPart => ({ type: 'text', text: value })

/** Returns null, and records it, for a part that has no place. */
export function contentPart(part: JsonObject | null, path: string, unread: Unread): ContentPart | null {
  if (!part) return null
  const type = asText(part['type']) ?? ''
  const known = knownOf[type]
  const read = known ? partOf(type, part) : null
  noteUnreadOf(part['image_url'], members.imageUrl, `${path}[].image_url.`, unread)
  noteUnreadOf(part['input_audio'], members.sound, `${path}[].input_audio.`, unread)
  noteUnreadOf(part[mark], members.mark, `${path}[].${mark}.`, unread)
  if (known && read) noteUnread(part, known, `${path}[].`, unread)
  else unread.add(`${path}[].${type === '' ? 'type' : type}`)
  if (read && asObject(part[mark])) read.cache = { type: 'ephemeral' }
  return read
}

function partOf(type: string, part: JsonObject): ContentPart | null {
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return text(asText(part['text']) ?? '')
    case 'refusal':
      return text(asText(part['refusal']) ?? '')
    case 'input_image':
      return image(part)
    case 'input_file':
      return file(part)
    case 'input_audio':
      return audio(asObject(part['input_audio']))
    default:
      return null
  }
}

function image(part: JsonObject): ImagePart | null {
  // Some clients send Chat's form: an object with the address inside.
  const url = asName(part['image_url']) ?? asName(asObject(part['image_url'])?.['url'])
  const source = url === null ? uploaded(part) : sourceOf(url, 'image/png')
  const detail = asText(part['detail'])
  return source && { type: 'image', source, detail: detail === 'auto' ? null : detail }
}

function file(part: JsonObject): FilePart | null {
  const name = asName(part['filename'])
  const data = asName(part['file_data'])
  const url = asName(part['file_url'])
  const source =
    data !== null ? dataSource(data, name) : url !== null ? sourceOf(url, 'application/octet-stream') : uploaded(part)
  return source && { type: 'file', source, name }
}

const uploaded = (part: JsonObject): Source | null => {
  const id = asName(part['file_id'])
  return id === null ? null : { kind: 'id', of: 'responses', id }
}

/** File data is a data URL; some clients send the plain base64. */
const dataSource = (data: string, name: string | null): Source =>
  data.startsWith('data:')
    ? sourceOf(data, 'application/pdf')
    : { kind: 'data', mediaType: mediaTypeOf(name), base64: data }

function sourceOf(url: string, otherwise: string): Source {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1
  if (comma < 0 || !url.slice(0, comma).endsWith(';base64')) return { kind: 'url', url, mediaType: null }
  const semicolon = url.indexOf(';')
  return { kind: 'data', mediaType: url.slice('data:'.length, semicolon) || otherwise, base64: url.slice(comma + 1) }
}

const byEnding: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  html: 'text/html',
}
const mediaTypeOf = (name: string | null): string =>
  byEnding[name?.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/pdf'

function audio(value: JsonObject | null): ContentPart | null {
  const base64 = asName(value?.['data'])
  const format = asName(value?.['format']) ?? 'wav'
  return base64 === null
    ? null
    : { type: 'audio', mediaType: format === 'mp3' ? 'audio/mpeg' : `audio/${format}`, base64 }
}
