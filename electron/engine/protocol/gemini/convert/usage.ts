import type { AnswerUsage } from '../../canonical/answer.ts'
import type { JsonObject } from '../../values.ts'
import { usageOfGemini } from '../finish.ts'

/** Gemini bills no writing to a cache by the token. */
export function readUsage(value: unknown): AnswerUsage | null {
  const usage = usageOfGemini(value)
  return usage && { ...usage, cacheWrite: 0 }
}

export function writeUsage({ input, cachedInput, output, reasoning }: AnswerUsage): JsonObject {
  return {
    promptTokenCount: input,
    ...(cachedInput > 0 && { cachedContentTokenCount: cachedInput }),
    candidatesTokenCount: Math.max(0, output - reasoning),
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
    totalTokenCount: input + Math.max(output, reasoning),
  }
}
