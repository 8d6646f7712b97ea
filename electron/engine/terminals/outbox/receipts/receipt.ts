import { pasteWrappers } from '../../../sessions/identify/person-text.ts'
import { submittedAtOf, typedAtOf, typingsOf, type OutboxEntry, type Phase } from '../entry.ts'
import { isBlank, sameFolded } from './folding.ts'

export interface Receipts {
  /** per text: it is one of ours as a whole, bare or in a paste wrapper, and must never be read for markers */
  ours: readonly boolean[]
  /** entries whose arrival this message proves, if it is the last user message of a new main turn */
  proves: readonly string[]
}

/** A message with more pastes than this is not searched further: each is compared with every entry. */
const mostPastes = 64

/**
 * Compares the texts of a last user message with a scope's entries. A block is a whole text or the whole body of one
 * paste, and proves one entry; followups of one goal read alike, so the entry that waits for proof comes first.
 */
export function findReceipts(entries: readonly OutboxEntry[], texts: readonly string[]): Receipts {
  if (entries.length === 0) return { ours: texts.map(() => false), proves: [] }
  const waiting = candidates(entries)
  const proves: string[] = []
  const ours = texts.map((text) => {
    const pastes = pasteWrappers(text)
      .slice(0, mostPastes)
      .map(({ start, end, contentStart, contentEnd }) => ({ start, end, body: text.slice(contentStart, contentEnd) }))
    for (const block of [text, ...pastes.map((p) => p.body)]) {
      const at = waiting.findIndex((entry) => sameText(entry.text, block))
      const [entry] = at === -1 ? [] : waiting.splice(at, 1)
      if (entry) proves.push(entry.id)
    }
    const only = pastes.length === 1 ? pastes[0] : undefined
    const whole = only && isBlank(text, 0, only.start) && isBlank(text, only.end, text.length) ? only.body : text
    return entries.some((entry) => sameText(entry.text, whole))
  })
  return { ours, proves }
}

/** `strays`: entries of other conversations that were on their way, and came into this one */
export interface ConversationReceipts extends Receipts {
  strays: readonly string[]
}

/** The same for a message of one conversation: it is proof for that one's entries only. */
export function receiptsIn(
  sessionId: string | null,
  entries: readonly OutboxEntry[],
  texts: readonly string[],
): ConversationReceipts {
  const all = findReceipts(entries, texts)
  const others = entries.filter((entry) => !isOf(entry, sessionId))
  if (others.length === 0 || all.proves.length === 0) return { ...all, strays: [] }
  const { proves } = findReceipts(
    entries.filter((entry) => isOf(entry, sessionId)),
    texts,
  )
  const strays = proves.length > 0 ? [] : findReceipts(others.filter(isUnderWay), texts).proves
  return { ours: all.ours, proves, strays }
}

/** An entry without a conversation is for the one its terminal shows. */
export const isOf = (entry: OutboxEntry, sessionId: string | null): boolean =>
  entry.sessionId === null || entry.sessionId === sessionId

const isUnderWay = ({ phase }: OutboxEntry): boolean => rankOf(phase) <= 2

const sameText = (typed: string, sent: string): boolean => sameFolded(typed, sent) || sameButReferences(typed, sent)

/** A message longer than this is no line that a person sent from a composer. */
const longestLine = 200_000
/** Shorter than this a text proves itself only at an end of the message: it could be said by chance. */
const longEnough = 16

/**
 * Finds entries whose whole text a person sent together with words of their own: added while it stood in the composer.
 * Only an entry that is on its way now can have been sent so.
 */
export function sentWithWords(entries: readonly OutboxEntry[], texts: readonly string[]): readonly string[] {
  const under = entries.filter(isUnderWay)
  if (under.length === 0) return []
  const lines = texts.filter(({ length }) => length <= longestLine).map(folded)
  return under.flatMap(({ id, text }) => {
    const ours = folded(text)
    const isIn = (line: string) =>
      line.startsWith(ours) || line.endsWith(ours) || (ours.length >= longEnough && line.includes(ours))
    return ours !== '' && lines.some(isIn) ? [id] : []
  })
}

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * Lists entries a message can prove, most likely first: submitted, being typed, left in the composer, then those given
 * up. An entry typed before one that has arrived since cannot arrive any more: texts reach the agent in order.
 */
