import { userMessage } from '../../append/user-message.ts'
import type { CallResult } from '../../server-tools/types.ts'

/** Results as one user message. */
export function resultItems(results: readonly CallResult[]): Buffer[] {
  return results.length === 0 ? [] : [Buffer.from(resultMessage(resultsBeside(results)))]
}

export const resultMessage = (blocks: readonly string[]): string => `{"role":"user","content":[${blocks.join(',')}]}`

/** Results as blocks. Anthropic refuses an error without words. */
export const resultsBeside = (results: readonly CallResult[]): string[] =>
  results.map(({ call, text, isError }) => {
    const result = { type: 'tool_result', tool_use_id: call.id, content: text }
    return JSON.stringify(
      isError
        ? { ...result, content: text.trim() === '' ? 'It failed without saying why.' : text, is_error: true }
        : result,
    )
  })

export const userItem = userMessage
