import { single } from 'fuzzysort'

export interface MatchPart {
  text: string
  hit: boolean
}

export interface Match {
  parts: readonly MatchPart[]
  /** 1: the whole text, 0: nothing of it; without a query all are alike */
  score: number
}

/** Letters scattered over a long text are no hit: they were not meant. */
const least = 0.3

/** A few letters of a text find it, in their order; words may come in any. @returns null: they are not in it */
export function match(text: string, query: string): Match | null {
  if (query.trim() === '') return { parts: [{ text, hit: false }], score: 0 }
  const found = single(query.trim(), text)
  if (found === null || found.score < least) return null
  const parts = found.highlight<MatchPart>((hit) => ({ text: hit, hit: true }))
  return {
    parts: parts.map((part) => (typeof part === 'string' ? { text: part, hit: false } : part)).filter((p) => p.text),
    score: found.score,
  }
}
