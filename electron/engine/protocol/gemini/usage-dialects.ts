import type { AnswerUsage } from '../canonical/answer.ts'
import { asCount, type JsonObject } from '../values.ts'

/**
 * `usageMetadata` of the Gemini API (https://ai.google.dev/api/generate-content#UsageMetadata) and of Vertex AI.
 * `promptTokenCount` includes what came from a cache; input that Google's own tools read is counted beside it. Thoughts
 * are counted beside `candidatesTokenCount`, but some models of Vertex AI include them in it: there the total shows it
 * (https://github.com/BerriAI/litellm, `is_candidate_token_count_inclusive`). Writing to a cache is billed by the hour.
 */
export function usageOfGemini(usage: JsonObject | null): AnswerUsage | null {
  if (!usage) return null
  const count = (name: string): number | null => asCount(usage[name])
  const prompt = count('promptTokenCount')
  // the Live API's name
  const candidates = count('candidatesTokenCount') ?? count('responseTokenCount')
  if (prompt === null && candidates === null) return null
  const input = (prompt ?? 0) + (count('toolUsePromptTokenCount') ?? 0)
  const said = candidates ?? 0
  const reasoning = count('thoughtsTokenCount') ?? 0
  const within = reasoning <= said && count('totalTokenCount') === input + said
  return {
    input,
    cachedInput: count('cachedContentTokenCount') ?? 0,
    cacheWrite: 0,
    output: within ? said : said + reasoning,
    reasoning,
  }
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
