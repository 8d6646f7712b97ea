import { systemCodeOf } from '../base/errors.ts'

/** Whether a process exists; one that belongs to somebody else does. */
export function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCodeOf(error) === 'EPERM'
  }
}
