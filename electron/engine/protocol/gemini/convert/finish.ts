import type { AnswerFinish } from '../../canonical/answer.ts'
import { finishWords } from '../../finish-words.ts'

/**
 * FinishReason of the Gemini API. A call that is no JSON object, which Gemini can't say, is a malformed one; of an
 * answer cut off by its limit that is to be expected.
 */
export const reasonOf = (finish: AnswerFinish, malformed: boolean): string =>
  malformed && finish !== 'length' ? 'MALFORMED_FUNCTION_CALL' : finishWords.gemini[finish]
