import type { AnswerFinish } from '../../canonical/answer.ts'
import { finishWords } from '../../finish-words.ts'

export type ChatFinish = (typeof finishWords.chat)[AnswerFinish]

export function writeFinish(reason: AnswerFinish, said: { calls: boolean; refusal: boolean }): ChatFinish {
  if ((reason === 'stop' || reason === 'stop-sequence') && said.calls) return 'tool_calls'
  return reason === 'refusal' && said.refusal ? 'stop' : finishWords.chat[reason]
}
