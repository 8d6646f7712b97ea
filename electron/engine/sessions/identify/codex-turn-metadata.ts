import type { RequestFacts } from '../types.ts'

const name = 'x-codex-turn-metadata'

/**
 * Codex's own words about a request: the header, else the same text in `client_metadata`. Plain, URL-encoded or base64
 * JSON (relays that can't pass JSON in a header encode it). Null if there is none, or none that can be read.
 */
export function turnMetadata(facts: RequestFacts): Readonly<Record<string, unknown>> | null {
  return (
    decode(facts.headers[name]) ?? (facts.entry === 'responses' ? decode(facts.value('client_metadata', name)) : null)
  )
}

/** the text that was read last: several stages need the one of the same request */
let last: { text: string; found: Readonly<Record<string, unknown>> | null } = { text: '', found: null }

function decode(text: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof text !== 'string' || text === '') return null
  if (last.text !== text) last = { text, found: read(text) }
  return last.found
}

function read(text: string): Readonly<Record<string, unknown>> | null {
  for (const form of [plain, urlEncoded, base64]) {
    const json = form(text.trim())
    if (json?.startsWith('{')) {
      const found = parse(json)
      if (found) return found
    }
  }
  return null
}

const plain = (text: string) => text
const urlEncoded = (text: string) => {
  if (!text.includes('%')) return null
  try {
    return decodeURIComponent(text)
  } catch {
    // not URL-encoded after all
    return null
  }
}
const base64 = (text: string) =>
  /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('utf8') : null

function parse(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : null
  } catch {
    // a client's half-written header names nothing
    return null
  }
}
