import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'

export function addDashboard(program: Command, cli: Cli): void {
  const command = program
    .command('dashboard')
    .summary('a link to the dashboard')
    .description(
      'Prints a new link to the dashboard of the running engine. A link opens ' +
        'one window, once, and its window stays signed in while this engine runs.',
    )
    .option('--sign-out', 'sign out all windows instead, and end links that were not used yet')
  examples(withCommon(command), [
    ['onward dashboard', 'open what it prints in a browser'],
    ['onward dashboard --sign-out', 'every window needs a new link'],
  ])
  command.action(async () => {
    const place = placeOf(command, cli)
    if (command.opts<{ signOut?: boolean }>().signOut) {
      await withEngine(place, (calls) => calls.signOutWindows.mutate())
      return wantsJson(command)
        ? printJson(cli, { signedOut: true })
        : cli.out('All dashboard windows are signed out. A new link: `onward dashboard`.\n')
    }
    const url = await withEngine(place, (calls) => calls.dashboardLink.mutate())
    if (wantsJson(command)) return printJson(cli, { url })
    const { style } = wordsOf(cli)
    cli.out(`${url}\n`)
    if (cli.tty.out) cli.out(`${style.quiet('Good for one window, once.')}\n`)
  })
}
