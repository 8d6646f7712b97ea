import { promises as fs } from 'node:fs'
import { systemCodeOf } from '../base/errors.ts'

/** Asks the operating system about other processes. */
export interface Processes {
  alive(pid: number): boolean
  /** a text that differs for every process that ever had this number; null where the system does not give one */
  startOf(pid: number): Promise<string | null>
}

export const systemProcesses = (): Processes => ({
  alive(pid) {
    try {
      process.kill(pid, 0)
      return true
    } catch (error) {
      // EPERM: it exists and belongs to another user
      return systemCodeOf(error) === 'EPERM'
    }
  },
  async startOf(pid) {
    try {
      const [stat, boot] = await Promise.all([
        fs.readFile(`/proc/${pid}/stat`, 'utf8'),
        fs.readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      ])
      return startFromStat(stat, boot)
    } catch (error) {
      const code = systemCodeOf(error)
      // no /proc here, or the process is gone or hidden: unknown, so the caller trusts `alive`
      if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return null
      throw error
    }
  },
})

/**
 * Reads field 22 of /proc/<pid>/stat, ticks since boot (proc_pid_stat(5)); the name in parentheses may hold anything.
 */
export function startFromStat(stat: string, boot: string): string | null {
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return start ? `${boot.trim()}:${start}` : null
}
