import { constants } from 'node:os'
import type { Cli } from '../cli.ts'
import type { Ending } from './types.ts'

/** The number a shell shows: the exit code, or 128 + the signal's. */
export const statusOf = ({ exitCode, signal }: Ending): number =>
  exitCode ?? 128 + (signal ? constants.signals[signal] : 0)

/** Signals after which a core dump of ours would be left. */
const dumping = new Set<NodeJS.Signals>([
  'SIGQUIT',
  'SIGILL',
  'SIGABRT',
  'SIGFPE',
  'SIGSEGV',
  'SIGBUS',
  'SIGSYS',
  'SIGTRAP',
])

/** Ends us the way the agent ended, so that the shell sees the same; by the number where a signal can't be repeated. */
export function endLike(ending: Ending, cli: Cli): void {
  cli.exitWith(statusOf(ending))
  if (ending.signal && !dumping.has(ending.signal) && cli.platform !== 'win32') cli.dieBy(ending.signal)
}
