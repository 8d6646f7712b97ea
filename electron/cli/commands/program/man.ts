import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { placeOf } from '../../place.ts'

/** As completion.ts it describes the program it is a part of, for which all commands have to be loaded. */
export function addMan(program: Command, cli: Cli): void {
  const command = program
    .command('man')
    .summary('the manual page')
    .description('Prints the manual page, made from the commands themselves.')
  examples(withCommon(command), [
    ['onward man | man -l -', 'read it (GNU/Linux)'],
    ['onward man > ~/.local/share/man/man1/onward.1', 'for `man onward`'],
  ])
  command.action(async () => {
    // of this machine's Onward alone
    placeOf(command, cli)
    cli.out((await import('../../man/man-page.ts')).manPage(program, { version: cli.version, now: cli.now() }))
  })
}
