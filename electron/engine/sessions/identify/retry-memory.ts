import { createHash } from 'node:crypto'
import { putNewest } from '../../base/newest.ts'

/**
 * Clients repeat a request without saying so. Same session, same last user message, same history before it: the same
 * turn again. Only the last turn of a session can come again; sessions are bounded.
 */
export interface RetryMemory {
  /** true when this turn was seen already */
  seen(sessionId: string, turn: string): boolean
  /** the client has the whole, visible answer: the same words again are a new turn */
  answered(sessionId: string): void
}

/** A short message is kept as it is, which costs less than its digest. */
const shortText = 200

function inShort(texts: readonly string[]): string {
  const [only = ''] = texts
  if (texts.length === 1 && only.length <= shortText) return `= ${only}`
  const hash = createHash('sha1')
  for (const text of texts) hash.update(`${text.length}:${text}`)
  return hash.digest('base64')
}

/** Names a turn within its session. Null for a tool round, which is never a retry. */
export const turnName = (lastUserTexts: readonly string[] | null, historyDigest: () => string): string | null =>
  lastUserTexts === null ? null : `${historyDigest()} ${inShort(lastUserTexts)}`

export function retryMemory(limit = 5000): RetryMemory {
  /** null: it was answered */
  const last = new Map<string, string | null>()
  return {
    seen(sessionId, turn) {
      const again = last.get(sessionId) === turn
      putNewest(last, sessionId, turn, limit)
      return again
    },
    answered(sessionId) {
      if (last.has(sessionId)) last.set(sessionId, null)
    },
  }
}
