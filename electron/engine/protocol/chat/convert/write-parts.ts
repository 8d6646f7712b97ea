import type { AudioPart, ContentPart, FilePart, ImagePart, Source, TextPart } from '../../canonical/request.ts'
import { dataUrl } from '../../canonical/data-url.ts'
import { knowsCacheMarks } from './models.ts'

/** The context in which a request's parts are written. */
export interface Pen {
  model: string
  dropped: Set<string>
}

type Written = Record<string, unknown>

/** One text as a string, as every server understands it; else the parts. */
export function contentOf(parts: readonly Written[]): string | readonly Written[] {
  const [only] = parts
  if (only === undefined) return ''
  return parts.length === 1 &&
    only['type'] === 'text' &&
    typeof only['text'] === 'string' &&
    !('prompt_cache_breakpoint' in only)
    ? only['text']
    : parts
}

/** null where Chat can't carry it: its name is among the dropped then. */
export function writePart(part: ContentPart, pen: Pen): Written | null {
  const written = bare(part, pen)
  if (written && part.cache) mark(written, pen)
  return written
}

export function writeText(part: TextPart, pen: Pen): Written {
  const written: Written = { type: 'text', text: part.text }
  if (part.cache) mark(written, pen)
  return written
}

export function mark(part: Written, pen: Pen): void {
  if (knowsCacheMarks(pen.model)) part['prompt_cache_breakpoint'] = { mode: 'explicit' }
  else pen.dropped.add('cache_control')
}

function bare(part: ContentPart, pen: Pen): Written | null {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return writeImage(part, pen)
    case 'file':
      return writeFile(part, pen)
    case 'audio':
      return writeAudio(part, pen)
  }
}

function writeImage({ source, detail }: ImagePart, { dropped }: Pen): Written | null {
  const url = urlOf(source)
  if (url === null) {
    dropped.add('image.file_id')
    return null
  }
  const known = detail === null || details.has(detail)
  if (!known) dropped.add('image_url.detail')
  return { type: 'image_url', image_url: detail !== null && known ? { url, detail } : { url } }
}

const details: ReadonlySet<string> = new Set(['auto', 'low', 'high'])

const urlOf = (source: Source): string | null =>
  source.kind === 'data' ? dataUrl(source.mediaType, source.base64) : source.kind === 'url' ? source.url : null

function writeFile({ source, name }: FilePart, { dropped }: Pen): Written | null {
  const filename = name === null ? {} : { filename: name }
  switch (source.kind) {
    // OpenAI wants a name with data, and goes by its ending.
    case 'data':
      return {
        type: 'file',
        file: { filename: name ?? defaultName(source.mediaType), file_data: dataUrl(source.mediaType, source.base64) },
      }
    case 'text':
      return { type: 'text', text: name === null ? source.text : `${name}:\n\n${source.text}` }
    case 'id':
      // Chat and Responses share one store of files.
      if (source.of === 'chat' || source.of === 'responses')
        return { type: 'file', file: { file_id: source.id, ...filename } }
      dropped.add('file.file_id')
      return null
    case 'url':
      dropped.add('file.url')
      return null
  }
}

const defaultName = (mediaType: string): string => `file.${/^[a-z]+\/([a-z0-9]+)$/.exec(mediaType)?.[1] ?? 'pdf'}`

function writeAudio({ mediaType, base64 }: AudioPart, { dropped }: Pen): Written | null {
  const format = formats[mediaType.toLowerCase()]
  if (!format) {
    dropped.add('input_audio')
    return null
  }
  return { type: 'input_audio', input_audio: { data: base64, format } }
}

const formats: Partial<Record<string, 'wav' | 'mp3'>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}

export type { Written }
