import { dataUrl } from '../../canonical/data-url.ts'
import type { ContentPart, FilePart, Source } from '../../canonical/request.ts'
import type { JsonObject } from '../../values.ts'

/** Records by name what can't be expressed. */
export type Note = (name: string) => void

export interface Pen {
  dropped: Note
  /** the model knows `prompt_cache_breakpoint` */
  cacheMarks: boolean
}

/** Writes the content of a message or of a tool's output. */
export function writeParts(parts: readonly ContentPart[], { dropped, cacheMarks }: Pen): JsonObject[] {
  const written: JsonObject[] = []
  for (const part of parts) {
    const said = writePart(part, dropped)
    if (part.cache && !cacheMarks) dropped('cache_control')
    if (said) written.push(part.cache && cacheMarks ? { ...said, prompt_cache_breakpoint: { mode: 'explicit' } } : said)
  }
  return written
}

function writePart(part: ContentPart, dropped: Note): JsonObject | null {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image': {
      const from = imageFrom(part.source)
      if (!from) dropped('image.file_id')
      return from && { type: 'input_image', detail: part.detail ?? 'auto', ...from }
    }
    case 'file':
      return writeFile(part, dropped)
    // Audio is no part of an input message in the public reference.
    case 'audio': {
      dropped('audio')
      return null
    }
  }
}

/** True for uploads of Chat and Responses, which share them. */
const isKnownHere = (source: Extract<Source, { kind: 'id' }>): boolean =>
  source.of === 'responses' || source.of === 'chat'

function imageFrom(source: Source): JsonObject | null {
  switch (source.kind) {
    case 'data':
      return { image_url: dataUrl(source.mediaType, source.base64) }
    case 'url':
      return { image_url: source.url }
    case 'id':
      return isKnownHere(source) ? { file_id: source.id } : null
  }
}

function writeFile({ source, name }: FilePart, dropped: Note): JsonObject | null {
  switch (source.kind) {
    case 'text': {
      if (name !== null) dropped('file.name')
      return { type: 'input_text', text: source.text }
    }
    // Data without a name is refused.
    case 'data':
      return {
        type: 'input_file',
        filename: name ?? `file.${source.mediaType.split('/').at(-1) ?? 'bin'}`,
        file_data: dataUrl(source.mediaType, source.base64),
      }
    case 'url':
      return { type: 'input_file', ...(name === null ? {} : { filename: name }), file_url: source.url }
    case 'id': {
      if (isKnownHere(source)) return { type: 'input_file', file_id: source.id }
      dropped('file.file_id')
      return null
    }
  }
}
