import type { AnswerEvent, AnswerFinish } from '../../canonical/answer.ts'
import { finishWords } from '../../finish-names.ts'

export type ChatFinish = (typeof finishWords.chat)[AnswerFinish]

export function writeFinish(
  { reason, stopSequence }: Extract<AnswerEvent, { type: 'finish' }>,
  said: { calls: boolean; refusal: boolean },
  dropped: (name: string) => void,
): ChatFinish {
  if (stopSequence !== null) dropped('stop_sequence')
  if (reason === 'pause-turn') dropped('pause_turn')
  if (reason === 'incomplete') dropped('finish_reason')
  if ((reason === 'stop' || reason === 'stop-sequence') && said.calls) return 'tool_calls'
  return reason === 'refusal' && said.refusal ? 'stop' : finishWords.chat[reason]
}
