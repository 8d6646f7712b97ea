import type { Citation, SearchBlock } from '../../canonical/answer.ts'
import { cite, sourceOnly } from '../../canonical/sources/append-sources.ts'
import { type ReadContext, noteMembers } from '../../canonical/codec.ts'
import { utf8Places } from '../../canonical/sources/utf8-places.ts'
import { asList, asName, asNumber, asObject, asObjects, type JsonObject } from '../../values.ts'

const path = 'candidates[].'
const known = {
  metadata: new Set(['groundingChunks', 'groundingSupports', 'webSearchQueries']),
  chunk: new Set(['web', 'retrievedContext', 'maps', 'image']),
  source: new Set(['uri', 'sourceUri', 'title', 'text']),
  support: new Set(['segment', 'groundingChunkIndices']),
  segment: new Set(['startIndex', 'endIndex', 'text', 'partIndex']),
  recitation: new Set(['citationSources', 'citations']),
  recited: new Set(['startIndex', 'endIndex', 'uri', 'title']),
  urlContext: new Set(['urlMetadata']),
  url: new Set(['retrievedUrl', 'urlRetrievalStatus']),
}

/** Members of a candidate that name the sources of its text. */
export const citingMembers = ['groundingMetadata', 'citationMetadata', 'urlContextMetadata'] as const

interface CitationReader {
  /** takes a piece of the answer's text */
  text(block: number, text: string): void
  /** takes members of a candidate; they come with any chunk, mostly the last, and may come again */
  candidate(value: JsonObject): void
  /** the answer is over: emits waiting citations, and sources that no part of the text names */
  flush(): void
  /** returns the search queries and the pages found; null without a search */
  search(): SearchBlock | null
}

/**
 * Sources of a Gemini answer (GroundingMetadata, CitationMetadata and UrlContextMetadata of @google/genai). Places
 * count bytes of the whole text.
 */
