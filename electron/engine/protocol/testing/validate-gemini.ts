import { asObject, type JsonObject } from '../values.ts'
import { checkCandidatePart } from './validate-gemini-part.ts'

/**
 * Strict checks of Gemini generateContent, written from Google's documentation and the types of @google/genai. Empty
 * list: valid.
 */
export { validateGeminiRequest } from './validate-gemini-request.ts'

const finishReasons = new Set([
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'IMAGE_SAFETY',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'IMAGE_PROHIBITED_CONTENT',
  'NO_IMAGE',
  'IMAGE_RECITATION',
  'IMAGE_OTHER',
])
const responseMembers = new Set([
  'candidates',
  'promptFeedback',
  'usageMetadata',
  'modelVersion',
  'responseId',
  'createTime',
])
const candidateMembers = new Set([
  'content',
  'finishReason',
  'finishMessage',
  'index',
  'safetyRatings',
  'citationMetadata',
  'tokenCount',
  'groundingMetadata',
  'avgLogprobs',
  'logprobsResult',
])
const statuses = new Set([
  'INVALID_ARGUMENT',
  'FAILED_PRECONDITION',
  'OUT_OF_RANGE',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'NOT_FOUND',
  'ABORTED',
  'ALREADY_EXISTS',
  'RESOURCE_EXHAUSTED',
  'CANCELLED',
  'DATA_LOSS',
  'UNKNOWN',
  'INTERNAL',
  'UNIMPLEMENTED',
  'UNAVAILABLE',
  'DEADLINE_EXCEEDED',
])

/** The state of a stream so far. */
interface Seen {
  ended: boolean
  names: string | null
  callIds: Set<string>
}

/** `alt=sse`: data lines only, one object each, the last one with the finish reason, or an error. */
export function validateGeminiStream(text: string): string[] {
  const problems: string[] = []
  const seen: Seen = { ended: false, names: null, callIds: new Set() }
  const blocks = text.split(/\r\n\r\n|\n\n/)
  if (blocks.pop() !== '') problems.push('the last event has no blank line behind it')
  if (blocks.length === 0) problems.push('no event at all')
  for (const [i, block] of blocks.entries()) {
    const at = `event ${i + 1}`
    const value = dataOf(block, at, problems)
    if (!value) continue
    if (seen.ended) problems.push(`${at} comes after the end`)
    checkChunk(value, seen, at, problems)
  }
  if (blocks.length > 0 && !seen.ended) problems.push('the stream ends without a finish reason or an error')
  return problems
}

/** Google sends neither event names nor comments nor `[DONE]`. */
function dataOf(block: string, at: string, problems: string[]): JsonObject | null {
  if (!block.startsWith('data:') || /[\r\n]/.test(block)) {
    problems.push(`${at} is not one data line`)
    return null
  }
  try {
    const value = asObject(JSON.parse(block.slice('data:'.length)))
    if (!value) problems.push(`${at} is no object`)
    return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    problems.push(`${at} is no JSON`)
    return null
  }
}

export function validateGeminiBody(body: JsonObject): string[] {
  const problems: string[] = []
  const seen: Seen = { ended: false, names: null, callIds: new Set() }
  checkChunk(body, seen, 'body', problems)
  if (!seen.ended) problems.push('body has no finish reason')
  if (!('usageMetadata' in body) && !('error' in body)) problems.push('body has no usageMetadata')
  return problems
}

