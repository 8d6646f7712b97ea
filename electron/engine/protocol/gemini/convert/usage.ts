import type { AnswerUsage } from '../../canonical/answer.ts'
import type { JsonObject } from '../../values.ts'

export { usageOfGemini as readUsage } from '../usage-dialects.ts'

export function writeUsage({ input, cachedInput, output, reasoning }: AnswerUsage): JsonObject {
  return {
    promptTokenCount: input,
    ...(cachedInput > 0 && { cachedContentTokenCount: cachedInput }),
    candidatesTokenCount: Math.max(0, output - reasoning),
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
    totalTokenCount: input + Math.max(output, reasoning),
  }
}
