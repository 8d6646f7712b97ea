import { createHash } from 'node:crypto'
import type { ProviderConfig, ProviderType } from '../../../shared/config/schema.ts'
import type { EntryProtocol } from '../../../shared/words.ts'

/**
 * Decides which of the client's headers go upstream. The aim is fidelity: an unknown header passes, so that new vendor
 * headers (anthropic-*, openai-*, x-stainless-*, x-codex-*, originator, session headers, user-agent, accept) work from
 * their first day. The lists below name what never passes, and why.
 */
const never = new Set([
  // of this connection, not of the message (RFC 9110, 7.6.1)
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  // set anew for the upstream
  'host',
  'content-length',
  'accept-encoding',
  // of a browser page or a local front: they describe this machine, not the request
  'cookie',
  'cookie2',
  'origin',
  'referer',
  'forwarded',
  'via',
  'x-real-ip',
  'true-client-ip',
  'dnt',
  'priority',
  'upgrade-insecure-requests',
])

const neverBeginning = [
  'proxy-',
  'sec-',
  'access-control-',
  'x-forwarded-',
  'cf-',
  // Onward's own: keys, terminals, sessions
  'x-onward-',
  'x-routecodex-',
  'x-rcc-',
  'x-tmux-',
]

/** These belong to a credential: they pass only together with the caller's own (`auth: "client"`). */
const credentials = new Set([
  'authorization',
  'x-api-key',
  'openai-organization',
  'openai-project',
  'chatgpt-account-id',
])

/** Names of headers with another party's secret, whatever the vendor: `api-key`, `x-goog-api-key`, `x-auth-token`, … */
const secretName = /(^|[-_])(api[-_]?key|key|token|secret|password|passwd|credentials?|auth|authorization|signature)$/

/** Returns the secrets in these headers, without the scheme in front; for errors that repeat one. */
export const secretsIn = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers)
    .filter(([name]) => secretName.test(name.toLowerCase()) && !harmless.has(name.toLowerCase()))
    .map(([, value]) => value.replace(/^(?:bearer|basic|token)\s+/i, ''))

/** These end in `key` and hold no secret. */
const harmless = new Set(['idempotency-key', 'x-idempotency-key'])

/** Headers for one vendor family: they go along only when client and provider are both of it. */
const vendorPrefixes = [
  ['anthropic-', 'anthropic'],
  ['x-claude-', 'anthropic'],
  ['openai-', 'openai'],
  ['x-openai-', 'openai'],
  ['x-goog-', 'google'],
] as const
/** Codex's headers name the repository it works in: only providers of its own protocol may see that. */
const ofCodex = (name: string): boolean => name.startsWith('x-codex-') || name === 'originator'
const entryFamily = { messages: 'anthropic', chat: 'openai', responses: 'openai', gemini: 'google' } as const
const typeFamily = {
  anthropic: 'anthropic',
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  gemini: 'google',
  simulator: null,
} as const

export interface RequestHeaderInput {
  /** the client's protocol; left out where no conversion can happen */
  entry?: EntryProtocol
  type: ProviderType
  provider: Pick<ProviderConfig, 'auth' | 'headers' | 'quirks'>
  key: { value: string } | null
  /** lower-case names, as received */
  clientHeaders: Readonly<Record<string, string>>
  /** true for Onward's own local and terminal keys: such a value goes to no provider */
  isLocalKey(value: string): boolean
}

