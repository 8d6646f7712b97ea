import type { SearchBlock } from '../../canonical/answer.ts'
import { type ReadContext, noteMembers } from '../../canonical/codec.ts'
import type { CanonicalRequest, WebSearch } from '../../canonical/request.ts'
import { ownSearchId } from '../../canonical/thinking/foreign-seals.ts'
import { sealForClient } from '../../canonical/thinking/seal.ts'
import { noteLost, namesIn, placeOf } from '../../canonical/web-search.ts'
import { asName, asNumber, asObject, asObjects, parseObject, type JsonObject } from '../../values.ts'
import { traitsOf } from '../../canonical/models.ts'
import { noteOthers, type Unread } from '../block-kinds.ts'
import type { Dropped } from './write-messages.ts'

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
    allowed: namesIn(tool['allowed_domains']),
    blocked: namesIn(tool['blocked_domains']),
    maxUses: asNumber(tool['max_uses']),
    location: placeOf(asObject(tool['user_location'])),
    contextSize: null,
  }
}

/**
 * Claude's models on Anthropic's own API and on Vertex AI; Bedrock has no search, and other vendors' endpoints are not
 * known to have one. Two tools of one name are refused.
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

/** Marks results of Onward's own searches, for when a client hands them back (canonical/thinking/foreign-seals.ts). */
const nothingSealed = sealForClient({ of: 'chat', data: '' }, 'messages')

/** A search of another vendor's in the form of Anthropic's own: the call and what it found, each a whole block. */
export function searchBlocks({ queries, found, failed }: SearchBlock, newId: (prefix: string) => string): JsonObject[] {
  const id = newId(ownSearchId)
  const caller = { type: 'direct' }
  const results = found.map(({ url, title, age }) => ({
    type: 'web_search_result',
    title: title ?? url,
    url,
    encrypted_content: nothingSealed,
    page_age: age,
  }))
  const content = failed === null ? results : { type: 'web_search_tool_result_error', error_code: 'unavailable' }
  const input = queries.length === 0 ? {} : { query: queries.join('; ') }
  return [
    { type: 'server_tool_use', id, name: searchTool, input, caller },
    { type: 'web_search_tool_result', tool_use_id: id, content, caller },
  ]
}

const resultMembers = new Set(['type', 'title', 'url', 'page_age'])

/** Reads a `web_search_tool_result` and the call that led to it. */
export function readSearchBlock(call: string, content: unknown, dropped: ReadContext['dropped']): SearchBlock {
  const query = asName(parseObject(Buffer.from(call))?.['query'])
  const found = asObjects(content).flatMap((result) => {
    noteMembers(result, resultMembers, 'web_search_result.', dropped)
    const url = asName(result['url'])
    return url === null ? [] : [{ url, title: asName(result['title']), age: asName(result['page_age']) }]
  })
  return {
    kind: 'search',
    queries: query === null ? [] : [query],
    found,
    failed: asName(asObject(content)?.['error_code']),
  }
}
