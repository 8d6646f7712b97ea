/**
 * What one message of a Gemini answer says: an event, an element of a list, or a whole body, which are all the same
 * object. Everybody who understands answers asks here, and nothing is read that nobody asks for.
 */
import { errorIn, type ProviderError } from '../observe/errors.ts'
import { finishName } from '../finish-names.ts'
import { asName, asNumber, asObject, asObjects, asText, type JsonObject } from '../values.ts'
import { camelled } from './convert/members.ts'

export const candidates = (value: JsonObject | null): JsonObject[] => asObjects(value?.['candidates'])

/** The candidate that is the answer, where several were asked for. */
export const isFirst = (candidate: JsonObject): boolean => (asNumber(candidate['index']) ?? 0) === 0

export const parts = (candidate: JsonObject | undefined): JsonObject[] =>
  asObjects(asObject(candidate?.['content'])?.['parts'])

/** Words of a part; those of a thought are none. null: it is another kind of part. */
export const text = (part: JsonObject): string | null => (part['thought'] === true ? null : asText(part['text']))

/** The call that a part is. Google's JSON may have snake_case names. */
export function call(part: JsonObject): JsonObject | null {
  const asked = asObject(part['functionCall']) ?? asObject(part['function_call'])
  return asked && camelled(asked)
}

/** Parts, but for media, that no block of another protocol holds (`Part` of `@google/genai`), by a person's name. */
export const otherParts: Partial<Record<string, readonly [label: string, how?: 'aside']>> = {
  executableCode: ['code run', 'aside'],
  codeExecutionResult: ['code run', 'aside'],
  toolCall: ['tool run', 'aside'],
  toolResponse: ['tool run', 'aside'],
  functionResponse: ['tool run', 'aside'],
  audioTranscription: ['audio'],
}

/** Words or calls, thoughts among them. */
export const says = (value: JsonObject | null): boolean =>
  candidates(value).some((candidate) =>
    parts(candidate).some((part) => asName(part['text']) !== null || call(part) !== null),
  )

/** Counts so far, as Google names them. */
export const usage = (value: JsonObject | null): JsonObject | null => asObject(value?.['usageMetadata'])

/** The word that a candidate ends with; null while it goes on. */
export const finish = (candidate: JsonObject): string | null => finishName(candidate['finishReason'])

/** The request was refused; there is no candidate. */
export const isBlocked = (value: JsonObject): boolean =>
  asName(asObject(value['promptFeedback'])?.['blockReason']) !== null

/** google.rpc.Status: the name of the status says more than its number. */
export function error(value: JsonObject): ProviderError | null {
  const found = errorIn(value)
  const status = asName(asObject(value['error'])?.['status'])
  return found && status !== null ? { ...found, code: status } : found
}
