import { uptime } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { systemCodeOf } from '../base/errors.ts'
import { tempPrefix } from '../store/disk-files.ts'
import type { Files } from '../store/types.ts'

/** Facts about the processes of this machine. */
export interface Processes {
  alive(pid: number): boolean
  /** milliseconds since the machine was started */
  uptime(): number
}

/** A write takes milliseconds. A file that old is no longer written, whatever process has its number by now. */
const OLD_MS = 600_000

/**
 * Removes the temporary files that killed processes left beside the config: one may hold all secrets. To be called
 * before this process writes there; files of others that live are theirs. One that can't be removed keeps none of the
 * others from it. @throws the first error
 */
export async function sweepTemps(
  home: string,
  files: Pick<Files, 'list' | 'remove' | 'modifiedAt'>,
  clock: Pick<Clock, 'now'>,
  processes: Processes = { alive: isAlive, uptime: () => uptime() * 1_000 },
): Promise<void> {
  const errors: unknown[] = []
  for (const name of await files.list(home)) {
    const pid = name.startsWith(tempPrefix) ? /^(\d+)-\d+\.tmp$/.exec(name.slice(tempPrefix.length))?.[1] : undefined
    if (pid === undefined) continue
    const path = join(home, name)
    try {
      if (!(await isTheirs(path, Number(pid)))) await files.remove(path)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]

  /** A process number is given again, after a restart of the machine at once. */
  async function isTheirs(path: string, pid: number): Promise<boolean> {
    if (pid === process.pid || !processes.alive(pid)) return false
    const changed = await files.modifiedAt?.(path)
    if (changed === undefined || changed === null) return true
    const age = clock.now() - changed
    return age < OLD_MS && age < processes.uptime()
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCodeOf(error) === 'EPERM'
  }
}
