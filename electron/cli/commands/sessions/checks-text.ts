/** Words that the commands on checks share. */
import type { CheckView, FolderChecks } from '../../../../shared/review.ts'
import type { Sentences } from '../../../../shared/sentences/index.ts'
import type { Cli } from '../../cli.ts'
import { CliError } from '../../exit.ts'
import { checkRows, checksHead } from '../../output/check-rows.ts'
import { oneLine } from '../../output/clean.ts'
import { wordsOf } from '../../output/print.ts'

export const whichSession = 'session id, its beginning, its name, or a terminal id'
export const whichCheck = 'its name, as `onward checks` lists it'

export function checksText(checks: FolderChecks, sentences: Sentences, cli: Cli): string {
  const words = wordsOf(cli)
  const { style } = words
  if (checks.folder === null)
    return (
      `${style.shape('paused', '⏸')} Nobody knows which folder the agent works ` +
      `in, so no check can run. Start it with ${style.strong('onward')}.\n`
    )
  const head = checksHead(checks, words)
  if (checks.checks.length === 0)
    return (
      `${head}No check is declared: a reviewer’s evidence alone says when the goal is ` +
      `reached. Add one: ${style.strong('onward checks add <session> -- npm test')}\n`
    )
  return head + checkRows(checks, words, sentences, cli.now())
}

/** @throws CliError `check-unknown` that says which there are */
export function checkNamed({ checks }: FolderChecks, name: string): CheckView {
  const found = checks.find((check) => check.name === name)
  if (found) return found
  const names = checks.map((check) => oneLine(check.name)).join(', ')
  throw new CliError('notFound', `There is no check “${oneLine(name)}”.`, {
    hint: names === '' ? 'None is declared here.' : `There is: ${names}`,
    code: 'check-unknown',
  })
}
