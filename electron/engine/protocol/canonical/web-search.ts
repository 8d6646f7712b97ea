import { asList, asName, type JsonObject } from '../values.ts'
import type { ConversionCodec } from './codec.ts'
import type { CanonicalRequest, SearchPlace, Tool, WebSearch } from './request.ts'

/** Said to a model that is asked to search and can't: it would answer from memory as if it had. */
const notHere = 'You can’t search the web in this conversation: say so where an answer needs it.'

/** The names that clients know these members by. */
const memberNames: Readonly<Record<keyof WebSearch, string>> = {
  allowed: 'web_search.allowed_domains',
  blocked: 'web_search.blocked_domains',
  maxUses: 'web_search.max_uses',
  location: 'web_search.user_location',
  contextSize: 'web_search.search_context_size',
}

const says = (value: WebSearch[keyof WebSearch]): boolean =>
  value !== null && !(Array.isArray(value) && value.length === 0)

/** Records the wishes for a search that have no member in the target's protocol. */
export function noteLost(
  search: WebSearch,
  kept: readonly (keyof WebSearch)[],
  dropped: (name: string) => unknown,
): void {
  for (const member of Object.keys(memberNames) as (keyof WebSearch)[])
    if (!kept.includes(member) && says(search[member])) dropped(memberNames[member])
}

export const plainSearch: WebSearch = { allowed: [], blocked: [], maxUses: null, location: null, contextSize: null }

export const namesIn = (value: unknown): string[] => asList(value).flatMap((domain) => asName(domain) ?? [])

const placeMembers = ['city', 'region', 'country', 'timezone'] as const

/** Where the user is: the four vendors that know it have the same words for it. */
export function placeOf(value: JsonObject | null): SearchPlace | null {
  const place: Partial<Record<(typeof placeMembers)[number], string>> = {}
  for (const member of placeMembers) {
    const said = asName(value?.[member])
    if (said !== null) place[member] = said
  }
  return Object.keys(place).length === 0 ? null : place
}

/**
 * A vendor's own search of the web where the target has one as well: asked for once, whatever it is called. Elsewhere
 * its writer records it, and the model is told.
 */
export function searchAsAllowed(
  request: CanonicalRequest,
  to: ConversionCodec,
  model: string,
): { request: CanonicalRequest; dropped: readonly string[] } {
  const [first] = request.tools.filter(isSearch)
  if (!first) return { request, dropped: [] }
  if (to.takesSearch(model, request))
    return {
      request: { ...request, tools: request.tools.filter((tool) => !isSearch(tool) || tool === first) },
      dropped: [],
    }
  const forced = request.toolChoice?.type === 'search'
  return {
    request: {
      ...request,
      system: [...request.system, { type: 'text', text: notHere }],
      tools: request.tools.map((tool) => (isSearch(tool) ? { ...tool, search: null } : tool)),
      toolChoice: forced ? null : request.toolChoice,
    },
    dropped: forced ? ['tool_choice'] : [],
  }
}

const isSearch = (tool: Tool): boolean => tool.type === 'native' && Boolean(tool.search)
