import { inWords } from '../canonical/codec.ts'

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
