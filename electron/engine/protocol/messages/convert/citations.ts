import type { Citation } from '../../canonical/answer.ts'
import { isAddress } from '../../canonical/sources/append-sources.ts'
import { noteMembers } from '../../canonical/codec.ts'
import type { Seal } from '../../canonical/request.ts'
import { sealForClient } from '../../canonical/thinking/seal.ts'
import { asName, type JsonObject } from '../../values.ts'

/** Members that all kinds of a citation have for their source; the others say where in it the words stand. */
const known = new Set(['type', 'cited_text', 'url', 'title', 'document_title', 'source'])

/**
 * A citation of a text block (`TextCitation` of @anthropic-ai/sdk): of a web page, a document of the request or a
 * search result. It holds for the whole of its block, so its place is known when the block ends.
 */
export function readCitation(value: JsonObject, dropped: (name: string) => void): Citation | null {
  noteMembers(value, known, 'content[].citations[].', dropped)
  const source = asName(value['source'])
  const url = asName(value['url']) ?? (isAddress(source) ? source : null)
  const title = asName(value['title']) ?? asName(value['document_title'])
  const quote = asName(value['cited_text'])
  if (url === null && title === null && source === null && quote === null) {
    dropped('citations')
    return null
  }
  if (source !== null && source !== url && title !== null) dropped('content[].citations[].source')
  return {
    url,
    title: title ?? (source === url ? null : source),
    quote,
    start: null,
    end: null,
  }
}

/** No vendor's seal: it only marks the citation as ours when the client hands it back. */
const ours: Seal = { of: 'chat', data: '' }
const mark = sealForClient(ours, 'messages')

/**
 * Another vendor's source as a web page found by a search, the one kind that names an address and that the SDKs of
 * Anthropic and Vercel read (CitationsWebSearchResultLocation). Its `encrypted_index` is Anthropic's to make: ours is
 * marked, and such citations are taken out of requests to Anthropic (canonical/thinking/foreign-seals.ts). null, and
 * recorded: a source without an address has no place, since all other kinds count documents of the request.
 */
export function writeCitation(
  { url, title, quote, start }: Citation,
  dropped: (name: string) => void,
): JsonObject | null {
  if (url === null) {
    dropped('citations')
    return null
  }
  // A citation holds for its whole block. AI SDK's reader demands a title.
  if (start !== null) dropped('citations.start')
  return {
    type: 'web_search_result_location',
    cited_text: quote ?? '',
    url,
    title: title ?? url,
    encrypted_index: mark,
  }
}
