import type { FinishKind, Usage } from '../../../../shared/events.ts'
import { asNumber, asObject } from '../values.ts'

/** `STOP` ends an answer with function calls too. What is not known is never a stop. */
export function finishOfCandidates(reasons: readonly (string | null)[], hasCalls: boolean): FinishKind {
  const kinds = reasons.map((reason) => kindOf[reason ?? ''] ?? 'incomplete')
  if (hasCalls && kinds.every((kind) => kind === 'stop')) return 'tool-calls'
  return kinds.find((kind) => kind !== 'stop') ?? (kinds.length > 0 ? 'stop' : 'incomplete')
}

/**
 * FinishReason of the Gemini API (types of @google/genai). A malformed or refused tool call leaves an answer
 * unfinished.
 */
const kindOf: Partial<Record<string, FinishKind>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
  LANGUAGE: 'content-filter',
}

/**
 * `candidatesTokenCount` leaves thoughts out, `promptTokenCount` holds what came from a cache; results of Google's own
 * tools are input as well.
 */
export function usageOfGemini(value: unknown): Usage | null {
  const usage = asObject(value)
  if (!usage) return null
  const count = (name: string): number | null => asNumber(usage[name])
  const input = count('promptTokenCount')
  const output = count('candidatesTokenCount')
  const reasoning = count('thoughtsTokenCount') ?? 0
  if (input === null && output === null) return null
  return {
    input: (input ?? 0) + (count('toolUsePromptTokenCount') ?? 0),
    cachedInput: count('cachedContentTokenCount') ?? 0,
    output: (output ?? 0) + reasoning,
    reasoning,
  }
}
