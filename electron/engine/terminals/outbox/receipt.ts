import { submittedAtOf, typedAtOf, typingsOf, type OutboxEntry, type Phase } from './entry.ts'
import { pastesIn } from './paste-wrappers.ts'

export interface ReceiptLook {
  /** per text: it is one of ours as a whole, bare or in a paste wrapper, and must never be read for markers */
  ours: readonly boolean[]
  /** entries whose arrival this message proves, if it is the last user message of a new main turn */
  proves: readonly string[]
}

/**
 * Compares the texts of a last user message with a scope's entries. A block is a whole text or the whole body of one
 * paste, and proves one entry; followups of one goal read alike, so the entry that waits for proof comes first.
 */
export function lookForReceipts(entries: readonly OutboxEntry[], texts: readonly string[]): ReceiptLook {
  if (entries.length === 0) return { ours: texts.map(() => false), proves: [] }
  const waiting = candidates(entries)
  const proves: string[] = []
  const ours = texts.map((text) => {
    const pastes = pastesIn(text)
    for (const block of [text, ...pastes.map((p) => p.body)]) {
      const at = waiting.findIndex((entry) => sameFolded(entry.text, block))
      const [entry] = at === -1 ? [] : waiting.splice(at, 1)
      if (entry) proves.push(entry.id)
    }
    const only = pastes.length === 1 ? pastes[0] : undefined
    const whole = only && isBlank(text, 0, only.start) && isBlank(text, only.end, text.length) ? only.body : text
    return entries.some((entry) => sameFolded(entry.text, whole))
  })
  return { ours, proves }
}

/** A message longer than this is no line that a person sent from a composer. */
const longestLine = 200_000
/** Shorter than this a text proves itself only at an end of the message: it could be said by chance. */
const longEnough = 16

/**
 * Entries whose whole text a person sent together with words of their own: added while it stood in the composer. Only
 * what is on its way now can have been.
 */
export function sentWithWords(entries: readonly OutboxEntry[], texts: readonly string[]): readonly string[] {
  const under = entries.filter(({ phase }) => rankOf(phase) <= 2)
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
 * Entries a message can prove, most likely first: submitted, being typed, left in the composer, then those given up.
 * What was typed before an entry that has arrived since cannot arrive any more: texts reach the agent in order.
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
    default:
      return 9
  }
}

/**
 * Equal when every run of white space counts as one space and those at the ends as none. Stops at the first difference.
 */
export function sameFolded(a: string, b: string): boolean {
  let i = skipWhite(a, 0)
  let j = skipWhite(b, 0)
  while (i < a.length && j < b.length) {
    const whiteA = isWhite(a.charCodeAt(i))
    if (whiteA !== isWhite(b.charCodeAt(j))) return endsHere(a, i) && endsHere(b, j)
    if (whiteA) {
      i = skipWhite(a, i)
      j = skipWhite(b, j)
      if (i === a.length || j === b.length) break
    } else if (a.charCodeAt(i) === b.charCodeAt(j)) {
      i++
      j++
    } else return false
  }
  return endsHere(a, i) && endsHere(b, j)
}

const endsHere = (text: string, from: number): boolean => skipWhite(text, from) === text.length
const isBlank = (text: string, from: number, to: number): boolean => skipWhite(text, from) >= to

function skipWhite(text: string, from: number): number {
  let at = from
  while (at < text.length && isWhite(text.charCodeAt(at))) at++
  return at
}

/** What `\s` means in a regular expression, by code unit. */
function isWhite(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13)
  if (code < 160) return false
  return (
    code === 160 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  )
}
