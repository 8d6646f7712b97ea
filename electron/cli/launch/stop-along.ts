/** An agent that stops itself (its own Ctrl Z) would leave the shell waiting for us: we stop along. */
import { readFile } from 'node:fs/promises'
import type { Disposable } from '../../engine/base/disposable.ts'
import { systemCodeOf } from '../../engine/base/errors.ts'
import { runProgram } from './run-program.ts'

/** After a stop of the whole group and `fg`, the signal of the agent's stop reaches us when it runs again already. */
const checkAfterMs = 50

/**
 * The kernel sends SIGCHLD for a stopped child too; Node itself reports only ended ones. Listen before the child
 * starts.
 */
export function stopAlong(pidOf: () => number | undefined): Disposable {
  if (process.platform === 'win32') return { dispose: () => undefined }
  let timer: NodeJS.Timeout | undefined
  const check = () => {
    void isStopped(pidOf()).then((stopped) => {
      if (stopped) process.kill(process.pid, 'SIGSTOP')
    })
  }
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(check, checkAfterMs)
  }
  process.on('SIGCHLD', heard)
  return {
    dispose: () => {
      clearTimeout(timer)
      process.off('SIGCHLD', heard)
    },
  }
}

async function isStopped(pid: number | undefined): Promise<boolean> {
  if (pid === undefined) return false
  if (process.platform !== 'linux')
    return (await runProgram('ps', ['-o', 'state=', '-p', String(pid)])).stdout.trimStart().startsWith('T')
  // third field, after a name that may hold anything (proc(5))
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return ''
    throw error
  })
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
}
