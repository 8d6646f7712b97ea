import type { HiddenNames } from '../../server-tools/types.ts'
import { asText, type JsonObject } from '../../values.ts'

/** A call of a tool that is declared in the request. `server_tool_use` and `mcp_tool_use` run at the vendor. */
export const isCall = (block: JsonObject | null): boolean => block?.['type'] === 'tool_use'

export const isHidden = (block: JsonObject | null, names: HiddenNames): boolean =>
  isCall(block) && names.has(asText(block?.['name']) ?? '')

export const isThinking = (block: JsonObject): boolean =>
  block['type'] === 'thinking' || block['type'] === 'redacted_thinking'
