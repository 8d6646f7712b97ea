import { argumentsObject } from '../../canonical/arguments-object.ts'
import type { JsonObject } from '../../values.ts'
import type { Dropped } from './write-parts.ts'

/**
 * A call of the history as the object Messages wants. Text that is no JSON object (a call cut off in the middle) stands
 * in it whole.
 */
export function toolInput(json: string, dropped: Dropped): JsonObject {
  const input = argumentsObject(json)
  if (!input) dropped.add('messages[].arguments')
  return input ?? { arguments: json }
}
