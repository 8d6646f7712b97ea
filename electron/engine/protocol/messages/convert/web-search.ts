import { noteLost, domainsOf, placeOf } from '../../canonical/web-search.ts'
import type { CanonicalRequest, WebSearch } from '../../canonical/request.ts'
import { asNumber, asObject, type JsonObject } from '../../values.ts'
import { traitsOf } from './models.ts'
import { noteOthers, type Unread } from './unread.ts'
import type { Dropped } from './write-parts.ts'

/** WebSearchTool20250305 of @anthropic-ai/sdk; newer versions have the same members. */
const members = new Set([
  'type',
  'name',
  'allowed_domains',
  'blocked_domains',
  'max_uses',
  'user_location',
  'cache_control',
])

export function readSearch(tool: JsonObject, kind: string, unread: Unread): WebSearch | null {
  if (!kind.startsWith('web_search')) return null
  noteOthers(tool, members, 'tools[].web_search', unread)
  return {
    allowed: domainsOf(tool['allowed_domains']),
    blocked: domainsOf(tool['blocked_domains']),
    maxUses: asNumber(tool['max_uses']),
    location: placeOf(asObject(tool['user_location'])),
    contextSize: null,
  }
}

/**
 * Claude's models on Anthropic's own API and on Vertex AI; Bedrock has no search, and other vendors' endpoints are not
 * known to. Two tools of one name are refused.
 */
export const takesSearch = (model: string, { tools }: CanonicalRequest): boolean =>
  traitsOf(model).signs &&
  !/(?:^|\.)anthropic\./.test(model) &&
  !tools.some((tool) => tool.type !== 'native' && tool.name === searchTool)

export const searchTool = 'web_search'

/** The version that every model with a search takes. It takes one list of domains: what is allowed says more. */
export function writeSearch(search: WebSearch, dropped: Dropped): JsonObject {
  const { allowed, blocked, maxUses, location } = search
  const list = allowed.length > 0 ? 'allowed' : 'blocked'
  noteLost(search, [list, 'maxUses', 'location'], (name) => dropped.add(name))
  return {
    type: 'web_search_20250305',
    name: searchTool,
    ...(maxUses === null ? {} : { max_uses: maxUses }),
    ...(search[list].length === 0 ? {} : { [`${list}_domains`]: list === 'allowed' ? allowed : blocked }),
    ...(location && { user_location: { type: 'approximate', ...location } }),
  }
}
