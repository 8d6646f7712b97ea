import type { ConfigProblem, ConfigTrouble, Meanwhile } from '../../config/config-text.ts'
import { configFault } from './config-faults.ts'

export function meanwhile(kind: Meanwhile): string {
  switch (kind) {
    case 'before':
      return 'The config that ran before stays in force; nothing has stopped.'
    case 'copy':
      return 'The last config that was right runs meanwhile.'
    case 'nothing':
      return 'All calls are refused until it is mended.'
  }
}

/** Returns the engine's English sentence for a problem that is not known here: its version may be another one. */
export const configProblem = (problem: ConfigProblem): string => configFault(problem) ?? problem.message
export const configUnread = ({ what, fault }: Pick<ConfigTrouble, 'what' | 'fault'>): string | null =>
  (fault && configFault(fault)) ?? what
