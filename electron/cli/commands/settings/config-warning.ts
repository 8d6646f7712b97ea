import type { Sentences } from '../../../../shared/sentences/index.ts'
import type { EngineStatus } from '../../../../shared/state.ts'
import type { Cli } from '../../cli.ts'
import { oneLine } from '../../output/clean.ts'
import { wordsOf } from '../../output/print.ts'
import { sayProblems } from './config-file.ts'

type Status = Pick<EngineStatus, 'configPath' | 'configProblem' | 'configTrouble'>

/** The problem in the config file and its place, the config that runs meanwhile, and what a person can do. */
export function configWarning(status: Status, cli: Cli, sentences: Pick<Sentences, 'meanwhile'>): string {
  const { style } = wordsOf(cli)
  const sign = style.shape('failed', '▲')
  const { configTrouble: trouble, configPath, configProblem } = status
  // an engine of an earlier version says it in one sentence
  if (!trouble) return `${sign} Config not taken over: ${oneLine(configProblem ?? '')}\n`
  const more = trouble.total - trouble.problems.length
  return [
    `${sign} Config not taken over. ${sentences.meanwhile(trouble.meanwhile)}\n`,
    trouble.what === null ? sayProblems(configPath, trouble.problems, cli) : `${sign} ${oneLine(trouble.what)}\n`,
    more > 0 ? `  And ${more} more.\n` : '',
    `  Mend it: ${style.strong('onward config edit')}\n`,
    trouble.canPutBack ? `  Put back the last one that was right: ${style.strong('onward config put-back')}\n` : '',
  ].join('')
}
