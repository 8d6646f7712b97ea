import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { whichSession } from './checks-text.ts'

export function addSay(program: Command, cli: Cli): void {
  engineCommand(program, cli, {
    usage: 'say <session> <text>',
    takes: [whichSession, 'what to type; - reads it from stdin'],
    summary: 'type a message into a session’s terminal',
    description: 'Queues a message for a session. It is typed when the agent is idle and nothing stands in the way.',
    examples: [
      ['onward say billing "run the tests again"', 'typed at the next stop'],
      ['git diff --stat | onward say billing -', 'text from stdin'],
    ],
    async input(session: string, given: string) {
      const text = given === '-' ? (await cli.readStdin()).replace(/\r?\n$/, '') : given
      if (text.trim() === '') throw new CliError('usage', 'There is nothing to say: the text is empty.')
      return { session, text }
    },
    ask: (calls, input) => calls.say.mutate(input),
    tell: ({ id, hold, state }, { style, sentences }) =>
      `${style.shape('held', '◐')} ${hold ? sentences.hold(hold) : sentences.outbox(state)} ${style.quiet(id)}\n`,
  })
}
