import type { AnswerFinish } from '../../canonical/answer.ts'
import { kindOf } from '../finish.ts'

/** Words of servers that are not OpenAI's. */
const vendors: Partial<Record<string, AnswerFinish | 'error'>> = {
  eos: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop-sequence',
  tool_use: 'tool-calls',
  refusal: 'refusal',
  max_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  // GLM, Gemini
  sensitive: 'content-filter',
  safety: 'content-filter',
  recitation: 'content-filter',
  // OpenRouter, GLM, DeepSeek, vLLM
  error: 'error',
  network_error: 'error',
  insufficient_system_resource: 'error',
  abort: 'error',
}

/** Why an answer ended; null for a reason nobody knows. A call is a call whatever the reason says. */
export function readFinish(reason: string, said: { calls: boolean; refusal: boolean }): AnswerFinish | 'error' | null {
  const kind = kindOf[reason]
  const known =
    vendors[reason] ??
    (kind === 'stop' || kind === 'length' || kind === 'tool-calls' || kind === 'content-filter' ? kind : null)
  if (known === 'stop' && said.calls) return 'tool-calls'
  return known === 'stop' && said.refusal ? 'refusal' : known
}

export type ChatFinish = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** A pause is no stop: Chat has no word for it, and `length` at least says that more was to come. */
export function writeFinish(reason: AnswerFinish, said: { calls: boolean; refusal: boolean }): ChatFinish {
  switch (reason) {
    case 'stop':
    case 'stop-sequence':
      return said.calls ? 'tool_calls' : 'stop'
    case 'tool-calls':
      return 'tool_calls'
    case 'length':
    case 'pause-turn':
      return 'length'
    case 'content-filter':
      return 'content_filter'
    case 'refusal':
      return said.refusal ? 'stop' : 'content_filter'
  }
}
