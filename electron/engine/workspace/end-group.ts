import { spawn, type ChildProcess } from 'node:child_process'
import { systemCodeOf } from '../base/errors.ts'

/** Ends a program together with what it started. It has to be the leader of a process group (`detached`). */
export function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return
  if (process.platform === 'win32') {
    // Windows has no groups: its own tool ends a tree of processes.
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () =>
      child.kill(signal),
    )
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    // nobody is left in it; macOS says EPERM of a group of which only zombies are left
    const code = systemCodeOf(error)
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
