/**
 * Models that refuse a history with calls when any answer of it lacks its thinking, whoever gave that answer: "The
 * `reasoning_content` in the thinking mode must be passed back to the API" (DeepSeek,
 * https://api-docs.deepseek.com/guides/thinking_mode; MiMo,
 * https://platform.xiaomimimo.com/docs/en-US/usage-guide/passing-back-reasoning_content), "thinking is enabled but
 * reasoning_content is missing in assistant tool call message" (Kimi). Older models of the same names don't think, and
 * some servers that run them refuse the member.
 */
const wanting = new RegExp(
  '(?:^|[/:])(?:' +
    [
      'deepseek-(?:v(?:3\\.[12]|[4-9])|chat|reasoner|flash|pro)',
      'kimi-(?:k2[.p][5-9]|k2-thinking|k[3-9]|for-coding|latest)',
      'k2p[5-9]',
      'mimo-v[2-9]',
    ].join('|') +
    ')',
  'i',
)

export const wantsThinkingBack = (model: string): boolean => wanting.test(model)

/**
 * Stands where a model's own thinking is not known. Not empty: DeepSeek V4 Pro takes that for none
 * (https://github.com/NousResearch/hermes-agent/pull/18263).
 */
export const thinkingPlaceholder = ' '
