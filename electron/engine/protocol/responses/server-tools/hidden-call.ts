import type { HiddenNames } from '../../server-tools/types.ts'
import { asName, type JsonObject } from '../../values.ts'

/** A call of a tool of Onward's: a plain function. Tools in a namespace and custom ones can only be the client's. */
export function isHiddenCall(item: JsonObject | null, names: HiddenNames): boolean {
  const name = asName(item?.['name'])
  return item?.['type'] === 'function_call' && name !== null && names.has(name) && asName(item['namespace']) === null
}
