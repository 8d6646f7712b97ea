import { decode } from '../../json-bytes/index.ts'
import type { RequestLens } from '../../types.ts'
import { asList, asName, asNumber, asObject, asText, type JsonObject } from '../../values.ts'
import { camelled } from '../convert/members.ts'
import { placeOf } from '../request-place.ts'
import { clientTools } from './declare.ts'
import { nativeTools } from './native-tools.ts'

/** Finds requests that Google would refuse, or that Onward could not answer, with added tools. */
export function cannotDeclare(lens: RequestLens): string | null {
  // Its elements are not events, and rounds can't be joined in it.
  if (lens.streamForm === 'json-array') return 'a stream as a JSON list'
  const config = objectAt(lens, 'generationConfig', 'generation_config')
  if ((asNumber(config['candidateCount']) ?? 1) > 1) return 'several candidates'
  // A cached content has its own tools; Google refuses any beside it.
  if (stringAt(lens, 'cachedContent', 'cached_content') !== null) return 'cached content'
  const natives = nativeTools(lens)
  // The client sends functions of its own, so the rest of its request is known to work with functions.
  if (clientTools(lens).length > natives.length) return null
  // Google refuses functions beside its own tools, except for models that are asked to show the calls of both.
  if (natives.length > 0 && objectAt(lens, 'toolConfig', 'tool_config')['includeServerSideToolInvocations'] !== true)
    return `only tools of Google’s: ${natives.join(', ')}`
  // "Function calling with a response mime type: 'application/json' is unsupported"
  const type = asText(config['responseMimeType']) ?? plain
  if (type !== plain) return `an answer in ${type}`
  const other = asList(config['responseModalities']).find((modality) => asName(modality)?.toUpperCase() !== 'TEXT')
  return other === undefined ? null : 'an answer that is not only text'
}
const plain = 'text/plain'

function objectAt(lens: RequestLens, ...names: readonly string[]): JsonObject {
  const at = placeOf(lens, ...names)
  return camelled(asObject(at && decode(lens.body, at)) ?? {})
}

function stringAt(lens: RequestLens, ...names: readonly string[]): string | null {
  const at = placeOf(lens, ...names)
  return asName(at && decode(lens.body, at))
}
