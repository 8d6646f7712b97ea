import { join } from 'node:path'
import type { ConfigProblem } from '../../../engine/config/types.ts'
import type { Cli } from '../../cli.ts'
import { oneLine } from '../../output/clean.ts'
import { wordsOf } from '../../output/print.ts'

export const configFile = (home: string): string => join(home, 'config.json')

/** Where, as a person finds it in the file, and what. */
export const sayProblem = ({ path, message }: ConfigProblem): string => (path === '' ? message : `${path}: ${message}`)

export function sayProblems(file: string, problems: readonly ConfigProblem[], cli: Cli): string {
  const { style } = wordsOf(cli)
  return problems
    .map(
      (problem) =>
        `${style.shape('failed', '▲')} ${file}:${problem.line}:${problem.column} ${oneLine(sayProblem(problem))}\n`,
    )
    .join('')
}