/** Returns the headers of an upstream request, credential included. Never log the result. */
export function upstreamHeaders(input: RequestHeaderInput, hasBody: boolean): Record<string, string> {
  const { clientHeaders, provider } = input
  const out: Record<string, string> = {}
  const hop = hopHeaders(clientHeaders['connection'])
  const drop = provider.quirks.dropHeaders
  const known = passingOf(input.entry, input.type)
  for (const name of Object.keys(clientHeaders)) {
    const value = clientHeaders[name] ?? ''
    if (name === 'x-codex-turn-metadata' && namesTerminal(value)) continue
    if (!passes(known, name, input.entry, input.type) || hop?.has(name)) continue
    if (drop?.some((pattern) => matches(pattern, name))) continue
    out[name] = value
  }
  if (hasBody) out['content-type'] ??= 'application/json'
  // Observers read the answer as it goes by, so it must not come compressed.
  out['accept-encoding'] = 'identity'
  if (input.type === 'anthropic') out['anthropic-version'] ??= '2023-06-01'
  if (provider.auth === 'client' && ofOneVendor(input.entry, input.type))
    Object.assign(out, callerCredential(clientHeaders, input.type, input.isLocalKey))
  else if (provider.auth === 'key' && input.key) putKey(out, input.type, provider.quirks.authHeader, input.key.value)
  for (const [name, value] of Object.entries(provider.headers)) {
    const lower = name.toLowerCase()
    if (lower !== 'host' && lower !== 'content-length' && lower !== 'connection' && lower !== 'transfer-encoding')
      out[lower] = value
  }
  return out
}

/** A credential is its vendor's: a client's goes only to providers of the family its protocol belongs to. */
export const ofOneVendor = (entry: EntryProtocol | undefined, type: ProviderType): boolean =>
  entry === undefined || entryFamily[entry] === (typeFamily[type] ?? entryFamily[entry])

/**
 * Clients send the same few headers in every request: remembers which of them pass, by client's and provider's
 * protocol.
 */
const passing = new Map<string, Map<string, boolean>>()
const mostNames = 1_000
const longestName = 200

function passingOf(entry: EntryProtocol | undefined, type: ProviderType): Map<string, boolean> {
  const key = `${type} ${entry ?? ''}`
  const known = passing.get(key)
  if (known) return known
  const fresh = new Map<string, boolean>()
  passing.set(key, fresh)
  return fresh
}

function passes(
  known: Map<string, boolean>,
  name: string,
  entry: EntryProtocol | undefined,
  type: ProviderType,
): boolean {
  const before = known.get(name)
  if (before !== undefined) return before
  const does = mayPass(name, entry, type)
  if (known.size >= mostNames) known.clear()
  if (name.length <= longestName) known.set(name, does)
  return does
}

function mayPass(name: string, entry: EntryProtocol | undefined, type: ProviderType): boolean {
  if (never.has(name) || credentials.has(name) || neverBeginning.some((prefix) => name.startsWith(prefix))) return false
  if (name.includes('tmux')) return false
  if (secretName.test(name) && !harmless.has(name)) return false
  if (ofCodex(name) && entry !== undefined && type !== 'openai-responses' && type !== 'simulator') return false
  const [, vendor] = vendorPrefixes.find(([prefix]) => name.startsWith(prefix)) ?? []
  if (vendor === undefined) return true
  return vendor === (entry === undefined ? vendor : entryFamily[entry]) && vendor === (typeFamily[type] ?? vendor)
}

/** Codex's metadata may carry our terminal's name, plain, URL-encoded or base64. */
const namesTerminal = (value: string): boolean =>
  /tmux/i.test(value) || /tmux/i.test(Buffer.from(value, 'base64').toString('latin1'))

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1).toLowerCase()) : pattern.toLowerCase() === name

function putKey(
  out: Record<string, string>,
  type: ProviderType,
  quirk: ProviderConfig['quirks']['authHeader'],
  value: string,
): void {
  const how = quirk ?? (type === 'anthropic' ? 'x-api-key' : type === 'gemini' ? 'x-goog-api-key' : 'bearer')
  if (how === 'bearer') out['authorization'] = `Bearer ${value}`
  else out[how] = value
}

/** A terminal's tag after the caller's own key is ours, not the vendor's. */
const withoutTag = (value: string): string => value.split('::rcc-', 1)[0] ?? ''

/** The headers in which callers of a vendor put their key. Google's goes to Google only. */
const callerKeys = (type: ProviderType): readonly string[] =>
  type === 'gemini' ? ['authorization', 'x-goog-api-key'] : ['authorization', 'x-api-key']

