/**
 * Answers that only a person may give, typed at a terminal: a program that has a pipe can't, and no option replaces
 * them.
 */
import type { Cli } from './cli.ts'
import { CliError } from './exit.ts'

/** @throws CliError `needs-person` where no person could answer */
export function needPerson(cli: Cli, ends: readonly ('in' | 'err')[], sentence: string, hint: string): void {
  if (!ends.every((end) => cli.tty[end])) throw new CliError('refused', sentence, { hint, code: 'needs-person' })
}

/** @throws CliError `not-confirmed` when something else is typed */
export function confirmTyped(cli: Cli, question: string, accepted: readonly string[], otherwise: string): void {
  const typed = cli.askLine(question).trim()
  if (!accepted.includes(typed)) throw new CliError('refused', otherwise, { code: 'not-confirmed' })
}
