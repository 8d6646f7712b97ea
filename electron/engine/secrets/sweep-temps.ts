import { join } from 'node:path'
import { systemCodeOf } from '../base/errors.ts'
import { tempPrefix } from '../store/disk-files.ts'
import type { Files } from '../store/types.ts'

/**
 * Removes the temporary files that killed processes left beside the config: one may hold all secrets. To be called
 * before this process writes there; files of others that live are theirs.
 */
export async function sweepTemps(
  home: string,
  files: Pick<Files, 'list' | 'remove'>,
  alive: (pid: number) => boolean = isAlive,
): Promise<void> {
  for (const name of await files.list(home)) {
    const pid = name.startsWith(tempPrefix) ? /^(\d+)-\d+\.tmp$/.exec(name.slice(tempPrefix.length))?.[1] : undefined
    if (pid === undefined || (Number(pid) !== process.pid && alive(Number(pid)))) continue
    await files.remove(join(home, name))
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
