import { Option, type Command } from 'commander'
import { secretPlaces, type SecretPlace } from '../../../../shared/secrets/secret-places.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { lines, oneLine } from '../../output/clean.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'

export function addKeys(parent: Command, cli: Cli): void {
  const command = parent
    .command('keys')
    .summary('where stored keys are kept; move them')
    .description(
      'Says where the keys and addresses are that Onward stores: in the system’s ' +
        'keychain, or in a file that only you can read. --to moves all of them, and keeps ' +
        'new ones there. Each stays in its old place until it is whole in the new one.',
    )
    .addOption(new Option('--to <place>', 'move all there').choices(secretPlaces))
  examples(withCommon(command), [
    ['onward providers keys', 'where they are'],
    ['onward providers keys --to keychain', 'none is in a file any more'],
    ['onward providers keys --to file', 'for a server without a keychain'],
  ])
  command.action(async () => {
    const { to } = command.opts<{ to?: SecretPlace }>()
    const [kept, status] = await withEngine(placeOf(command, cli), async (calls) => [
      await (to === undefined ? calls.secretsKept.query() : calls.moveSecrets.mutate(to)),
      await calls.status.query(),
    ])
    if (wantsJson(command)) return printJson(cli, kept)
    const { secretsKept, secretsMend } = await cli.parts.sentencesOf(status.language)
    const { style } = wordsOf(cli)
    const mend = secretsMend(kept)
    cli.out(`${mend === null ? style.shape('done', '✓') : style.shape('failed', '▲')} ${oneLine(secretsKept(kept))}\n`)
    for (const line of mend === null ? [] : lines(mend)) cli.out(`  ${line}\n`)
  })
}
