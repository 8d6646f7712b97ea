/** `onward serve`: a crash is kept, reported on stderr, and ends the process; its supervisor starts it again. */
import type { Disposable } from '../engine/base/disposable.ts'
import type { CrashContext } from './record-crash.ts'
import { noteUncleanEnd } from './unclean-end.ts'
import { watchCrashes } from './watch-crashes.ts'

export async function serveCrashes(home: string, version: string): Promise<Disposable> {
  const context: CrashContext = { home, version, env: process.env, now: () => Date.now() }
  await noteUncleanEnd(context)
  return watchCrashes('serve', context, ({ path, report }) => {
    const where = path === null ? `The report could not be kept:\n${report}` : `The report is ${path}.`
    process.stderr.write(`onward: the engine ended unexpectedly. Agents live on. ${where}\n`)
    process.exit(1)
  })
}
