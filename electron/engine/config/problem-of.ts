import type { ConfigFault } from '../../../shared/config/config-faults.ts'
import { configFault } from '../../../shared/sentences/en/config-faults.ts'
import type { ConfigProblem } from './types.ts'

/** A fault at its place. The engine, its log and the command line speak English. */
export const problemOf = (
  place: Pick<ConfigProblem, 'line' | 'column' | 'path'>,
  fault: ConfigFault,
): ConfigProblem => ({ ...place, ...fault, message: sentenceOfFault(fault) })

export const sentenceOfFault = (fault: ConfigFault): string => configFault(fault) ?? fault.code
