import type { Cli } from '../../cli.ts'
import { CliError } from '../../exit.ts'
import { confirmTyped, needPerson } from '../../person.ts'

/**
 * A key is handed over by a person: a program that only has a pipe can't confirm.
 * @param owner whom it is kept for, and the word that is typed to confirm
 * @param hint what a program can do instead
 */
export async function confirmedKey(cli: Cli, owner: string, word: string, hint: string): Promise<string> {
  // stdin holds the key
  needPerson(cli, ['err'], 'Storing a key needs a person at a terminal who confirms it.', hint)
  const key = (await cli.readStdin()).trim()
  if (key === '') throw new CliError('usage', 'There was no key on stdin.')
  confirmTyped(
    cli,
    `This key of ${key.length} characters is kept for ${owner}: in the system’s keychain where it works, ` +
      `else in a file that only you can read.\nType ${word} to confirm: `,
    [word],
    'Not confirmed: nothing was stored.',
  )
  return key
}
