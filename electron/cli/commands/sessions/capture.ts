import { Argument, type Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { oneLine } from '../../output/clean.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'

export function addCapture(program: Command, cli: Cli): void {
  const command = program
    .command('capture')
    .summary('keep what a session sends and gets')
    .description(
      'Keeps the bodies of a session’s requests and answers on this disk, ' +
        'readable by you only: the newest 200 turns, at most 64 MiB. Headers and ' +
        'keys are never kept. Off for every session until it is switched on.',
    )
    .argument('<session>', 'session id, its beginning, its name, or a terminal id')
    .addArgument(new Argument('<switch>', 'whether its bodies are kept').choices(['on', 'off']))
  examples(withCommon(command), [
    ['onward capture billing on', 'from its next request on'],
    ['onward turns show req_…', 'says where the bodies of a turn are'],
    ['onward capture billing off', 'no more; what is there stays'],
  ])
  command.action(async (session: string, wanted: 'on' | 'off') => {
    const view = await withEngine(placeOf(command, cli), (calls) =>
      calls.setCapture.mutate({ session, on: wanted === 'on' }),
    )
    if (wantsJson(command)) return printJson(cli, view)
    const { style } = wordsOf(cli)
    const name = style.strong(oneLine(view.name))
    cli.out(
      view.capture
        ? `${style.shape('working', '●')} ${name}: bodies are kept from ` +
            'its next request on. `onward turns show` says where.\n'
        : `${style.shape('idle', '○')} ${name}: bodies are not kept any more. Those that are there stay.\n`,
    )
  })
}
