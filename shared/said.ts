import type { EventBody } from './events.ts'

/** A place where what is looked for was said. */
export interface Said {
  seq: number
  /** epoch ms */
  at: number
  /** null: of no session, or of one that is gone */
  session: { id: string; name: string } | null
  type: EventBody['type']
  /** one line around the first place */
  excerpt: string
}

/** Members of an event that hold words of a person, an agent or Onward, and no code or id. */
const spoken: ReadonlySet<string> = new Set(
  'text task message marker goal effect evidence choice say claim result'.split(' '),
)
const before = 40
const most = 160

/** @param words in small letters @returns a line around them where something of the event says them; else null */
export function excerptOf(body: EventBody, words: string): string | null {
  const text = firstSaying(body, words, false)
  if (text === null) return null
  const line = text.replace(/\s+/g, ' ').trim()
  const at = Math.max(0, line.toLowerCase().indexOf(words) - before)
  const end = at + most
  return `${at > 0 ? '…' : ''}${line.slice(at, end).trim()}${end < line.length ? '…' : ''}`
}

function firstSaying(value: unknown, words: string, counts: boolean): string | null {
  if (typeof value === 'string') return counts && value.toLowerCase().includes(words) ? value : null
  if (Array.isArray(value)) {
    for (const one of value) {
      const found = firstSaying(one, words, counts)
      if (found !== null) return found
    }
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  // What a question on a screen says is a text; what was paused is a code.
  const { type, code } = value as { type?: unknown; code?: unknown }
  const asks = type === 'needs-you' || type === 'dialog-answered' || code === 'dialog-open'
  for (const [name, member] of Object.entries(value)) {
    const found = firstSaying(member, words, spoken.has(name) || (asks && name === 'what'))
    if (found !== null) return found
  }
  return null
}
