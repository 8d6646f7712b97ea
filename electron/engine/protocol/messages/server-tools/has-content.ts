import { solidText } from '../../server-tools/solid-text.ts'

/**
 * A text or thinking with a sign in it, why it was refused, the signature of a thinking that is not shown, a citation,
 * or a block of any other kind: in bytes, JSON tokens of what is said within a text have escaped quotes and are not
 * found. Blocks: `ContentBlock` and `BetaContentBlock` of `@anthropic-ai/sdk`; one that is not known yet is one all the
 * same.
 */
export const hasContent = (chunk: Buffer): boolean => said.test(chunk.toString('latin1'))

const said = new RegExp(
  [
    `"(?:text|thinking|partial_json|signature|data|explanation)"\\s*:\\s*${solidText}`,
    '"type"\\s*:\\s*"(?:\\w*tool_use|\\w*tool_result|container_upload|compaction|mcp_tool_listing|citations_delta)"',
    '"citations"\\s*:\\s*\\[\\s*\\{',
    '"content(?:_block"\\s*:|"\\s*:\\s*\\[)\\s*\\{\\s*"type"\\s*:\\s*"(?!text"|thinking"|redacted_thinking")',
  ].join('|'),
)