function candidates(entries: readonly OutboxEntry[]): OutboxEntry[] {
  const arrivedTo = Math.max(
    -Infinity,
    ...entries.map((e) => (e.phase.state === 'confirmed' ? e.phase.typedAt : -Infinity)),
  )
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry.phase), typedAt: typedAtOf(entry.phase) ?? -Infinity }))
    .filter(({ rank, typedAt }) => rank < 3 || (rank < 5 && typedAt >= arrivedTo))
    .sort((a, b) => a.rank - b.rank || (a.rank < 3 ? a.typedAt - b.typedAt : b.typedAt - a.typedAt))
    .map(({ entry }) => entry)
}

function rankOf(phase: Phase): number {
  switch (phase.state) {
    case 'submitted':
      return 0
    case 'typing':
      return 1
    case 'queued':
      return phase.owedSince === null && typingsOf(phase) === 0 ? 9 : 2
    case 'unknown':
      return 3
    case 'failed':
      return typedAtOf(phase) === null ? 9 : submittedAtOf(phase) === null ? 4 : 3
    // it was no longer wanted, but Enter had gone out before its engine died
    case 'superseded':
    case 'cancelled':
    case 'expired':
      return phase.stands && typedAtOf(phase) !== null ? 4 : 9
    default:
      return 9
  }
}

/** The name after an `@`, as Gemini CLI 0.61.0 and Qwen Code 0.24.4 read it (their atCommandProcessor). */
const nameAtStart = /^(?:"[^"]*"|\\[^]|[^\s,;!?()[\]{}.]|\.(?!\s|$))+/

/**
 * True if a message is a typed text in which the agent wrote the references its own way: Gemini CLI and Qwen Code put a
 * space before every `@` of a message once it names something they read, and take backslashes out of names; Gemini CLI
 * also names the path it found (`@src` becomes `@src/**`, `@deep.md` becomes `@below/deep.md`).
 */
function sameButReferences(typed: string, sent: string): boolean {
  const at = typed.indexOf('@')
  // most messages end here, however long they are
  if (at < 0 || !sameFolded(typed.slice(0, at), headOf(sent))) return false
  const [, ...typedParts] = typed.split('@')
  const [, ...sentParts] = sent.split('@')
  return (
    typedParts.length === sentParts.length && typedParts.every((part, i) => sameReference(part, sentParts[i] ?? ''))
  )
}

/** Returns the text before the first `@`. */
function headOf(sent: string): string {
  const at = sent.indexOf('@')
  return at < 0 ? sent : sent.slice(0, at)
}

/** Compares the text after an `@`, up to the next one. */
function sameReference(typed: string, sent: string): boolean {
  if (sameFolded(typed, sent)) return true
  const [written = ''] = nameAtStart.exec(typed) ?? []
  const name = written.replace(/\\([^])/g, '$1')
  const rest = foldedReference(typed.slice(written.length))
  const whole = foldedReference(sent)
  if (name === '' || !whole.endsWith(rest)) return false
  const found = whole.slice(0, whole.length - rest.length)
  return found === foldedReference(name) || leadsTo(name, found)
}

/** True for a path that ends as the name does, or whose last part contains it. */
function leadsTo(name: string, path: string): boolean {
  const last = (of: string) =>
    of
      .replace(/\/\*\*$/, '')
      .split('/')
      .findLast((part) => part !== '')
  const [wanted, there] = [last(name), last(path)]
  return wanted !== undefined && there !== undefined && there.includes(wanted)
}

const foldedReference = (text: string): string => text.replace(/\s+/g, ' ').trimEnd()
