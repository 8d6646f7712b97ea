import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'

export function addPutBack(parent: Command, cli: Cli): void {
  const command = parent
    .command('put-back')
    .summary('the last one that was right, when the file is wrong')
    .description(
      'Puts the last config that was right in the place of one that ' +
        'is wrong, and keeps the wrong one as a file beside it.',
    )
  examples(withCommon(command), [['onward config check || onward config put-back', 'when an edit went wrong']])
  command.action(async () => {
    const { kept } = await withEngine(placeOf(command, cli), (calls) => calls.putBackConfig.mutate())
    if (wantsJson(command)) return printJson(cli, { kept })
    cli.out(
      `${wordsOf(cli).style.shape('done', '✓')} The last config ` +
        `that was right is back. The other one is kept: ${kept}\n`,
    )
  })
}
