import type { Span } from '../json-bytes/index.ts'
import { closingQuote } from './peek.ts'

/**
 * Most events of an answer differ in one string, its next words. What stands around that string is compared with the
 * event before: where it is the same, there is nothing else in the event that was not read there.
 */
export interface SameAround {
  /** the string token of an event like the last one that was learned; null: it is another one */
  tokenIn(latin1: string): Span | null
  /** an event of which nothing else than this token counts */
  learn(latin1: string, token: Span): void
}

export function sameAround(): SameAround {
  let before: string | null = null
  let behind = ''
  return {
    tokenIn(latin1) {
      if (before === null || !latin1.startsWith(before) || !latin1.endsWith(behind)) return null
      const end = closingQuote(latin1, before.length)
      return end >= 0 && end + behind.length === latin1.length ? { start: before.length - 1, end: end + 1 } : null
    },
    learn(latin1, token) {
      before = latin1.slice(0, token.start + 1)
      behind = latin1.slice(token.end - 1)
    },
  }
}
