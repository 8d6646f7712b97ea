import type { ProviderConfig, ProviderType } from '../../../shared/config/schema.ts'
import type { EntryProtocol } from '../../../shared/words.ts'
import { upstreamHeaders } from './request-headers.ts'
import { timeLimits } from './time-limits.ts'
import type { UpstreamRequest } from './types.ts'
import { upstreamUrl } from './url.ts'

export interface PrepareInput {
  /** the client's protocol; left out where no conversion can happen */
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
  /** absent: those of the provider */
  timeouts?: UpstreamRequest['timeouts']
}

/** Makes the request to one provider from the client's: address, filtered headers, that provider's credential. */
export function prepareUpstream(input: PrepareInput): UpstreamRequest {
  const { body, method, provider } = input
  return {
    url: urlOf(input),
    method,
    headers: upstreamHeaders(input, body !== null && method === 'POST'),
    body: method === 'POST' ? body : null,
    timeouts: input.timeouts ?? timeLimits(input.providerId, provider, '', null).timeouts,
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
