import type { HiddenNames } from '../../take-over/types.ts'
import { asText, type JsonObject } from '../../values.ts'

/** A call of a tool that is declared in the request. `server_tool_use` and `mcp_tool_use` run at the vendor. */
export const isCall = (block: JsonObject | null): boolean => block?.['type'] === 'tool_use'

export const isHidden = (block: JsonObject | null, names: HiddenNames): boolean => isCall(block) && names.has(asText(block?.['name']) ?? '')

export const isThinking = (block: JsonObject): boolean => block['type'] === 'thinking' || block['type'] === 'redacted_thinking'

/**
 * Finds JSON tokens by native search. Within a text they stand with escaped quotes, so that what a model merely says is
 * not found.
 */
export function tokenScan(words: Iterable<string>): (bytes: Buffer) => boolean {
  const tokens = [...words].map((word) => Buffer.from(JSON.stringify(word)))
  return (bytes) => tokens.some((token) => bytes.includes(token))
}
