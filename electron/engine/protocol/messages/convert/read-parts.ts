import type { ContentPart, FilePart, Source, TextPart } from '../../canonical/request.ts'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'
import { isOwnCitation } from '../../canonical/thinking/foreign-seals.ts'
import { noteOthers, type Unread } from './unread.ts'

const textMembers = new Set(['type', 'text', 'cache_control', 'citations'])
const imageMembers = new Set(['type', 'source', 'cache_control'])
const documentMembers = new Set(['type', 'source', 'title', 'cache_control'])
const referenceMembers = new Set(['type', 'tool_name', 'cache_control'])
const searchMembers = new Set(['type', 'title', 'content', 'cache_control'])

/** `cache_control` as it came, to be spread into a part. */
export function marked(block: JsonObject): { cache?: JsonObject } {
  const cache = asObject(block['cache_control'])
  return cache ? { cache } : {}
}

const otherTextNames: ReadonlySet<unknown> = new Set(['input_text', 'output_text', undefined])

/** A block as an object; as a text block also what clients that mix the APIs up write for one, or a bare string. */
export function blockOf(value: unknown): JsonObject | null {
  if (typeof value === 'string') return { type: 'text', text: value }
  const block = asObject(value)
  return block && otherTextNames.has(block['type']) && asText(block['text']) !== null
    ? { ...block, type: 'text' }
    : block
}

export function readText(block: JsonObject, path: string, unread: Unread): TextPart {
  noteOthers(block, textMembers, path, unread)
  // Sources of what was said before are of no use to another vendor; those that we made are no loss at all.
  if (asList(block['citations']).some((citation) => !isOwnCitation(citation))) unread.add(`${path}.citations`)
  return { type: 'text', text: asText(block['text']) ?? '', ...marked(block) }
}

interface PartSink {
  push(part: ContentPart): unknown
}

/** Reads the blocks of a user's message or a tool's result: text, images, documents, results of a search. */
export function readContent(block: JsonObject, path: string, unread: Unread, into: PartSink): void {
  switch (block['type']) {
    case 'text':
      into.push(readText(block, path, unread))
      return
    case 'image': {
      noteOthers(block, imageMembers, path, unread)
      const source = readSource(asObject(block['source']) ?? {}, null)
      noteSource(block, path, unread)
      if (source) into.push({ type: 'image', source, detail: null, ...marked(block) })
      else unread.add(`${path}.source`)
      return
    }
    case 'document':
      return readDocument(block, path, unread, into)
    case 'search_result':
      noteOthers(block, searchMembers, path, unread)
      noteTexts(asList(block['content']), `${path}.content[]`, unread)
      into.push(textFile(textsOf(asList(block['content'])), asName(block['title']), block))
      return
    case 'tool_reference':
      // The tool is declared beside the messages; its name tells the model that the search found it.
      unread.add(`${path}.tool_reference`)
      noteOthers(block, referenceMembers, path, unread)
      into.push({ type: 'text', text: asText(block['tool_name']) ?? '' })
      return
    default:
      unread.add(`${path}.${asName(block['type']) ?? 'type'}`)
  }
}

function readDocument(block: JsonObject, path: string, unread: Unread, into: PartSink): void {
  noteOthers(block, documentMembers, path, unread)
  const source = asObject(block['source']) ?? {}
  const name = asName(block['title'])
  noteSource(block, path, unread)
  if (source['type'] === 'text') {
    into.push(textFile(asText(source['data']) ?? '', name, block))
    return
  }
  if (source['type'] === 'content') {
    const content = source['content']
    noteTexts(asList(content), `${path}.source.content[]`, unread)
    into.push(textFile(asText(content) ?? textsOf(asList(content)), name, block))
    // Its pictures come after it: a canonical document has none inside.
    for (const inner of asList(content))
      if (asObject(inner)?.['type'] === 'image')
        readContent(asObject(inner) ?? {}, `${path}.source.content[]`, unread, into)
    return
  }
  const read = readSource(source, 'application/pdf')
  if (read) into.push({ type: 'file', source: read, name, ...marked(block) })
  else unread.add(`${path}.source`)
}

const sourceMembers = new Set(['type', 'media_type', 'data', 'url', 'file_id', 'content'])

function noteSource(block: JsonObject, path: string, unread: Unread): void {
  const source = asObject(block['source'])
  if (source) noteOthers(source, sourceMembers, `${path}.source`, unread)
}

/** Records unread members of the texts inside a document or a search's result. */
function noteTexts(blocks: readonly unknown[], path: string, unread: Unread): void {
  for (const entry of blocks) {
    const block = asObject(entry)
    if (block?.['type'] === 'text') noteOthers(block, textMembers, path, unread)
  }
}

const textFile = (text: string, name: string | null, block: JsonObject): FilePart => ({
  type: 'file',
  source: { kind: 'text', text, mediaType: 'text/plain' },
  name,
  ...marked(block),
})

const textsOf = (blocks: readonly unknown[]): string =>
  blocks.flatMap((block) => asText(asObject(block)?.['text']) ?? []).join('\n\n')

function readSource(source: JsonObject, urlType: string | null): Source | null {
  const of = (name: string) => asName(source[name])
  const base64 = of('data'),
    url = of('url'),
    id = of('file_id')
  switch (source['type']) {
    case 'base64':
      return base64 === null ? null : { kind: 'data', mediaType: of('media_type') ?? urlType ?? 'image/png', base64 }
    case 'url':
      return url === null ? null : { kind: 'url', url, mediaType: urlType }
    case 'file':
      return id === null ? null : { kind: 'id', of: 'messages', id }
    default:
      return null
  }
}
