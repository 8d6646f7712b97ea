import { readdirSync, readlinkSync } from 'node:fs'
import { sep } from 'node:path'
import { projectsOf } from '../engine-process.ts'

/** Gemini CLI 0.61.0 outlives its terminal: whatever still works in a project of this home is ended. */
export function endAgents(home: string): void {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    if (folderOf(name)?.startsWith(projectsOf(home) + sep)) process.kill(Number(name), 'SIGKILL')
  }
}

function folderOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // it ended while we looked, or is the kernel's
    return null
  }
}
