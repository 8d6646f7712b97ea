import { fail, type MockReply } from '../mock-upstream/index.ts'
import type { RealAgent } from './types.ts'

/** That the context window is full, as each protocol says it. */
export const contextFull: Readonly<Record<RealAgent['provider'], MockReply>> = {
  anthropic: fail(400, { message: 'prompt is too long: 213872 tokens > 200000 maximum' }),
  gemini: fail(400, {
    message: 'The input token count (1213872) exceeds the maximum number of tokens allowed (1048576).',
  }),
  'openai-chat': fail(400, {
    body: JSON.stringify({
      error: {
        message:
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 131072 tokens.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    }),
  }),
  'openai-responses': fail(400, {
    body: JSON.stringify({
      error: {
        message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
        type: 'invalid_request_error',
        param: 'input',
        code: 'context_length_exceeded',
      },
    }),
  }),
}
