import type { AnswerFinish } from './canonical/answer.ts'
import type { WireProtocol } from './canonical/request.ts'

/**
 * How each protocol says the end of an answer, for clients. Written here once; what an answer held can change a word
 * (calls make a stop `tool_calls` and `tool_use`, a refusal that was said as a part needs no filter): see the
 * `writeFinish` of each protocol.
 *
 * A protocol without a word takes the nearest that is no stop. `incomplete` and `pause-turn` become what a limit looks
 * like, because agents go on from a limit by themselves: Claude Code asks again
 * (https://github.com/anthropics/claude-code/issues/24055), the AI SDK and with it OpenCode read `length`, Codex sends
 * the request again (`response.incomplete` in codex-rs/codex-api/src/sse/responses.rs). As a stop it would be the end
 * of the turn, and stopMessage would take it for the model's own will. Gemini has a word of its own for it.
 * `content-filter` and `refusal` share one where there is only one.
 */
export const finishWords = {
  chat: {
    stop: 'stop',
    'stop-sequence': 'stop',
    'tool-calls': 'tool_calls',
    length: 'length',
    'content-filter': 'content_filter',
    refusal: 'content_filter',
    'pause-turn': 'length',
    incomplete: 'length',
  },
  messages: {
    stop: 'end_turn',
    'stop-sequence': 'stop_sequence',
    'tool-calls': 'tool_use',
    length: 'max_tokens',
    'content-filter': 'refusal',
    refusal: 'refusal',
    'pause-turn': 'pause_turn',
    incomplete: 'max_tokens',
  },
  /** `incomplete_details.reason` of an incomplete response; null: it is completed */
  responses: {
    stop: null,
    'stop-sequence': null,
    'tool-calls': null,
    length: 'max_output_tokens',
    'content-filter': 'content_filter',
    refusal: 'content_filter',
    'pause-turn': 'max_output_tokens',
    incomplete: 'max_output_tokens',
  },
  gemini: {
    stop: 'STOP',
    'stop-sequence': 'STOP',
    'tool-calls': 'STOP',
    length: 'MAX_TOKENS',
    'content-filter': 'SAFETY',
    refusal: 'SAFETY',
    'pause-turn': 'OTHER',
    incomplete: 'OTHER',
  },
} as const satisfies Record<WireProtocol, Record<AnswerFinish, string | null>>
