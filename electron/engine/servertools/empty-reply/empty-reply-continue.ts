import type { AutomaticTool } from '../types.ts'

/**
 * An answer without text, thinking or call is asked for once more (Gemini is known for such); clients would retry whole
 * turns or stop.
 */
export const emptyReplyContinue: AutomaticTool = {
  trigger: 'auto',
  name: 'empty_reply_continue',
  about: 'Asks once more when a model answers with nothing at all.',
  onByDefault: true,
  phase: 'answer-ended',
  priority: 50,
  problem: () => null,
  mayReact: (_turn, { empty, finish }) => empty && finish === 'stop',
  async react({ empty, clientLeft, again, finish }) {
    if (!empty || clientLeft || finish !== 'stop') return null
    return again
      ? { kind: 'gave-up', code: 'empty-again', message: 'The model answered with nothing once more' }
      : { kind: 'reenter', text: 'continue', note: 'The answer was empty; the model is asked once more' }
  },
}
