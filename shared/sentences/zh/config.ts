import type { ConfigProblem, ConfigTrouble, Meanwhile } from '../../config/config-text.ts'
import type { PolicyTrouble } from '../../policy/policy.ts'
import { configFault } from './config-faults.ts'
import { zh } from './spaced.ts'

const meanwhileWords: Readonly<Record<Meanwhile, string>> = {
  before: '之前的配置继续生效，没有任何东西停下。',
  copy: '暂时使用上一份正确的配置。',
  nothing: '修好之前，所有请求都会被拒绝。',
}
export const meanwhile = (kind: Meanwhile): string => meanwhileWords[kind]

/** Returns the engine's English sentence for a problem that is not known here: its version may be another one. */
export const configProblem = (problem: ConfigProblem): string => configFault(problem) ?? problem.message
export const configUnread = ({ what, fault }: Pick<ConfigTrouble, 'what' | 'fault'>): string | null =>
  (fault && configFault(fault)) ?? what

export const placeInConfig = ({ line, column, path }: Pick<ConfigProblem, 'line' | 'column' | 'path'>): string =>
  zh`第 ${line} 行第 ${column} 列${path === '' ? '' : `（${path}）`}`

/** The problem, its place, and the config that runs meanwhile. */
export function configTrouble(trouble: ConfigTrouble): string {
  const [first] = trouble.problems
  const more = trouble.total > 1 ? zh`另有 ${trouble.total - 1} 处。` : ''
  const what =
    configUnread(trouble) ?? (first ? `${placeInConfig(first)}：${configProblem(first)}${more}` : '内容有错。')
  return `${what}${meanwhile(trouble.meanwhile)}`
}

const heldMeanwhile: Readonly<Record<PolicyTrouble['meanwhile'], string>> = {
  before: '之前读到的规定继续生效。',
  nothing: '修好之前，所有请求都会被拒绝。',
}
export const policyTrouble = ({ source, problem, meanwhile: kind }: PolicyTrouble): string =>
  `${problem.line === 0 ? '' : zh`${source}，${placeInConfig(problem)}：`}${configProblem(problem)}${heldMeanwhile[kind]}`