function callerCredential(
  headers: Readonly<Record<string, string>>,
  type: ProviderType,
  isLocalKey: (value: string) => boolean,
): Record<string, string> {
  const out: Record<string, string> = {}
  let own = false
  for (const name of callerKeys(type)) {
    const value = withoutTag(headers[name] ?? '').trim()
    const secret = value.replace(/^\S+\s+(?=\S)/, '')
    if (value === '' || isLocalKey(value) || isLocalKey(secret)) continue
    out[name] = value
    own = true
  }
  if (!own) return {}
  for (const name of credentials) {
    const value = headers[name]
    if (value !== undefined && value !== '' && name !== 'authorization' && name !== 'x-api-key') out[name] = value
  }
  return out
}

/**
 * True if the client's own credential is the login of a subscription and not a key that is paid by the token:
 * Anthropic's login tokens show it (`sk-ant-oat`), and no other login looks like a vendor's key.
 */
export function sendsLogin(headers: Readonly<Record<string, string>>, isLocalKey: (value: string) => boolean): boolean {
  const own = callerCredential(headers, 'anthropic', isLocalKey)
  if (own['x-api-key'] !== undefined || own['authorization'] === undefined) return false
  return !/^(?:bearer\s+)?sk-(?!ant-oat)/i.test(own['authorization'])
}

/**
 * A name for the client's own credential: distinguishes two accounts, and says nothing else. null: it sends only keys
 * of Onward.
 */
export function credentialName(
  headers: Readonly<Record<string, string>>,
  isLocalKey: (value: string) => boolean,
): string | null {
  const own = {
    ...callerCredential(headers, 'anthropic', isLocalKey),
    ...callerCredential(headers, 'gemini', isLocalKey),
  }
  const values = ['authorization', 'x-api-key', 'x-goog-api-key'].flatMap((name) => own[name] ?? [])
  return values.length === 0 ? null : createHash('sha256').update(values.join('\0')).digest('hex').slice(0, 12)
}

/**
 * Decides which of the provider's headers reach the client: all of them (rate limits, request ids, retry-after, vendor
 * headers), except those that belong to the other connection or speak for another origin than ours.
 */
const neverBack = new Set([
  // of that connection (RFC 9110, 7.6.1)
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  // a credential, or a request for one: agents act on these headers, and a provider's are not meant for them
  'authorization',
  'www-authenticate',
  'authentication-info',
  'proxy-authentication-info',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // of that origin: on loopback they would set cookies, force https or send the client elsewhere
  'set-cookie',
  'set-cookie2',
  'location',
  'content-location',
  'refresh',
  'link',
  'strict-transport-security',
  'alt-svc',
  'clear-site-data',
  'content-security-policy',
  'content-security-policy-report-only',
  'report-to',
  'reporting-endpoints',
  'nel',
  'expect-ct',
  'public-key-pins',
])
const neverBackBeginning = ['access-control-', 'cross-origin-', 'x-onward-']

/**
 * Body bytes are relayed as they are, so `content-encoding` stays true. `content-length` is kept only where the whole
 * body goes by untouched: a stream that Onward may add to must not announce its length.
 */
export function downstreamHeaders(
  headers: Readonly<Record<string, string | string[]>>,
  keepLength = false,
): Record<string, string | string[]> {
  const hop = hopHeaders(headers['connection'])
  const out: Record<string, string | string[]> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? ''
    if (neverBack.has(name) || hop?.has(name) || neverBackBeginning.some((prefix) => name.startsWith(prefix))) continue
    if (name === 'content-length' && !keepLength) continue
    out[name] = value
  }
  return out
}

/**
 * Returns the names in a `connection` header, in lower case: meant for this one connection alone (RFC 9110, 7.6.1).
 * Returns null where it only says how long the connection lives, as nearly all do.
 */
function hopHeaders(connection: string | string[] | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null
  return new Set(
    String(connection)
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
}