function checkChunk(value: JsonObject, seen: Seen, at: string, problems: string[]): void {
  if ('error' in value) {
    seen.ended = true
    return checkError(value, at, problems)
  }
  for (const name in value) if (!responseMembers.has(name)) problems.push(`${at}.${name} is not documented`)
  const names = JSON.stringify([value['responseId'], value['modelVersion']])
  if (typeof value['responseId'] !== 'string' || value['responseId'] === '')
    problems.push(`${at}.responseId is missing`)
  if (typeof value['modelVersion'] !== 'string' || value['modelVersion'] === '')
    problems.push(`${at}.modelVersion is missing`)
  if (seen.names !== null && seen.names !== names)
    problems.push(`${at} has another responseId or modelVersion than those before`)
  seen.names ??= names
  if ('usageMetadata' in value) checkUsage(value['usageMetadata'], at, problems)
  const feedback = asObject(value['promptFeedback'])
  if (feedback && typeof feedback['blockReason'] === 'string') seen.ended = true
  const candidates = value['candidates']
  if (!Array.isArray(candidates)) {
    if (!feedback) problems.push(`${at}.candidates is missing`)
    return
  }
  if (candidates.length !== 1) problems.push(`${at}.candidates has ${candidates.length} entries, one was asked for`)
  for (const candidate of candidates) checkCandidate(asObject(candidate) ?? {}, seen, at, problems)
}

function checkCandidate(candidate: JsonObject, seen: Seen, at: string, problems: string[]): void {
  for (const name in candidate)
    if (!candidateMembers.has(name)) problems.push(`${at}.candidates[].${name} is not documented`)
  if (candidate['index'] !== undefined && candidate['index'] !== 0) problems.push(`${at}.candidates[].index is not 0`)
  const reason = candidate['finishReason']
  if (reason !== undefined && !finishReasons.has(String(reason)))
    problems.push(`${at}.finishReason is unknown: ${String(reason)}`)
  const isLast = reason !== undefined
  const content = asObject(candidate['content'])
  const parts = content?.['parts']
  if (content?.['role'] !== 'model') problems.push(`${at}.content.role is not model`)
  if (!Array.isArray(parts) || parts.length === 0) problems.push(`${at}.content.parts is empty`)
  else
    for (const part of parts) checkCandidatePart(asObject(part) ?? {}, { isLast, callIds: seen.callIds, at, problems })
  if (isLast) seen.ended = true
}

const counts = [
  'promptTokenCount',
  'candidatesTokenCount',
  'totalTokenCount',
  'cachedContentTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
]

function checkUsage(value: unknown, at: string, problems: string[]): void {
  const usage = asObject(value)
  if (!usage) return void problems.push(`${at}.usageMetadata is no object`)
  for (const name of counts) {
    const count = usage[name]
    if (count !== undefined && (typeof count !== 'number' || !Number.isInteger(count) || count < 0))
      problems.push(`${at}.usageMetadata.${name} is no count`)
  }
  for (const name of ['promptTokenCount', 'totalTokenCount'])
    if (usage[name] === undefined) problems.push(`${at}.usageMetadata.${name} is missing`)
  const part = (name: string) => (typeof usage[name] === 'number' ? usage[name] : 0)
  const sum =
    part('promptTokenCount') +
    part('candidatesTokenCount') +
    part('toolUsePromptTokenCount') +
    part('thoughtsTokenCount')
  if (usage['totalTokenCount'] !== sum) problems.push(`${at}.usageMetadata.totalTokenCount is not the sum of its parts`)
  if (part('cachedContentTokenCount') > part('promptTokenCount'))
    problems.push(`${at}.usageMetadata.cachedContentTokenCount is more than the prompt`)
}

/** @google/genai throws on an event with an error whose code is from 400 to 599, and ignores any other. */
function checkError(value: JsonObject, at: string, problems: string[]): void {
  const error = asObject(value['error']) ?? {}
  const code = error['code']
  if (Object.keys(value).length !== 1) problems.push(`${at} has more than the error`)
  if (typeof code !== 'number' || code < 400 || code > 599) problems.push(`${at}.error.code is no HTTP status`)
  if (typeof error['message'] !== 'string' || error['message'] === '') problems.push(`${at}.error.message is missing`)
  if (!statuses.has(String(error['status']))) problems.push(`${at}.error.status is unknown`)
}
