import type { Citation } from '../../canonical/answer.ts'
import type { ReadContext } from '../../canonical/codec.ts'
import { noteMembers } from '../../canonical/note-members.ts'
import { asName, asNumber, type JsonObject } from '../../values.ts'

const path = 'output[].content[].annotations[].'
const known: Partial<Record<string, ReadonlySet<string>>> = {
  url_citation: new Set(['type', 'url', 'title', 'start_index', 'end_index']),
  file_citation: new Set(['type', 'filename', 'index']),
  container_file_citation: new Set(['type', 'filename', 'start_index', 'end_index']),
}

/**
 * Reads an annotation of a text (`ResponseOutputText` of openai): the page or file that a part of it rests on. Returns
 * null, and records it, if it names no source (`file_path` is a file that the answer made).
 */
export function readAnnotation(
  value: JsonObject,
  { dropped, unshown }: Pick<ReadContext, 'dropped' | 'unshown'>,
): Citation | null {
  const type = asName(value['type']) ?? 'type'
  const members = known[type]
  const url = asName(value['url'])
  const title = asName(value['title']) ?? asName(value['filename'])
  if (!members || (url === null && title === null)) {
    unshown(path + type, type === 'file_path' ? 'file' : 'sources', 'aside')
    return null
  }
  noteMembers(value, members, path, dropped)
  const place = asNumber(value['index'])
  return {
    url,
    title,
    quote: null,
    start: asNumber(value['start_index']) ?? place,
    end: asNumber(value['end_index']) ?? place,
  }
}

/**
 * Writes a source as `url_citation`. The SDKs require a place: an unknown one is the end of the text so far. Returns
 * null, and records it, for a source without an address, since other kinds name files that OpenAI keeps.
 */
export function writeAnnotation(
  { url, title, quote, start, end }: Citation,
  said: number,
  dropped: (name: string) => void,
): JsonObject | null {
  if (url === null) {
    dropped('annotations')
    return null
  }
  if (quote !== null) dropped('citations.quote')
  return { type: 'url_citation', start_index: start ?? said, end_index: end ?? said, url, title: title ?? url }
}
