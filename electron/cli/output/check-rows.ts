/** Declared checks as the goal's card shows them: whether each may run, and how it went last. */
import { shapeGlyphs, type Sentences } from '../../../shared/sentences/index.ts'
import type { CheckView, FolderChecks } from '../../../shared/review.ts'
import type { SessionShape } from '../../../shared/words.ts'
import { argvText } from './argv-text.ts'
import { oneLine } from './clean.ts'
import { rows } from './columns.ts'
import { plural, type Words } from './print.ts'

/** approved once, and not for what it is now: it has to pass, and may run as it was approved at most */
const mayRun = ({ approval }: CheckView): boolean => approval === 'approved' || approval === 'removed'

export function checkShape(check: CheckView): SessionShape {
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

export function checkRows(
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
export function checksHead({ folder, problem }: FolderChecks, { style }: Words): string {
  const where = folder === null ? '' : `${style.quiet('Checks of')} ${oneLine(folder)}\n`
  return problem === null ? where : `${where}${style.shape('failed', '▲')} ${oneLine(problem)}\n`
}
