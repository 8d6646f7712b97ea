/** Where the log of a home is. Both hosts write it, `onward logs` reads it. */
import { join } from 'node:path'
import type { LogFile } from '../engine/records/create-log.ts'

export const engineLogFile = (home: string): string => join(home, 'logs', 'engine.log')

/** Where the log can't be written, stderr is what is left. */
export async function openEngineLog(home: string, options: { level?: string } = {}): Promise<LogFile> {
  const { createLog } = await import('../engine/records/create-log.ts')
  return createLog({
    file: engineLogFile(home),
    level: options.level,
    onFailure: (message) => process.stderr.write(`onward: ${message}\n`),
  })
}
