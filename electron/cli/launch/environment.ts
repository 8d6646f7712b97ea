import { ofThisTerminal } from '../../engine/terminals/of-this-terminal.ts'

/** The person's environment for a program that runs elsewhere. */
export function personsEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !ofThisTerminal(entry[0]),
    ),
  )
}
