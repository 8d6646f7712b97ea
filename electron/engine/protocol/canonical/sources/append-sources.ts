import type { AnswerEvent, Citation, Emit } from '../answer.ts'
import type { ReadContext } from '../codec.ts'

/** The treatment of sources that an answer names; `conversion.citations` of the config. */
export type CitationsSetting = 'convert' | 'append'

/** Any number that no other block has. */
const ownBlock = Number.MIN_SAFE_INTEGER

/** Ends after which a list still fits: after calls it would stand between them and their results. */
const fits: ReadonlySet<string> = new Set(['stop', 'stop-sequence', 'length'])

/**
 * For clients that show no citations (terminals): the sources stand as a numbered list at the answer's end, each once,
 * instead of in members of the client's protocol. What the text itself already links is not listed again. Each source
 * keeps its number in the order in which they were named, which marks like `[2]` count on.
 */
export function appendSources(emit: Emit, dropped: (name: string) => void): Emit {
  const sources = new Map<string, Citation>()
  const texts = new Set<number>()
  const links = linkFinder()
  let hasCalls = false
  let hasText = false

  function list(reason: string): void {
    if (sources.size === 0) return
    if (hasCalls || !fits.has(reason)) return dropped('citations')
    const lines = [...sources.values()].flatMap((source, i) =>
      source.url !== null && links.has(source.url) ? [] : [lineOf(i + 1, source)],
    )
    if (lines.length === 0) return
    emit({ type: 'begin', block: ownBlock, part: { kind: 'text' } })
    emit({ type: 'delta', block: ownBlock, text: `${hasText ? '\n\n' : ''}Sources:\n${lines.join('\n')}` })
    emit({ type: 'end', block: ownBlock })
  }

  return (event: AnswerEvent) => {
    switch (event.type) {
      case 'begin':
        if (event.part.kind === 'text') texts.add(event.block)
        hasCalls ||= event.part.kind === 'tool-call'
        return emit(event)
      case 'delta':
        if (texts.has(event.block)) links.push(event.text)
        hasText ||= texts.has(event.block) && event.text !== ''
        return emit(event)
      case 'citation': {
        const { citation } = event
        const name = citation.url ?? citation.title
        if (name === null) return dropped('citations')
        const before = sources.get(name)
        if (!before || (before.title === null && citation.title !== null)) sources.set(name, citation)
        return
      }
      case 'finish':
        list(event.reason)
        return emit(event)
      default:
        return emit(event)
    }
  }
}

/** On one line, whatever a page's title holds. */
function lineOf(number: number, { url, title }: Citation): string {
  const name = title?.replace(/\s+/g, ' ').trim()
  return `${number}. ${name && url !== null ? `${name} — ${url}` : (url ?? name ?? '')}`
}

const link = /https?:\/\/[^\s<>"')\]}]+/g
const mostLinks = 1000

/** The addresses in a text that comes in pieces, as Markdown or bare. */
function linkFinder(): { push(text: string): void; has(url: string): boolean } {
  const found = new Set<string>()
  /** what may go on in the next piece */
  let rest = ''
  const take = (text: string) => {
    for (const [url] of text.matchAll(link)) if (found.size < mostLinks) found.add(url.replace(/[.,;:!?]+$/, ''))
  }
  return {
    push(text) {
      const whole = rest + text
      const last = whole.search(/\S*$/)
      take(whole.slice(0, last))
      rest = whole.slice(last).slice(-4096)
    },
    has(url) {
      take(rest)
      return found.has(url) || found.has(url.replace(/[.,;:!?]+$/, ''))
    },
  }
}

/** A source of which nothing but its own name or address is known. */
export const sourceOnly = (url: string | null, title: string | null, quote: string | null = null): Citation => ({
  url,
  title,
  quote,
  start: null,
  end: null,
})

/**
 * Emits citations of a text block. Without any text of the answer they have no place: they are recorded, and named to a
 * client that would otherwise get nothing.
 */
export function cite(citations: readonly Citation[], block: number | null, name: string, context: ReadContext): void {
  if (citations.length === 0) return
  if (block === null && !context.listsSources) return context.unshown(name, 'sources', 'aside')
  for (const citation of citations) context.emit({ type: 'citation', block: block ?? noBlock, citation })
}

/** Any number that no block has: of a list it does not matter. */
const noBlock = -1

/** An address, as far as one can be opened: others are names in a client's own system. */
export const isAddress = (text: string | null): text is string => text !== null && /^https?:\/\//i.test(text)
