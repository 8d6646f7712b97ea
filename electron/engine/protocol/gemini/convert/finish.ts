import type { AnswerFinish } from '../../canonical/answer.ts'
import { finishOfCandidates } from '../finish.ts'

export type AnswerEnd = { kind: 'finish'; reason: AnswerFinish } | { kind: 'failed'; code: string; message: string }

/**
 * Reasons that say an answer failed (a malformed call, for one) are no finish: the client would take half an answer for
 * a whole one.
 */
export function endOf(reason: string, finishMessage: string | null, hasCalls: boolean): AnswerEnd {
  const kind = finishOfCandidates([reason], hasCalls)
  if (isAnswerFinish(kind)) return { kind: 'finish', reason: kind }
  return {
    kind: 'failed',
    code: reason,
    message: finishMessage ?? `The model ended its answer without completing it: ${reason}.`,
  }
}

const finishes: Readonly<Record<AnswerFinish, string>> = {
  stop: 'STOP',
  'stop-sequence': 'STOP',
  'tool-calls': 'STOP',
  'pause-turn': 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
  refusal: 'SAFETY',
}
const isAnswerFinish = (kind: string): kind is AnswerFinish => kind in finishes

export const malformedCall = 'MALFORMED_FUNCTION_CALL'

/**
 * FinishReason of the Gemini API. A call that is no JSON object, which Gemini can't say, is a malformed one; of an
 * answer cut off by its limit that is to be expected.
 */
export const reasonOf = (finish: AnswerFinish, malformed: boolean): string =>
  malformed && finish !== 'length' ? malformedCall : finishes[finish]
