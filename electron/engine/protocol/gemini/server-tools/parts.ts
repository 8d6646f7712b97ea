import { crc32 } from 'node:zlib'
import { asList, asName, asObject, asText, type JsonObject } from '../../values.ts'

export const thoughtText = (part: JsonObject): string | null =>
  part['thought'] === true ? (asText(part['text']) ?? '') : null

export const signatureOf = (part: JsonObject): string | null =>
  asName(part['thoughtSignature']) ?? asName(part['thought_signature'])

/** A part that says nothing at all, whatever white space it has. */
export const isBlank = (part: JsonObject): boolean =>
  Object.keys(part).every((name) => name === 'text' || name === 'thought') && (asText(part['text']) ?? '').trim() === ''

/**
 * What tells a call from others of its name. Clients drop Gemini's ids or give calls ids of their own (older versions
 * of Google's SDK took none, its CLI makes some up), but send back the arguments; Go programs sort their members.
 */
export function callKey(call: JsonObject): string {
  return `${asText(call['name']) ?? ''}#${crc32(sorted(call['args'] ?? {})).toString(36)}`
}

/** JSON with the members of every object in the order of their names. */
export function sorted(value: unknown): string {
  const object = asObject(value)
  if (object)
    return `{${Object.keys(object)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${sorted(object[name])}`)
      .join(',')}}`
  return Array.isArray(value) ? `[${asList(value).map(sorted).join(',')}]` : (JSON.stringify(value) ?? 'null')
}
