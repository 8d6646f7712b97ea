import type { ProviderConfig, ProviderType } from '../../../shared/config/schema.ts'
import type { EntryProtocol } from '../../../shared/words.ts'
import { upstreamHeaders } from './request-headers.ts'
import type { UpstreamRequest } from './types.ts'
import { upstreamUrl } from './url.ts'

/**
 * How long an upstream may take. A first byte may need minutes: a whole answer is thought out before it (official SDKs
 * wait 600 s).
 */
export const usualTimeouts = { connectMs: 10_000, firstByteMs: 600_000, idleMs: 300_000 } as const

export interface PrepareInput {
  /** what the client speaks; left out where no conversion can happen */
  entry?: EntryProtocol
  providerId: string
  provider: ProviderConfig
  type: ProviderType
  key: { value: string } | null
  method: 'GET' | 'POST'
  /** the client's path and query below the entry's root */
  path: string
  clientHeaders: Readonly<Record<string, string>>
  isLocalKey(value: string): boolean
  body: Buffer | readonly Buffer[] | null
}

/** One client request as it goes to one provider: address, filtered headers, that provider's credential. */
export function prepareUpstream(input: PrepareInput): UpstreamRequest {
  const { body, method, provider } = input
  return {
    url: urlOf(input),
    method,
    headers: upstreamHeaders(input, body !== null && method === 'POST'),
    body: method === 'POST' ? body : null,
    timeouts: timeoutsOf(provider),
  }
}

function timeoutsOf({ quirks: { timeouts } }: ProviderConfig): UpstreamRequest['timeouts'] {
  if (!timeouts) return usualTimeouts
  return {
    connectMs: timeouts.connectMs ?? usualTimeouts.connectMs,
    firstByteMs: timeouts.firstByteMs ?? usualTimeouts.firstByteMs,
    idleMs: timeouts.idleMs ?? usualTimeouts.idleMs,
  }
}

/** Agents ask for the same few paths again and again. Forgotten with the config that named the provider. */
const urls = new WeakMap<ProviderConfig, Map<string, string>>()
const mostPaths = 50

function urlOf({ providerId, provider, type, path }: PrepareInput): string {
  const known = urls.get(provider) ?? new Map<string, string>()
  const key = `${type} ${path}`
  const before = known.get(key)
  if (before !== undefined) return before
  const url = upstreamUrl(providerId, { ...provider, type }, path)
  if (known.size >= mostPaths) known.clear()
  urls.set(provider, known.set(key, url))
  return url
}
