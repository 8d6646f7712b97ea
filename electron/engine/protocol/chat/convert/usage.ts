import type { AnswerUsage } from '../../canonical/answer.ts'
import { asNumber, asObject } from '../../values.ts'
import { usageOfChat } from '../finish.ts'

export function readUsage(value: unknown): AnswerUsage | null {
  const usage = usageOfChat(value)
  return (
    usage && {
      ...usage,
      cacheWrite: asNumber(asObject(asObject(value)?.['prompt_tokens_details'])?.['cache_write_tokens']) ?? 0,
    }
  )
}

export function writeUsage({ input, cachedInput, cacheWrite, output, reasoning }: AnswerUsage) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: cachedInput,
      ...(cacheWrite > 0 ? { cache_write_tokens: cacheWrite } : {}),
    },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
