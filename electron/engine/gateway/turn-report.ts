import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import type { TurnReport } from './types.ts'
import { targetText } from '../../../shared/target-text.ts'

/** The record of a turn with the reasons of its route as English sentences, for programs and their authors. */
export function turnReport(record: TurnRecord): TurnReport {
  const { routeReason, passedOver } = sentencesOf('en')
  // rests as they were when the route was chosen
  const began = record.at - record.durationMs
  const { why = [], skipped = [] } = record.route ?? {}
  return {
    ...record,
    why: [
      ...why.map(routeReason),
      ...skipped.map(
        ({ candidate, why: reason }) => `${targetText(candidate)} passed over: ${passedOver(reason, began)}`,
      ),
    ],
  }
}
