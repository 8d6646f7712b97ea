import { baseUrlOf } from '../../../shared/config/presets.ts'
import type { ProviderConfig } from '../../../shared/config/schema.ts'
import { OnwardError } from '../base/errors.ts'

/** The scheme of the built-in upstream; the scenario file, if any, is the first path segment after `~`. */
export const simulatorScheme = 'simulator:'

type Addressed = Pick<ProviderConfig, 'type' | 'baseUrl' | 'scenario'>

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
