import { baseUrlOf } from '../../../shared/config/presets.ts'
import type { ProviderConfig, ProviderType } from '../../../shared/config/schema.ts'
import type { EntryProtocol } from '../../../shared/words.ts'
import { OnwardError } from '../base/errors.ts'
import { upstreamHeaders } from './headers.ts'
import { timeLimits } from './time-limits.ts'
import type { UpstreamRequest } from './types.ts'

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

/** The scheme of the built-in upstream; the scenario file, if any, is the first path segment after `~`. */
export const simulatorScheme = 'simulator:'

/** The scheme of providers that another engine asks: `via:<engine>/<type>/<provider><path>`. */
export const viaScheme = 'via:'

/** The parts of such an address, which `upstreamUrl` made. */
export function viaParts(url: string): { engine: string; type: ProviderType; provider: string; path: string } {
  const [engine = '', type = '', provider = ''] = url.slice(viaScheme.length).split('/', 3)
  const path = url.slice(viaScheme.length + engine.length + type.length + provider.length + 2)
  return { engine, type: type as ProviderType, provider, path }
}

type Addressed = Pick<ProviderConfig, 'type' | 'baseUrl' | 'scenario' | 'via'>

/**
 * Returns the full upstream URL for a client's path (`/v1/messages?beta=true`). The query is kept, `/v1` never doubled:
 * OpenAI-compatible bases carry their own version segment (`…/v1`, `…/paas/v4`), those of Anthropic and Gemini end
 * before it.
 * @throws OnwardError `bad-config` when the provider has no usable address, `bad-request` for a path that climbs
 */
export function upstreamUrl(providerId: string, provider: Addressed, path: string): string {
  const [pathname, query] = cut(path, '?')
  if (pathname.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part))) {
    throw new OnwardError('bad-request', `The path ${pathname} must not contain “.” or “..” segments.`, { status: 400 })
  }
  if (provider.via !== undefined) return `${viaScheme}${provider.via}/${provider.type}/${providerId}${path}`
  if (provider.type === 'simulator') {
    const scenario = provider.scenario === undefined ? '' : `/~${encodeURIComponent(provider.scenario)}`
    return `${simulatorScheme}//${providerId}${scenario}${pathname}${query === '' ? '' : `?${query}`}`
  }
  const base = parseBase(providerId, baseUrlOf(providerId, provider))
  const basePath = base.pathname.replace(/\/+$/, '')
  const joined =
    basePath +
    (hasOwnVersion(provider.type, basePath) ? pathname.replace(/^\/v1(?:alpha|beta)?(?=\/|$)/, '') : pathname)
  const search = [base.search.slice(1), query].filter((part) => part !== '').join('&')
  return `${base.origin}${joined}${search === '' ? '' : `?${search}`}`
}

const hasOwnVersion = (type: ProviderConfig['type'], basePath: string): boolean =>
  type === 'anthropic' || type === 'gemini' ? /\/v\d+(?:alpha|beta)?\d*$/.test(basePath) : basePath !== ''

function parseBase(providerId: string, text: string | null): URL {
  if (text === null)
    throw new OnwardError('bad-config', `The provider ${providerId} has no baseUrl. Add one in the config.`, {
      status: 503,
    })
  if (!URL.canParse(text))
    throw new OnwardError('bad-config', `The baseUrl of the provider ${providerId} is not an address: “${text}”.`, {
      status: 503,
    })
  return new URL(text)
}

function cut(text: string, at: string): [string, string] {
  const i = text.indexOf(at)
  return i < 0 ? [text, ''] : [text.slice(0, i), text.slice(i + 1)]
}
