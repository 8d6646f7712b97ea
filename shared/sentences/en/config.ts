import type { ConfigProblem, ConfigTrouble, Meanwhile } from '../../config/config-text.ts'
import type { PolicyTrouble } from '../../policy/policy.ts'
import { configFault } from './config-faults.ts'

const meanwhileWords: Readonly<Record<Meanwhile, string>> = {
  before: 'The config that ran before stays in force; nothing has stopped.',
  copy: 'The last config that was right runs meanwhile.',
  nothing: 'All calls are refused until it is mended.',
}
export const meanwhile = (kind: Meanwhile): string => meanwhileWords[kind]

/** Returns the engine's English sentence for a problem that is not known here: its version may be another one. */
export const configProblem = (problem: ConfigProblem): string => configFault(problem) ?? problem.message
export const configUnread = ({ what, fault }: Pick<ConfigTrouble, 'what' | 'fault'>): string | null =>
  (fault && configFault(fault)) ?? what

const heldMeanwhile: Readonly<Record<PolicyTrouble['meanwhile'], string>> = {
  before: 'The rules read before go on.',
  nothing: 'All calls are refused until it is mended.',
}
export function policyTrouble({ source, problem, meanwhile: kind }: PolicyTrouble): string {
  const { line, column, path } = problem
  const place = line === 0 ? '' : `${source}, line ${line}, column ${column}${path === '' ? '' : ` (${path})`}: `
  return `${place}${configProblem(problem)} ${heldMeanwhile[kind]}`
}
