import type { ConfigFault } from '../../../shared/config/config-faults.ts'
import { lastGoodFileName } from './last-good.ts'
import { sentenceOfFault } from './problem-of.ts'
import type { ConfigProblem, ConfigTrouble, Meanwhile } from './types.ts'

/** More than a person mends without looking again; the status goes to every viewer. */
const MOST_PROBLEMS = 20

/** @param unread why the file can't be read at all; null: `problems` say what is wrong in it */
export function troubleOf(
  unread: ConfigFault | null,
  problems: readonly ConfigProblem[],
  meanwhile: Meanwhile,
): ConfigTrouble {
  const inOrder = problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
  return {
    problems: inOrder.slice(0, MOST_PROBLEMS),
    total: problems.length,
    what: unread && sentenceOfFault(unread),
    fault: unread,
    meanwhile,
    // A file that can't be read can't be kept beside either.
    canPutBack: unread === null && meanwhile !== 'nothing',
  }
}

/** One sentence and what runs, for log, timeline and tray. */
export function sentenceOf({ problems, total, what, meanwhile }: ConfigTrouble): string {
  return `${what ?? first(problems, total)} ${outcome[meanwhile]}`
}

const outcome: Readonly<Record<Meanwhile, string>> = {
  before: 'The config that ran before goes on.',
  copy: `The last one that was right runs, from ${lastGoodFileName}.`,
  nothing: 'Onward refuses all calls until it is mended.',
}

function first([problem]: readonly ConfigProblem[], total: number): string {
  if (!problem) return 'The config is not valid.'
  const where =
    `config.json, line ${problem.line}, column ${problem.column}` + `${problem.path === '' ? '' : ` (${problem.path})`}`
  return `${where}: ${problem.message}${total > 1 ? ` And ${total - 1} more.` : ''}`
}
