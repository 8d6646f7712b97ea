import type { Language } from '../../../shared/words.ts'
import { OnwardError } from '../base/errors.ts'
import type { CalledTool } from './types.ts'

export interface ContinueExecutionDeps {
  language(): Language
  /** the terminal is there and can be typed into */
  terminalAlive(terminalId: string): boolean
}

/** Typed when the model gives no text of its own. */
export const defaultContinueText = (language: Language): string =>
  language === 'zh-CN' ? '继续执行' : 'Continue with the task.'

/** Lets the model end its turn and be called again at once, by a message typed into its terminal. */
export function createContinueExecution({ language, terminalAlive }: ContinueExecutionDeps): CalledTool {
  return {
    trigger: 'tool_call',
    name: 'continue_execution',
    aliases: [],
    about: 'Lets the model end its turn and go on at once in a new one.',
    onByDefault: true,
    declared: 'with-tools',
    neverShown: true,
    declaration: () => ({
      name: 'continue_execution',
      description:
        'End this turn and start the next one by yourself. Call it alone, as the ' +
        'last thing of a turn, when work is left that needs no answer from the user.',
      parameters: {
        type: 'object',
        properties: {
          summary: { type: 'string', description: 'What to go on with. It becomes your next user message.' },
        },
        additionalProperties: false,
      },
      strict: false,
    }),
    offered: ({ terminalId }) => terminalId !== null,
    problem: () => null,
    inOrder: false,
    timeoutMs: () => 5_000,
    did: 'goes on in the next turn',
    async run({ input }, { turn }) {
      if (turn.terminalId === null || !terminalAlive(turn.terminalId))
        throw new OnwardError('no-terminal', 'There is no terminal to go on in. Do the work in this turn.')
      const summary = typeof input?.['summary'] === 'string' ? input['summary'].trim() : ''
      return {
        kind: 'continue',
        text: summary === '' ? defaultContinueText(language()) : summary,
        result: 'The next turn begins with your summary.',
        said: summary === '' ? 'with the default text' : 'with its own summary',
      }
    },
  }
}
