import { linuxProcReader } from './linux.ts'
import { macosProcReader } from './macos.ts'
import type { ProcReader } from './proc-reader.ts'

/** Null where the system can't show who is in front of a terminal: nothing is typed there. */
export function systemProcReader(platform: NodeJS.Platform): ProcReader | null {
  if (platform === 'linux') return linuxProcReader()
  return platform === 'darwin' ? macosProcReader() : null
}
