import { excerpt } from '../../../../shared/sentences/excerpt.ts'
import { plainText } from './plain-text.ts'
import { runners } from './runners.ts'
import { tallyText } from './tally.ts'

/**
 * Summarizes a check in one line: its runner's count, else the last line of output. `output`: both its streams. Only
 * the exit code decides whether it passed; where the runner's count disagrees, both are said.
 */
export function sayOfOutput(output: string, passed: boolean, exitCode: number | null): string {
  const text = plainText(output)
  const tallies = runners.flatMap((read) => read(text) ?? [])
  const tally = tallies.find((one) => one.failed > 0) ?? tallies[0]
  const how = exitCode === null ? 'a signal ended it' : `it ended with ${exitCode}`
  if (tally !== undefined) return tally.failed > 0 === passed ? `${tallyText(tally)}, yet ${how}` : tallyText(tally)
  const last = text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => /[\p{L}\p{N}]/u.test(line))
  return last === undefined ? (passed ? 'it said nothing' : `${how} and said nothing`) : excerpt(last)
}
