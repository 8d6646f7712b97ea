import type { ConfigProblem, ConfigTrouble, Meanwhile } from '../../config/config-text.ts'
import { configFault } from './config-faults.ts'
import { zh } from './spaced.ts'

export function meanwhile(kind: Meanwhile): string {
  switch (kind) {
    case 'before':
      return '之前的配置继续生效，没有任何东西停下。'
    case 'copy':
      return '暂时使用上一份正确的配置。'
    case 'nothing':
      return '修好之前，所有请求都会被拒绝。'
  }
}

/** What the engine says in English where it names nothing that is known here: it may be of another version. */
export const configProblem = (problem: ConfigProblem): string => configFault(problem) ?? problem.message
export const configUnread = ({ what, fault }: Pick<ConfigTrouble, 'what' | 'fault'>): string | null =>
  (fault && configFault(fault)) ?? what

export const placeInConfig = ({ line, column, path }: Pick<ConfigProblem, 'line' | 'column' | 'path'>): string =>
  zh`第 ${line} 行第 ${column} 列${path === '' ? '' : `（${path}）`}`

/** What is wrong, where, and what runs meanwhile. */
export function configTrouble(trouble: ConfigTrouble): string {
  const [first] = trouble.problems
  const more = trouble.total > 1 ? zh`另有 ${trouble.total - 1} 处。` : ''
  const what =
    configUnread(trouble) ?? (first ? `${placeInConfig(first)}：${configProblem(first)}${more}` : '内容有错。')
  return `${what}${meanwhile(trouble.meanwhile)}`
}
