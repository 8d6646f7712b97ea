/** Words that the commands on checks share. */
import type { CheckView, FolderChecks } from '../../../../shared/review.ts'
import { type Sentences, shapeGlyphs } from '../../../../shared/sentences/index.ts'
import type { SessionShape } from '../../../../shared/words.ts'
import type { Cli } from '../../cli.ts'
import { CliError } from '../../exit.ts'
import { argvText } from '../../output/argv-text.ts'
import { oneLine } from '../../output/clean.ts'
import { rows } from '../../output/columns.ts'
import { wordsOf, plural, type Words } from '../../output/print.ts'

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

/** approved once, and not for what it is now: it has to pass, and may run as it was approved at most */
const mayRun = ({ approval }: CheckView): boolean => approval === 'approved' || approval === 'removed'

function checkShape(check: CheckView): SessionShape {
  if (check.running) return 'working'
  if (!mayRun(check)) return 'needs'
  if (check.last === null) return 'idle'
  return check.last.outcome === 'passed' ? 'done' : 'failed'
}

const approvals: Readonly<Record<CheckView['approval'], string>> = {
  approved: 'approved',
  'not-approved': 'not approved',
  changed: 'changed since its approval',
  removed: 'no longer declared, still required',
}

/** Declared checks as the goal's card shows them: whether each may run, and how it went last. */
function checkRows(
  { checks }: FolderChecks,
  { style, columns }: Words,
  { checkOutcome, figures }: Sentences,
  now: number,
): string {
  const went = ({ running, last }: CheckView) =>
    running
      ? 'is running'
      : last === null
        ? 'never ran'
        : `${checkOutcome(last.outcome)}${last.say === '' ? '' : `: ${last.say}`}`
  return rows(
    checks,
    [
      {
        text: (check) => shapeGlyphs[checkShape(check)],
        paint: (text, check) => style.shape(checkShape(check), text),
        tight: true,
      },
      { text: ({ name }) => name, paint: style.strong, most: 40 },
      { text: ({ argv }) => argvText(argv), gives: 16 },
      {
        text: ({ approval, changedFiles }) =>
          `${approvals[approval]}` +
          `${changedFiles.length > 0 ? `, ${plural(changedFiles.length, 'file')} it runs changed` : ''}`,
        paint: (text, check) => (mayRun(check) ? style.quiet(text) : text),
      },
      { text: went, gives: 12 },
      { text: ({ last }) => (last === null ? '' : figures.minuteOfDay(last.at, now)), paint: style.quiet },
    ],
    columns,
  )
}

/** The lines around the rows: the folder they run in, and the problem. */
function checksHead({ folder, problem }: FolderChecks, { style }: Words): string {
  const where = folder === null ? '' : `${style.quiet('Checks of')} ${oneLine(folder)}\n`
  return problem === null ? where : `${where}${style.shape('failed', '▲')} ${oneLine(problem)}\n`
}
