import { crc32 } from 'node:zlib'
import { asName, asText, sortedJson, type JsonObject } from '../../values.ts'

export const thoughtText = (part: JsonObject): string | null =>
  part['thought'] === true ? (asText(part['text']) ?? '') : null

export const signatureOf = (part: JsonObject): string | null =>
  asName(part['thoughtSignature']) ?? asName(part['thought_signature'])

/** True if a part has no content at all except white space. */
export const isBlank = (part: JsonObject): boolean =>
  Object.keys(part).every((name) => name === 'text' || name === 'thought') && (asText(part['text']) ?? '').trim() === ''

/**
 * Returns a key that tells calls of one name apart. Clients drop Gemini's ids or make up their own (older versions of
 * Google's SDK took none, its CLI makes some up), but send back the arguments; Go programs sort their members.
 */
export function callKey(call: JsonObject): string {
  return `${asText(call['name']) ?? ''}#${crc32(sortedJson(call['args'] ?? {})).toString(36)}`
}
