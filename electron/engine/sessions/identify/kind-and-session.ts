import type { ClientKind, RequestKind } from '../../../../shared/words.ts'
import { once } from '../../base/work.ts'
import { hasSign, profileOf } from '../clients/index.ts'
import { other } from '../clients/other.ts'
import type { KindCondition } from '../clients/profile.ts'
import type { RequestFacts } from '../types.ts'
import { firstOwn, leadText } from './person-text.ts'

/** Characters of a system text that are searched. The longest sign stands within the first line. */
const systemLimit = 400

/** `ownThread`: a person does not know of the session it names */
export interface FoundKind {
  kind: RequestKind
  ownThread: boolean
  fromInbox: boolean
}

/**
 * Returns the kind of a request. Endpoint first, then the agent's own word, then its signs; then the looks of an
 * agent's side requests, whatever they are for.
 * @param lacksTools it carries none of the tools that its session's turns have
 */
export function requestKind(
  facts: RequestFacts,
  client: ClientKind,
  lacksTools: () => boolean = () => false,
): FoundKind {
  const { kinds, main, fromInbox } = profileOf(client)
  const parts = partsOf(facts, client)
  const found = (kind: RequestKind, ownThread = false): FoundKind => ({
    kind,
    ownThread,
    fromInbox: fromInbox !== undefined && holds(fromInbox, parts),
  })
  if (facts.endpoint === 'count') return found('count')
  if (facts.endpoint === 'compact') return found('compaction')
  if (main?.says && holds(main.says, parts)) return found('turn')
  const rule = (client === 'other' ? kinds : [...kinds, ...other.kinds]).find(({ when }) => holds(when, parts))
  if (rule) return found(rule.kind, rule.ownThread)
  if (!main) return found('turn')
  if (noTools(facts) ? wantsJson(facts) : mayCallNone(facts)) return found('aside')
  if (main.shows && holds(main.shows, parts)) return found('turn')
  const goesOn = main.toolsMayGo === true && facts.answerCount() > 0
  return found(!goesOn && lacksTools() ? 'aside' : 'turn')
}

/** The parts of a request that rules ask for, each fetched once and only when asked for. */
interface RequestParts {
  facts: RequestFacts
  metadata(): Readonly<Record<string, unknown>> | null
  user(): string
  opening(): string
  systems(): readonly string[]
  leading(): readonly string[]
}

function partsOf(facts: RequestFacts, client: ClientKind): RequestParts {
  return {
    facts,
    metadata: once(() => turnMetadata(facts)),
    user: once(() => leadText(client, facts.lastUserTexts() ?? [])),
    opening: once(() => firstOwn(client, facts.lastUserTexts() ?? [])),
    systems: once(() => facts.systemTexts(systemLimit).map((text) => text.trimStart())),
    leading: once(() => facts.systemTexts(systemLimit, true).map((text) => text.trimStart())),
  }
}

function holds(when: KindCondition, { facts, metadata, user, opening, systems, leading }: RequestParts): boolean {
  const { header, turnMetadata: field, user: start, userHas, userIs, anyText, everSaid, system, systemHas, body } = when
  if (header && !hasSign(facts.headers, header)) return false
  if (field) {
    const value = metadata()?.[field.field]
    if (typeof value !== 'string' || ('is' in field ? value !== field.is : value === field.not)) return false
  }
  if (when.opens !== undefined && !opening().startsWith(when.opens)) return false
  if (start !== undefined && !user().startsWith(start)) return false
  if (userHas !== undefined && !user().includes(userHas)) return false
  if (userIs !== undefined && user().trim() !== userIs) return false
  if (anyText !== undefined && !facts.lastUserTexts()?.some((text) => text.trimStart().startsWith(anyText)))
    return false
  if (everSaid !== undefined && !startsAny(facts.userTexts?.() ?? facts.firstUserTexts(), everSaid)) return false
  if (system !== undefined && !systems().some((text) => text.startsWith(system))) return false
  if (when.leads !== undefined && !leading().some((text) => text.startsWith(when.leads ?? ''))) return false
  if (systemHas !== undefined && !systems().some((text) => text.includes(systemHas))) return false
  if (when.noTools && !noTools(facts)) return false
  if (when.cached && facts.cached() !== when.cached) return false
  return !body || facts.value(...body.path) === body.is
}

function startsAny(texts: Iterable<string>, start: string): boolean {
  for (const text of texts) if (text.startsWith(start)) return true
  return false
}

const noTools = (facts: RequestFacts): boolean => (facts.toolCount() ?? 0) === 0

/** The members that ask for JSON as the whole answer: `type` says so, or that it is there. */
const jsonTypes = [['output_config', 'format'], ['output_format'], ['response_format'], ['text', 'format']]
const jsonMembers = ['responseSchema', 'responseJsonSchema', 'response_schema', 'response_json_schema']

const wantsJson = (facts: RequestFacts): boolean =>
  jsonTypes.some((path) => String(facts.value(...path, 'type')).startsWith('json')) ||
  jsonMembers.some((name) => facts.value('generationConfig', name) !== undefined)

/** Agents never give their main turns tools and forbid to call them. */
const mayCallNone = (facts: RequestFacts): boolean =>
  facts.value('tool_choice') === 'none' ||
  facts.value('tool_choice', 'type') === 'none' ||
  facts.value('toolConfig', 'functionCallingConfig', 'mode') === 'NONE'

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
