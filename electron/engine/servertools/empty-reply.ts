import type { AutomaticTool, RoundEnding } from './types.ts'

const isEmptyReply = ({ empty, finish }: RoundEnding): boolean => empty && finish === 'stop'

/**
 * Asks once more after an answer without text, thinking or call (Gemini is known for such); clients would retry whole
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
  mayReact: (_turn, end) => isEmptyReply(end),
  async react(round) {
    if (round.clientLeft || !isEmptyReply(round)) return null
    return round.again
      ? { kind: 'gave-up', code: 'empty-again', message: 'The model answered with nothing once more' }
      : { kind: 'reenter', text: 'continue', note: 'The answer was empty; the model is asked once more' }
  },
}
