import type { Disposable } from '../../base/disposable.ts'
import type { Log } from '../../base/log.ts'

/** Logs a fault of this process instead of ending, because agents live in it. */
export function surviveErrors(log: Log): Disposable {
  const survive = (error: unknown) => log.error({ err: error }, 'a fault in the process that holds the terminals')
  process.on('uncaughtException', survive)
  process.on('unhandledRejection', survive)
  return {
    dispose() {
      process.off('uncaughtException', survive)
      process.off('unhandledRejection', survive)
    },
  }
}
