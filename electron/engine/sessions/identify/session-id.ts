import type { RequestFacts } from '../types.ts'

/** A session's id and the rule that gave it, for the record. */
export interface FoundSession {
  id: string
  source: string
}

/** In this order. Header names are lower-case here; the gateway compares them without case. */
export const sessionHeaders = [
  'session_id',
  'session-id',
  'x-session-id',
  'x-session-affinity',
  'x-claude-code-session-id',
  'anthropic-session-id',
  'x-routecodex-session-id',
  'x-rcc-session-id',
  'conversation_id',
  'conversation-id',
  'x-conversation-id',
  'anthropic-conversation-id',
  'openai-conversation-id',
  'x-routecodex-conversation-id',
] as const

/** Longer texts are no ids; the control API takes none longer either. */
const longest = 512
// C0, DEL and C1: an id is shown in terminals
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f]/
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
/** `user_<64 hex>_account__session_<uuid>` (Claude Code 2.0) */
const sessionInUserId = new RegExp(`session_(${uuid})`, 'i')
const sessionKey = new RegExp(`^session_${uuid}$`, 'i')
const sessionFields = ['session_id', 'conversation_id', 'thread_id'] as const

/**
 * Returns the session a request names itself; null when it names none, and nothing is guessed.
 * @param previousResponse the session that produced a Responses answer
 */
export function sessionIdOf(
  facts: RequestFacts,
  previousResponse: (responseId: string) => string | null,
): FoundSession | null {
  for (const header of sessionHeaders) {
    const id = asId(facts.headers[header])
    if (id) return { id, source: `header ${header}` }
  }
  return (
    fromMetadata(facts) ??
    (facts.entry === 'responses' ? fromResponses(facts, previousResponse) : null) ??
    (facts.entry === 'chat' ? fromChat(facts) : null) ??
    fromTurnMetadata(facts)
  )
}

function fromMetadata(facts: RequestFacts): FoundSession | null {
  const sessionId = asId(facts.value('metadata', 'session_id'))
  if (sessionId) return { id: sessionId, source: 'body metadata.session_id' }
  const userId = facts.value('metadata', 'user_id')
  if (typeof userId !== 'string') return null
  const id = userId.trimStart().startsWith('{')
    ? asId(fieldOfJson(userId, 'session_id'))
    : sessionInUserId.exec(userId)?.[1]
  return id ? { id, source: 'body metadata.user_id' } : null
}

/** In Chat the key is any bucket a program likes; Kimi Code 2.1 puts its session there, and says so. */
function fromChat(facts: RequestFacts): FoundSession | null {
  const key = asId(facts.value('prompt_cache_key'))
  return key && sessionKey.test(key) ? { id: key, source: 'body prompt_cache_key' } : null
}

function fromResponses(
  facts: RequestFacts,
  previousResponse: (responseId: string) => string | null,
): FoundSession | null {
  const cacheKey = asId(facts.value('prompt_cache_key'))
  if (cacheKey) return { id: cacheKey, source: 'body prompt_cache_key' }
  for (const field of sessionFields) {
    const id = asId(facts.value('client_metadata', field))
    if (id) return { id, source: `body client_metadata.${field}` }
  }
  const named = fromTurnMetadata(facts)
  if (named) return named
  const previous = asId(facts.value('previous_response_id'))
  const id = previous && previousResponse(previous)
  return id ? { id, source: 'previous_response_id' } : null
}

function fromTurnMetadata(facts: RequestFacts): FoundSession | null {
  const metadata = turnMetadata(facts)
  for (const field of sessionFields) {
    const id = asId(metadata?.[field])
    if (id) return { id, source: `x-codex-turn-metadata ${field}` }
  }
  return null
}

function asId(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const id = value.trim()
  // Onward's own ids of a terminal's conversations: no client may use one
  if (/^(?:tmux|pty):.*#\d+$/.test(id)) return null
  return id === '' || id.length > longest || controls.test(id) ? null : id
}

function fieldOfJson(text: string, field: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && field in value
      ? Object.entries(value).find(([name]) => name === field)?.[1]
      : null
  } catch {
    // a text that only begins like JSON names no session
    return null
  }
}

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