export function citationReader(context: ReadContext): CitationReader {
  const { dropped, unshown } = context
  const places = utf8Places()
  /** `from` is a UTF-16 offset in the whole text */
  const blocks: { block: number; from: number }[] = []
  const said = new Set<string>()
  /** names of all sources cited so far, anywhere */
  const sources = new Set<string>()
  let chunks: readonly unknown[] = []
  const queries = new Set<string>()
  let over = false
  /** citations of text that has not come yet */
  const waiting: { source: Citation; segment: JsonObject }[] = []
  const pending: Citation[] = []

  function say(source: Citation, segment: JsonObject): void {
    const place = placeOf(segment)
    if (place === 'later') return void waiting.push({ source, segment })
    const citation = { ...source, ...place }
    const key = JSON.stringify([citation.url, citation.title, citation.start, citation.end])
    if (said.has(key)) return
    said.add(key)
    sources.add(nameOf(citation))
    const { start, end } = citation
    const at = start === null ? blocks.at(-1) : blocks.findLast(({ from }) => from <= start)
    const moved =
      at && start !== null && end !== null ? { ...citation, start: start - at.from, end: end - at.from } : citation
    cite([moved], at?.block ?? null, 'groundingMetadata', context)
  }

  function grounding(value: JsonObject): void {
    noteMembers(value, known.metadata, `${path}groundingMetadata.`, dropped)
    for (const query of asList(value['webSearchQueries'])) if (typeof query === 'string') queries.add(query)
    const list = asList(value['groundingChunks'])
    if (list.length > 0) chunks = list
    const found = chunks.map((chunk) => sourceOf(asObject(chunk) ?? {}, context))
    const used = new Set<number>()
    for (const support of asObjects(value['groundingSupports'])) {
      noteMembers(support, known.support, `${path}groundingMetadata.groundingSupports[].`, dropped)
      const segment = asObject(support['segment']) ?? {}
      noteMembers(segment, known.segment, `${path}groundingMetadata.groundingSupports[].segment.`, dropped)
      for (const index of asList(support['groundingChunkIndices'])) {
        const source = found[asNumber(index) ?? -1]
        if (!source) continue
        used.add(asNumber(index) ?? -1)
        say(source, segment)
      }
    }
    // Sources that no part of the text names wait, because a later chunk may name them.
    for (const [i, source] of found.entries()) if (source && !used.has(i)) pending.push(source)
  }

  /**
   * Zero is left out, as protobuf does. The texts of parts are joined here, so a place in a later part is not known.
   */
  function placeOf(segment: JsonObject): Pick<Citation, 'start' | 'end'> | 'later' {
    const end = asNumber(segment['endIndex'])
    if (!over && (blocks.length === 0 || (end ?? 0) > places.bytes())) return 'later'
    const otherPart = blocks.length > 1 && (asNumber(segment['partIndex']) ?? 0) > 0
    const from = end === null || otherPart ? null : places.unitAt(asNumber(segment['startIndex']) ?? 0)
    const to = end === null ? null : places.unitAt(end)
    return from === null || to === null || to < from ? { start: null, end: null } : { start: from, end: to }
  }

  function recitations(value: JsonObject): void {
    noteMembers(value, known.recitation, `${path}citationMetadata.`, dropped)
    for (const source of [...asObjects(value['citationSources']), ...asObjects(value['citations'])]) {
      noteMembers(source, known.recited, `${path}citationMetadata.citationSources[].`, dropped)
      const url = asName(source['uri'])
      const title = asName(source['title'])
      if (url !== null || title !== null) say(sourceOnly(url, title), source)
    }
  }

  function urlContext(value: JsonObject): void {
    noteMembers(value, known.urlContext, `${path}urlContextMetadata.`, dropped)
    for (const page of asObjects(value['urlMetadata'])) {
      noteMembers(page, known.url, `${path}urlContextMetadata.urlMetadata[].`, dropped)
      const url = asName(page['retrievedUrl'])
      // A page that could not be fetched is no source.
      if (url === null || page['urlRetrievalStatus'] !== 'URL_RETRIEVAL_STATUS_SUCCESS')
        unshown(`${path}urlContextMetadata`, 'web page', 'aside')
      else pending.push(sourceOnly(url, null))
    }
  }

  return {
    search() {
      if (queries.size === 0) return null
      const pages = chunks.map((chunk) => asObject(asObject(chunk)?.['web']))
      const found = pages.flatMap((page) => {
        const url = asName(page?.['uri'])
        return url === null ? [] : [{ url, title: asName(page?.['title']), age: null }]
      })
      return { kind: 'search', queries: [...queries], found, failed: null }
    },
    text(block, text) {
      if (blocks.at(-1)?.block !== block) blocks.push({ block, from: places.units() })
      places.add(text)
    },
    candidate(value) {
      const grounded = asObject(value['groundingMetadata'])
      if (grounded) grounding(grounded)
      const recited = asObject(value['citationMetadata'])
      if (recited) recitations(recited)
      const fetched = asObject(value['urlContextMetadata'])
      if (fetched) urlContext(fetched)
    },
    flush() {
      over = true
      for (const { source, segment } of waiting) say(source, segment)
      const fresh = new Map(pending.filter((source) => !sources.has(nameOf(source))).map((one) => [nameOf(one), one]))
      cite([...fresh.values()], blocks.at(-1)?.block ?? null, 'groundingMetadata', context)
    },
  }
}

const nameOf = ({ url, title }: Citation): string => url ?? title ?? ''

/**
 * Reads a GroundingChunk: a web page, a piece of a document, a place on a map. Returns null, and records it, if it
 * names no source.
 */
function sourceOf(chunk: JsonObject, { dropped, unshown }: Pick<ReadContext, 'dropped' | 'unshown'>): Citation | null {
  const at = `${path}groundingMetadata.groundingChunks[].`
  noteMembers(chunk, known.chunk, at, dropped)
  for (const kind of known.chunk) {
    const source = asObject(chunk[kind])
    if (!source) continue
    noteMembers(source, known.source, `${at}${kind}.`, dropped)
    const url = asName(source['uri']) ?? asName(source['sourceUri'])
    const title = asName(source['title'])
    if (url !== null || title !== null) return sourceOnly(url, title, asName(source['text']))
    unshown(at + kind, 'sources', 'aside')
  }
  return null
}
