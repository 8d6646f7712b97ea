import { inWords } from '../canonical/codec.ts'
import type { JsonObject } from '../values.ts'

/** A content block that is neither words, thinking nor a call of the client's. */
interface OtherBlock {
  type: string
  /** `shows`: a result that only Messages can carry; `ran`: what the vendor did itself on the way to its answer */
  kind: 'shows' | 'ran'
  /** a short plain word for a person */
  label: string
}

/**
 * Only `tool_use` asks something of the client: Anthropic runs `server_tool_use` and `mcp_tool_use` itself and sends
 * their results in the same answer (`ContentBlock`, `BetaContentBlock` of `@anthropic-ai/sdk`;
 * platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools). An unknown block counts as a result. `name`:
 * that of a `server_tool_use`, which says what was run.
 */
export function kindOfBlock(type: string, name: string | null): OtherBlock {
  if (type === 'container_upload') return { type, kind: 'shows', label: 'file' }
  if (type === 'compaction') return { type, kind: 'ran', label: 'summary' }
  if (/tool_use$|tool_result$|^mcp_tool_listing$|^fallback$/.test(type))
    return { type, kind: 'ran', label: runOf(type === 'server_tool_use' ? (name ?? type) : type) }
  return { type, kind: 'shows', label: inWords(type, 'block') }
}

function runOf(type: string): string {
  if (type.startsWith('web_search')) return 'web search'
  if (type.startsWith('web_fetch')) return 'web page'
  if (type.startsWith('tool_search')) return 'tool search'
  return type.includes('code_execution') ? 'code run' : 'tool run'
}

/** Names of the members that the canonical turn has no place for. */
export type Unread = Set<string>

/** Notes what an object has beyond the members that were read. */
export function noteOthers(object: JsonObject, read: ReadonlySet<string>, path: string, unread: Unread): void {
  for (const name in object) {
    if (!read.has(name) && !saysNothing(object[name])) unread.add(path === '' ? name : `${path}.${name}`)
  }
}

/**
 * True for what stands for a member's absence: null, false, an empty list, `{enabled: false}`, a tool's plain caller.
 */
function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return true
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.length === 0
  return ('enabled' in value && value.enabled === false) || ('type' in value && value.type === 'direct')
}
