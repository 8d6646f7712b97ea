import type { Citation } from '../answer.ts'
import type { ReadContext } from '../codec.ts'

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
