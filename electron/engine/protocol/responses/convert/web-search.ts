import type { SearchBlock } from '../../canonical/answer.ts'
import { noteMembers } from '../../canonical/codec.ts'
import { noteLost, namesIn, placeOf } from '../../canonical/web-search.ts'
import type { WebSearch } from '../../canonical/request.ts'
import { isOpenaiModel } from '../../canonical/models.ts'
import { asName, asObject, asObjects, type JsonObject } from '../../values.ts'
import { noteUnread, noteUnreadOf, type Unread } from '../../chat/convert/members.ts'
import type { Note } from './write-input.ts'

/** WebSearchTool and WebSearchPreviewTool of openai. */
const members = new Set(['type', 'filters', 'user_location', 'search_context_size', 'external_web_access'])
const filterMembers = new Set(['allowed_domains', 'blocked_domains'])

/** `maxUses` is null here: this protocol has it beside the tools, as `max_tool_calls`. */
export function readSearch(tool: JsonObject, kind: string, unread: Unread): WebSearch | null {
  if (!kind.startsWith('web_search')) return null
  noteUnread(tool, members, 'tools[].web_search.', unread)
  // Codex asks for a search of the pages that OpenAI has stored; other vendors search the web itself.
  if (tool['external_web_access'] === false) unread.add('tools[].web_search.external_web_access')
  noteUnreadOf(tool['filters'], filterMembers, 'tools[].web_search.filters.', unread)
  const filters = asObject(tool['filters'])
  return {
    allowed: namesIn(filters?.['allowed_domains']),
    blocked: namesIn(filters?.['blocked_domains']),
    maxUses: null,
    location: placeOf(asObject(tool['user_location'])),
    contextSize: asName(tool['search_context_size']),
  }
}

/** Models without web search: OpenAI's older and smallest ones, and open weights, which run on servers without it. */
const without = [
  /^(?:openai\/)?(?:o1|o3-mini|gpt-3\.5|gpt-4(?:-|$)|gpt-4\.1-nano)/i,
  /gpt-oss|(?:^|[/:])(?:qwen|llama|deepseek|kimi|glm|mi[sx]tral|gemma|minimax|phi)/i,
]

export const takesSearch = (model: string): boolean => !without.some((family) => family.test(model))

/**
 * Only OpenAI has `blocked_domains` and a number of calls (https://github.com/vercel/ai/pull/18035). Domains are taken
 * without scheme and path.
 */
export function writeSearch(search: WebSearch, model: string, dropped: Note): JsonObject {
  const own = isOpenaiModel(model)
  noteLost(search, ['allowed', 'location', 'contextSize', ...(own ? (['blocked', 'maxUses'] as const) : [])], dropped)
  const filters = {
    ...(search.allowed.length > 0 && { allowed_domains: search.allowed.map(domain) }),
    ...(own && search.blocked.length > 0 && { blocked_domains: search.blocked.map(domain) }),
  }
  return {
    type: 'web_search',
    ...(Object.keys(filters).length > 0 && { filters }),
    ...(search.location && { user_location: { type: 'approximate', ...search.location } }),
    ...(search.contextSize !== null && { search_context_size: search.contextSize }),
  }
}

const domain = (said: string): string => said.replace(/^https?:\/\//i, '').replace(/\/.*$/, '')

const actionMembers = new Set(['type', 'query', 'queries', 'sources'])

/** Reads a `web_search_call`; null if it was no search (a page that was opened), or says nothing of it. */
export function readSearchCall(item: JsonObject, dropped: (name: string) => void): SearchBlock | null {
  const action = asObject(item['action']) ?? {}
  const queries = namesIn(action['queries'])
  const query = asName(action['query'])
  const found = [...asObjects(action['sources']), ...asObjects(item['results'])].flatMap((source) => {
    const url = asName(source['url'])
    return url === null ? [] : [{ url, title: asName(source['title']), age: null }]
  })
  const failed = item['status'] === 'failed' ? 'failed' : null
  if (
    (asName(action['type']) ?? 'search') !== 'search' ||
    (queries.length === 0 && query === null && found.length === 0)
  )
    return null
  noteMembers(action, actionMembers, 'output[].action.', dropped)
  return { kind: 'search', queries: queries.length > 0 ? queries : query === null ? [] : [query], found, failed }
}

/** ResponseFunctionWebSearch of openai. */
export const searchCall = (id: string, { queries, found, failed }: SearchBlock, begins: boolean): JsonObject => ({
  id,
  type: 'web_search_call',
  status: begins ? 'in_progress' : failed === null ? 'completed' : 'failed',
  action: {
    type: 'search',
    query: queries[0] ?? '',
    queries,
    ...(!begins && found.length > 0 && { sources: found.map(({ url }) => ({ type: 'url', url })) }),
  },
})
