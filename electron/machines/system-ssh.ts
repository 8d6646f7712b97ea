import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { LinkDeps } from './ssh-process.ts'

/** The `ssh` of the system. */
export const systemSsh = (
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): LinkDeps => ({
  spawn: (words) => spawn('ssh', words, { env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true }),
  // the OpenSSH of Windows shares no connections
  folder: platform === 'win32' ? null : join(home, 'run'),
})
