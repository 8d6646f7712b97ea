import { createHash } from 'node:crypto'
import type { ClientKind, RequestKind } from '../../../../shared/words.ts'
import { isClientWritten } from '../identify/person-text.ts'
import type { RequestFacts } from '../types.ts'

/** The conversation of a terminal whose client names none: `<scope>#n`. */
export interface TerminalConversation {
  n: number
  /** digest of the first thing a person said in it */
  first: string
  /** the history was compressed since the last turn, so a new beginning does not mean a new conversation */
  compressed: boolean
  /** the conversations the terminal had before; absent: none */
  earlier?: readonly { n: number; first: string }[] | undefined
  /** the highest `n` there was; absent: the highest of those above */
  last?: number | undefined
}

/** The facts that a request shows of its conversation. */
export interface ConversationFacts {
  kind: RequestKind
  /** first text of a person, null when there is none */
  first: string | null
  /** the history restarted: that text stands in the last message, and no person's text before it */
  restarted(): boolean
  /** the history continues the last words of conversation `n` of the terminal; null: unknown */
  continues(n: number): boolean | null
  /** All of conversation `n` is one turn that failed: Gemini CLI 0.61.0 takes it out of its history. */
  failed(n: number): boolean
}

/** the earlier conversations that are recognised again: a few weeks of one terminal */
const EARLIER = 200

/**
 * Decides which conversation of a terminal this request belongs to. `n` goes up only when the history restarted with
 * another first message, and not because the client had just compressed it or dropped a turn that failed. A history
 * that neither restarted nor continues the last words belongs to another conversation, which a person resumed: an
 * earlier one of the terminal, or a new one.
 */
export function nextConversation(
  known: TerminalConversation | null,
  facts: ConversationFacts,
): TerminalConversation | null {
  const { kind, first, restarted, continues, failed } = facts
  if (kind === 'compaction') return known && { ...known, compressed: true }
  if (kind !== 'turn' || first === null) return known
  const digest = createHash('sha1').update(first).digest('base64')
  if (!known) return { n: 1, first: digest, compressed: false }
  if (digest === known.first) return known.compressed ? { ...known, compressed: false } : known
  const { n, compressed, earlier = [] } = known
  const begins = !compressed && restarted()
  if (compressed || (begins ? failed(n) : continues(n) !== false)) return { ...known, first: digest, compressed: false }
  const before = [...earlier.filter((one) => one.n !== n), { n, first: known.first }]
  const last = Math.max(known.last ?? 0, ...before.map((one) => one.n))
  const alike = begins ? [] : before.filter((one) => one.first === digest)
  // Where several began with the same words, their last words decide.
  const back = alike.length === 1 ? alike[0] : alike.findLast((one) => continues(one.n) === true)
  const next = back?.n ?? last + 1
  return {
    n: next,
    first: digest,
    compressed: false,
    earlier: before.slice(-EARLIER),
    last: Math.max(last, next),
  }
}

export function conversationFacts(
  facts: RequestFacts,
  client: ClientKind,
  kind: RequestKind,
  { continues, failed }: Pick<ConversationFacts, 'continues' | 'failed'>,
): ConversationFacts {
  const first = firstPersonText(facts.userTexts?.() ?? facts.firstUserTexts(), client)
  return {
    kind,
    first,
    continues,
    failed,
    restarted() {
      const last = facts.lastUserTexts() ?? []
      if (first === null || first !== firstPersonText(last, client)) return false
      if (!facts.userTexts) return sameTexts(facts.firstUserTexts(), last)
      // the same words may stand twice in a history: then it did not restart
      return countPersonTexts(facts.userTexts(), client) === countPersonTexts(last, client)
    },
  }
}

function firstPersonText(texts: Iterable<string>, client: ClientKind): string | null {
  for (const text of texts) if (!isClientWritten(client, text)) return text
  return null
}

function countPersonTexts(texts: Iterable<string>, client: ClientKind): number {
  let count = 0
  for (const text of texts) if (!isClientWritten(client, text)) count += 1
  return count
}

const sameTexts = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text, i) => text === other[i])
