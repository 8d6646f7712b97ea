import type { AnswerUsage } from '../../canonical/answer.ts'

export { timedUsage, usageOfChat as readUsage } from '../usage-dialects.ts'

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
