import type { Disposable } from '../engine/base/disposable.ts'
import { recordCrash, type CrashContext, type KeptCrash } from './record-crash.ts'
import type { CrashPlace } from './report.ts'
import { noteUncleanEnd } from './unclean-end.ts'

/** Ends this process on an uncaught error; `ended` reports it and has the last word, once. */
export function watchCrashes(
  where: CrashPlace,
  context: CrashContext,
  ended: (crash: KeptCrash, error: unknown) => void,
): Disposable {
  let over = false
  const thrown = (error: unknown) => {
    if (over) return
    over = true
    ended(recordCrash(where, error, context), error)
  }
  // Electron only warns of these.
  const rejected = (reason: unknown) => {
    throw reason
  }
  process.on('uncaughtException', thrown)
  process.on('unhandledRejection', rejected)
  return {
    dispose() {
      process.off('uncaughtException', thrown)
      process.off('unhandledRejection', rejected)
    },
  }
}

/** `onward serve`: a crash is kept, reported on stderr, and ends the process; its supervisor starts it again. */
export async function serveCrashes(home: string, version: string): Promise<Disposable> {
  const context: CrashContext = { home, version, env: process.env, now: () => Date.now() }
  await noteUncleanEnd(context)
  return watchCrashes('serve', context, ({ path, report }) => {
    const where = path === null ? `The report could not be kept:\n${report}` : `The report is ${path}.`
    process.stderr.write(`onward: the engine ended unexpectedly. Agents live on. ${where}\n`)
    process.exit(1)
  })
}
