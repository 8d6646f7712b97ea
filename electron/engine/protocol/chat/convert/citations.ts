import type { Citation } from '../../canonical/answer.ts'
import { cite, sourceOnly } from '../../canonical/sources/append-sources.ts'
import { type ReadContext, noteMembers, noteMembersOf } from '../../canonical/codec.ts'
import { asList, asName, asNumber, asObject, asObjects, type JsonObject } from '../../values.ts'

/**
 * Lists of sources beside the choices: `citations` are addresses (Perplexity, xAI), `search_results` say more about the
 * same (https://docs.perplexity.ai/api-reference), `web_search` is what GLM calls them (https://docs.z.ai).
 */
const sourceLists = ['citations', 'search_results', 'web_search'] as const
export const sourceMembers: ReadonlySet<string> = new Set(sourceLists)
const knownSource = new Set(['url', 'link', 'title', 'snippet', 'content', 'refer'])
const knownAnnotation = new Set(['type', 'url_citation'])
const knownUrlCitation = new Set(['url', 'title', 'start_index', 'end_index', 'content'])
const path = 'choices[].message.annotations[].'

interface CitationReader {
  /** a piece of the answer's text */
  text(block: number, text: string): void
  /** `annotations` of a delta or message (ChatCompletionMessage.Annotation of openai) */
  annotations(list: unknown): void
  /** a chunk or body: servers repeat their lists in every chunk, the last one counts */
  sources(value: JsonObject): void
  /** the answer is over, and its last text still open: emits what waited, and sources that have no place in the text */
  flush(): void
}

export function citationReader(context: ReadContext): CitationReader {
  const { dropped, unshown } = context
  /** where in the whole content the text blocks begin */
  const blocks: { block: number; from: number }[] = []
  const lists = new Map<string, readonly unknown[]>()
  const said = new Set<string>()
  /** annotations that came before the first word */
  let early: Citation[] = []
  let length = 0

  function place(citation: Citation): void {
    const at = blocks.findLast(({ from }) => from <= (citation.start ?? Infinity))
    if (!at) return void early.push(citation)
    const { start, end } = citation
    const inBlock = start !== null && end !== null && end >= start && end <= length
    const moved = inBlock
      ? { ...citation, start: start - at.from, end: end - at.from }
      : { ...citation, start: null, end: null }
    cite([moved], at.block, 'annotations', context)
  }

  function annotation(value: JsonObject): void {
    noteMembers(value, knownAnnotation, path, dropped)
    const cited = asObject(value['url_citation'])
    const url = asName(cited?.['url'])
    if (!cited || url === null) return unshown(path + (asName(value['type']) ?? 'type'), 'sources', 'aside')
    noteMembers(cited, knownUrlCitation, `${path}url_citation.`, dropped)
    said.add(url)
    place({
      url,
      title: asName(cited['title']),
      quote: asName(cited['content']),
      start: asNumber(cited['start_index']),
      end: asNumber(cited['end_index']),
    })
  }

  /** One citation for each address, in the order of the first list: the marks in the text count on it. */
  function listed(): Citation[] {
    const found = new Map<string, Citation>()
    for (const name of sourceLists)
      for (const entry of lists.get(name) ?? []) {
        const source = asObject(entry)
        const url = asName(entry) ?? asName(source?.['url']) ?? asName(source?.['link'])
        if (url === null) {
          unshown(name, 'sources', 'aside')
          continue
        }
        noteMembersOf(source, knownSource, `${name}[].`, dropped)
        const before = found.get(url)
        found.set(url, {
          ...sourceOnly(url, before?.title ?? asName(source?.['title'])),
          quote: before?.quote ?? asName(source?.['snippet']) ?? asName(source?.['content']),
        })
      }
    return [...found.values()]
  }

  return {
    text(block, text) {
      if (blocks.at(-1)?.block !== block) blocks.push({ block, from: length })
      length += text.length
    },
    annotations(list) {
      for (const value of asObjects(list)) annotation(value)
    },
    sources(value) {
      for (const name of sourceLists) {
        const list = asList(value[name])
        if (list.length > 0) lists.set(name, list)
      }
    },
    flush() {
      const cited = early
      early = []
      if (blocks.length > 0) cited.forEach(place)
      else cite(cited, null, 'annotations', context)
      const fresh = listed().filter(({ url }) => url !== null && !said.has(url))
      for (const { url } of fresh) if (url !== null) said.add(url)
      cite(fresh, blocks.at(-1)?.block ?? null, [...lists.keys()].join(', ') || 'citations', context)
      lists.clear()
    },
  }
}

/**
 * A source as OpenAI's search models name it, with OpenRouter's `content`
 * (https://openrouter.ai/docs/features/web-search). A place is demanded: where it is unknown, it is the end of what was
 * said so far. `base`: where the block begins in the content. null, and recorded: a source without an address.
 */
export function writeAnnotation(
  { url, title, quote, start, end }: Citation,
  base: number,
  said: number,
  dropped: (name: string) => void,
): JsonObject | null {
  if (url === null) {
    dropped('annotations')
    return null
  }
  const from = start === null ? said : base + start
  const to = end === null ? said : base + end
  const content = quote === null ? {} : { content: quote }
  return {
    type: 'url_citation',
    url_citation: { start_index: from, end_index: to, url, title: title ?? url, ...content },
  }
}
