import type { Citation, SearchBlock } from '../../canonical/answer.ts'
import { sourceOnly } from '../../canonical/sources/cite.ts'
import { utf8Places, type Utf8Places } from '../../canonical/sources/utf8-places.ts'
import type { JsonObject } from '../../values.ts'

interface CitationWriter {
  begin(block: number): void
  text(text: string): void
  add(block: number, citation: Citation): void
  search(search: SearchBlock): void
  /** `groundingMetadata` of the candidate; null without any source */
  metadata(): JsonObject | null
}

/**
 * Writes sources as Gemini names them at the end of its answer (GroundingMetadata of @google/genai): each once, and the
 * parts of the text that rest on it by their bytes in all of the answer's text, as its SDKs join it.
 */
export function citationWriter(dropped: (name: string) => void): CitationWriter {
  const places: Utf8Places = utf8Places()
  const begins = new Map<number, number>()
  const chunks: JsonObject[] = []
  const indexes = new Map<string, number>()
  const queries = new Set<string>()
  const pages: { url: string; title: string | null }[] = []
  const supports = new Map<string, { segment: JsonObject; groundingChunkIndices: number[] }>()

  function indexOf({ url, title, quote }: Citation): number {
    const key = JSON.stringify([url, title, url === null ? quote : null])
    const before = indexes.get(key)
    if (before !== undefined) return before
    // A web page has no member for a quote, and a document has no address to require.
    if (url !== null && quote !== null) dropped('citations.quote')
    chunks.push(
      url === null
        ? { retrievedContext: { ...(title !== null && { title }), ...(quote !== null && { text: quote }) } }
        : { web: { uri: url, ...(title !== null && { title }) } },
    )
    indexes.set(key, chunks.length - 1)
    return chunks.length - 1
  }

  return {
    begin(block) {
      begins.set(block, places.units())
    },
    text: (text) => places.add(text),
    search({ queries: asked, found, failed }) {
      for (const query of asked) queries.add(query)
      pages.push(...found)
      if (failed !== null) dropped('web_search.error')
    },
    add(block, citation) {
      const index = indexOf(citation)
      const base = begins.get(block)
      const { start, end } = citation
      if (base === undefined || start === null || end === null) return
      const startIndex = places.byteAt(base + start)
      const endIndex = places.byteAt(base + end)
      if (startIndex === null || endIndex === null) return dropped('citations.start')
      const key = `${startIndex}-${endIndex}`
      const support = supports.get(key) ?? { segment: { startIndex, endIndex }, groundingChunkIndices: [] }
      if (!support.groundingChunkIndices.includes(index)) support.groundingChunkIndices.push(index)
      supports.set(key, support)
    },
    metadata() {
      // Found pages are not sources yet: they are written as sources only if the text names none.
      if (chunks.length > 0 && pages.length > 0) dropped('web_search.results')
      else for (const { url, title } of pages) indexOf(sourceOnly(url, title))
      if (chunks.length + queries.size === 0) return null
      return {
        ...(queries.size > 0 && { webSearchQueries: [...queries] }),
        ...(chunks.length > 0 && { groundingChunks: chunks }),
        ...(supports.size > 0 && { groundingSupports: [...supports.values()] }),
      }
    },
  }
}
