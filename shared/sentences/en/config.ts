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

/** What the engine says in English where it names nothing that is known here: it may be of another version. */
export const configProblem = (problem: ConfigProblem): string => configFault(problem) ?? problem.message
export const configUnread = ({ what, fault }: Pick<ConfigTrouble, 'what' | 'fault'>): string | null =>
  (fault && configFault(fault)) ?? what
