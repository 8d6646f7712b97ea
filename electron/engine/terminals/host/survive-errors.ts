import type { Disposable } from '../../base/disposable.ts'
import type { Log } from '../../base/log.ts'

/** A fault of this process must not end the agents that live in it: it is written down, and they go on. */
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
