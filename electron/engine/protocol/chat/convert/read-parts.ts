import type { ContentPart, FilePart, ImagePart, RefusalPart, Source, TextPart } from '../../canonical/request.ts'
import { asName, asObject, asText, type JsonObject } from '../../values.ts'
import { parseDataUrl } from '../../canonical/data-url.ts'
import { badRequest, noteUnread, noteUnreadOf, objectAt, type Unread } from './members.ts'

const cacheMarks = ['prompt_cache_breakpoint', 'cache_control'] as const
const knownText = new Set<string>(['type', 'text', ...cacheMarks])
const knownImage = new Set<string>(['type', 'image_url', ...cacheMarks])
const knownImageUrl = new Set(['url', 'detail'])
const knownBreakpoint = new Set(['mode'])
const knownSound = new Set(['data', 'format'])
const knownRefusal = new Set(['type', 'refusal'])
const knownAudio = new Set<string>(['type', 'input_audio', ...cacheMarks])
const knownFile = new Set<string>(['type', 'file', ...cacheMarks])
const knownFileMembers = new Set(['file_data', 'file_id', 'filename'])
const where = 'messages[].content[].'

/** `content` as a text or as parts. @throws bad-request for what is neither */
export function readContent(content: unknown, path: string, unread: Unread): (ContentPart | RefusalPart)[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw badRequest(path, 'must be a text or a list of parts')
  const parts: (ContentPart | RefusalPart)[] = []
  for (let i = 0; i < content.length; i++) {
    const entry: unknown = content[i]
    const part =
      typeof entry === 'string'
        ? ({ type: 'text', text: entry } as const)
        : readPart(objectAt(entry, `${path}[${i}]`), unread)
    if (part) parts.push(part)
  }
  return parts
}

export const textsOf = (parts: readonly { type: string }[], unread: Unread): TextPart[] =>
  parts.filter((part): part is TextPart => {
    if (part.type !== 'text') unread.add(`${where}${part.type}`)
    return part.type === 'text'
  })

function readPart(part: JsonObject, unread: Unread): ContentPart | RefusalPart | null {
  noteUnreadOf(part['prompt_cache_breakpoint'], knownBreakpoint, `${where}prompt_cache_breakpoint.`, unread)
  const text = asText(part['text'])
  switch (part['type']) {
    case 'image_url':
      return readImage(part, unread)
    case 'input_audio':
      return readAudio(part, unread)
    case 'file':
      return readFile(part, unread)
    case 'refusal': {
      const refusal = asText(part['refusal'])
      noteUnread(part, knownRefusal, where, unread)
      if (refusal !== null) return { type: 'refusal', text: refusal }
      break
    }
    default:
      // `input_text`, `output_text` and the like come from clients that mix the APIs up.
      if (text !== null) {
        noteUnread(part, knownText, where, unread)
        return { type: 'text', text, ...cacheOf(part) }
      }
  }
  unread.add(where + (asName(part['type']) ?? 'type'))
  return null
}

/**
 * OpenAI's `prompt_cache_breakpoint` marks the end of a prefix as Anthropic's `cache_control` does; clients of
 * OpenRouter write the latter.
 */
function cacheOf(part: JsonObject): { cache?: JsonObject } {
  const given = asObject(part['cache_control'])
  if (given) return { cache: given }
  return asObject(part['prompt_cache_breakpoint']) ? { cache: { type: 'ephemeral' } } : {}
}

function readImage(part: JsonObject, unread: Unread): ImagePart | null {
  const image = asObject(part['image_url'])
  const url = asName(image ? image['url'] : part['image_url'])
  noteUnread(part, knownImage, where, unread)
  if (image) noteUnread(image, knownImageUrl, `${where}image_url.`, unread)
  if (url === null) {
    unread.add(`${where}image_url`)
    return null
  }
  const data = parseDataUrl(url)
  return {
    type: 'image',
    source: data ? { kind: 'data', ...data } : { kind: 'url', url, mediaType: null },
    detail: asName(image?.['detail']),
    ...cacheOf(part),
  }
}

function readAudio(part: JsonObject, unread: Unread): ContentPart | null {
  const audio = asObject(part['input_audio'])
  const base64 = asName(audio?.['data'])
  noteUnread(part, knownAudio, where, unread)
  if (audio) noteUnread(audio, knownSound, `${where}input_audio.`, unread)
  if (base64 === null) {
    unread.add(`${where}input_audio`)
    return null
  }
  const format = asName(audio?.['format']) ?? 'wav'
  return { type: 'audio', mediaType: format === 'mp3' ? 'audio/mpeg' : `audio/${format}`, base64, ...cacheOf(part) }
}

function readFile(part: JsonObject, unread: Unread): FilePart | null {
  const file = asObject(part['file'])
  const name = asName(file?.['filename'])
  noteUnread(part, knownFile, where, unread)
  if (file) noteUnread(file, knownFileMembers, `${where}file.`, unread)
  const data = asName(file?.['file_data'])
  const id = asName(file?.['file_id'])
  const source: Source | null = data !== null ? sourceOfFile(data) : id !== null ? { kind: 'id', of: 'chat', id } : null
  if (source) return { type: 'file', source, name, ...cacheOf(part) }
  unread.add(`${where}file`)
  return null
}

/** OpenAI's guide sends a data URL; some clients send the bare base64 of a PDF, or a link (OpenRouter). */
function sourceOfFile(data: string): Source {
  const parsed = parseDataUrl(data)
  if (parsed) return { kind: 'data', ...parsed }
  return /^https?:/i.test(data)
    ? { kind: 'url', url: data, mediaType: null }
    : { kind: 'data', mediaType: 'application/pdf', base64: data }
}
