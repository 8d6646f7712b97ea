import { commandWords, type CommandWord } from '../../../../shared/commands/split-command.ts'
import { OnwardError } from '../../base/errors.ts'

/**
 * Splits a command as a person or a file writes it into the words of a program. Shell syntax is refused rather than
 * passed on as plain words: `npm test | tail` would run npm with the arguments `|` and `tail`.
 * @throws OnwardError `bad-command`
 */
export function splitCheckCommand(command: string): string[] {
  const words = commandWords(command)
  if (words === null) throw bad('A quote in the command is not closed.')
  if (/[\n\r]/.test(command.trim())) throw bad(`The command has more than one line. ${intoScript}`)
  for (const [at, word] of words.entries()) {
    const why = whyShell(word, at === 0)
    if (why !== null) throw bad(`${why} No shell runs checks. ${intoScript}`)
  }
  const argv = words.map((word) => word.text)
  const problem = argvProblem(argv)
  if (problem !== null) throw bad(problem)
  return argv
}

/** Why words can't be a check's; null: they can. A person can't approve characters that they can't see. */
export function argvProblem(argv: readonly string[]): string | null {
  if ((argv[0] ?? '').trim() === '') return 'No program is named.'
  if (argv.length > MOST_WORDS) return `The command has more than ${MOST_WORDS} words. ${intoScript}`
  if (argv.some((word) => word.length > LONGEST_WORD))
    return `A word of the command is longer than ${LONGEST_WORD} characters. ${intoScript}`
  if (argv.some(hasInvisible)) return `The command has characters that can’t be seen. ${intoScript}`
  return null
}

/** Control and format characters (those that turn the direction of writing among them), and other line ends. */
export const hasInvisible = (text: string): boolean => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)

/** The limits that the control contract sets for approval. */
const MOST_WORDS = 200
const LONGEST_WORD = 8_192

const intoScript = 'Put it in a script of the repository and name that.'
const bad = (message: string) => new OnwardError('bad-command', message, { status: 400 })

const inBare: readonly (readonly [RegExp, string])[] = [
  [/[$`]/, 'The command has a variable or another command in it.'],
  [/\|/, 'The command has a pipe or an “or” in it.'],
  [/&/, 'The command has an “&” in it.'],
  [/;/, 'The command has a “;” in it.'],
  [/[<>]/, 'The command redirects its input or output.'],
  [/[()]/, 'The command has parentheses in it.'],
  [/[*?]|\[.*\]/, 'The command has a pattern for file names in it.'],
  [/\{.*(,|\.\.).*\}/, 'The command has a list in braces in it.'],
  [/^(~|#)/, 'The command has a word that begins with “~” or “#”.'],
]

function whyShell(word: CommandWord, first: boolean): string | null {
  if (/[$`]/.test(word.doubleQuoted)) return 'The command has a variable or another command in it.'
  if (first && /^[A-Za-z_]\w*=/.test(word.bare)) return 'The command sets a variable before it names a program.'
  return inBare.find(([pattern]) => pattern.test(word.bare))?.[1] ?? null
}
