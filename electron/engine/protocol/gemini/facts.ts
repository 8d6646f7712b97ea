/**
 * Reads one message of a Gemini answer: an event, an element of a list, or a whole body, which are all the same object.
 * All code that understands answers uses these functions, and each reads only what it is asked for.
 */
import type { AnswerUsage } from '../canonical/answer.ts'
import { finishName } from '../finish-names.ts'
import { errorIn, type ProviderError } from '../observe/peek.ts'
import { asName, asNumber, asObject, asObjects, asText, hasValue, type JsonObject, asCount } from '../values.ts'
import { camelled } from './convert/members.ts'

export const candidates = (value: JsonObject | null): JsonObject[] => asObjects(value?.['candidates'])

/** True for the candidate that is the answer, if several were requested. */
export const isFirst = (candidate: JsonObject): boolean => (asNumber(candidate['index']) ?? 0) === 0

export const parts = (candidate: JsonObject | undefined): JsonObject[] =>
  asObjects(asObject(candidate?.['content'])?.['parts'])

/** Returns the text of a part; null for a thought or another kind of part. */
export const text = (part: JsonObject): string | null => (part['thought'] === true ? null : asText(part['text']))

/**
 * Returns the call in a part; one without values is no call, or ends one that came in pieces, and has no members here.
 * Google's JSON may have snake_case names.
 */
export function call(part: JsonObject): JsonObject | null {
  const asked = asObject(part['functionCall']) ?? asObject(part['function_call'])
  return asked && (hasValue(asked) ? camelled(asked) : {})
}

/**
 * Labels for a person of the parts, except media, that no block of another protocol holds (`Part` of `@google/genai`).
 */
export const otherParts: Partial<Record<string, readonly [label: string, how?: 'aside']>> = {
  executableCode: ['code run', 'aside'],
  codeExecutionResult: ['code run', 'aside'],
  toolCall: ['tool run', 'aside'],
  toolResponse: ['tool run', 'aside'],
  functionResponse: ['tool run', 'aside'],
  audioTranscription: ['audio'],
}

/** True if it has text or calls, thoughts included. */
export const says = (value: JsonObject | null): boolean =>
  candidates(value).some((candidate) =>
    parts(candidate).some((part) => asName(part['text']) !== null || call(part) !== null),
  )

/** Returns the counts so far, under Google's names. */
export const usage = (value: JsonObject | null): JsonObject | null => asObject(value?.['usageMetadata'])

/** Returns the reason that a candidate ends with; null while it goes on. */
export const finish = (candidate: JsonObject): string | null => finishName(candidate['finishReason'])

/** True if the request was refused, and there is no candidate. */
export const isBlocked = (value: JsonObject): boolean =>
  asName(asObject(value['promptFeedback'])?.['blockReason']) !== null

/** google.rpc.Status: the name of the status is more precise than its number. */
export function error(value: JsonObject): ProviderError | null {
  const found = errorIn(value)
  const status = asName(asObject(value['error'])?.['status'])
  return found && status !== null ? { ...found, code: status } : found
}

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
