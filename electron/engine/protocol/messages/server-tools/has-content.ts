import { mostEmptyBytes, solidText } from '../../server-tools/solid-text.ts'

/**
 * True if a chunk holds a text or thinking with a character that is not blank, why it was refused, the signature of a
 * thinking that is not shown, a citation, or a block of any other kind. It looks at bytes: JSON tokens within a text
 * have escaped quotes and are not found. Blocks: `ContentBlock` and `BetaContentBlock` of `@anthropic-ai/sdk`; an
 * unknown one counts all the same.
 */
export const hasContent = (chunk: Buffer): boolean =>
  chunk.length > mostEmptyBytes || said.test(chunk.toString('latin1'))

const said = new RegExp(
  [
    `"(?:text|thinking|partial_json|signature|data|explanation)"\\s*:\\s*${solidText}`,
    '"type"\\s*:\\s*"(?:\\w+_tool_use|\\w*tool_result|container_upload|compaction|mcp_tool_listing|citations_delta)"',
    // not one of zero values
    '"type"\\s*:\\s*"tool_use"(?!\\s*,\\s*"id"\\s*:\\s*""\\s*,\\s*"name"\\s*:\\s*""\\s*,\\s*"input"\\s*:\\s*\\{\\})',
    '"citations"\\s*:\\s*\\[\\s*\\{',
    '"content(?:_block"\\s*:|"\\s*:\\s*\\[)\\s*\\{\\s*"type"\\s*:\\s*"(?!text"|thinking"|redacted_thinking"|tool_use")',
  ].join('|'),
)
