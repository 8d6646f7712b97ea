import { excerpt } from '../../../../shared/sentences/excerpt.ts'
import { plainText } from './plain-text.ts'
import { runners } from './runners.ts'
import { tallyText } from './tally.ts'

/**
 * How a check went, in one line: what its runner counted, else its last line. `output`: both its streams. Only the exit
 * code says whether it passed; where the runner's count reads otherwise, both are said.
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
