import type { FinishKind } from '../../../../shared/events.ts'
import { finishNameOf, kindOfEnd, type Said } from '../finish-names.ts'
import type { JsonObject } from '../values.ts'

/** The word a choice ends with; null while it goes on. */
export const reasonOfChoice = (choice: JsonObject): string | null =>
  finishNameOf(choice, 'finish_reason', 'native_finish_reason')

/**
 * How an answer ended, `reasons` by choice. A plain stop is a stop in every choice and no tool call; what is not known
 * is never a stop.
 */
export function finishOfChoices(reasons: readonly (string | null)[], said: Said): FinishKind {
  const kinds = reasons.map((reason) => kindOfEnd(reason, said))
  const cut = kinds.find((kind) => kind !== 'stop' && kind !== 'tool-calls')
  if (cut !== undefined || kinds.length === 0) return cut ?? 'incomplete'
  return kinds.includes('tool-calls') ? 'tool-calls' : 'stop'
}
