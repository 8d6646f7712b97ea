import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'

export function addSay(program: Command, cli: Cli): void {
  const command = program
    .command('say')
    .summary('type a message into a session’s terminal')
    .description('Queues a message for a session. It is typed when the agent is idle and nothing stands in the way.')
    .argument('<session>', 'session id, its beginning, its name, or a terminal id')
    .argument('<text>', 'what to type; - reads it from stdin')
  examples(withCommon(command), [
    ['onward say billing "run the tests again"', 'typed at the next stop'],
    ['git diff --stat | onward say billing -', 'text from stdin'],
  ])
  command.action(async (session: string, given: string) => {
    const text = given === '-' ? (await cli.readStdin()).replace(/\r?\n$/, '') : given
    if (text.trim() === '') throw new CliError('usage', 'There is nothing to say: the text is empty.')
    const [entry, status] = await withEngine(placeOf(command, cli), (calls) =>
      Promise.all([calls.say.mutate({ session, text }), calls.status.query()]),
    )
    if (wantsJson(command)) return printJson(cli, entry)
    const { style } = wordsOf(cli)
    const sentences = await cli.parts.sentencesOf(status.language)
    const state = entry.hold ? sentences.hold(entry.hold) : sentences.outbox(entry.state)
    cli.out(`${style.shape('held', '◐')} ${state} ${style.quiet(entry.id)}\n`)
  })
}
