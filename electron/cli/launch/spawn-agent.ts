import { spawn } from 'node:child_process'
import { disposables } from '../../engine/base/disposable.ts'
import { systemCodeOf } from '../../engine/base/errors.ts'
import { whyFailed } from '../../engine/store/store-failed.ts'
import { CliError } from '../exit.ts'
import { hasControllingTerminal, passSignals } from './pass-signals.ts'
import { stopAlong } from './stop-along.ts'
import type { Ending } from './types.ts'

/**
 * Runs the agent on our own stdin, stdout and stderr, in our process group, so that the shell's job control sees one
 * job.
 */
export function spawnAgent(order: {
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd: string
}): Promise<Ending> {
  const [program = '', ...args] = order.argv
  return new Promise((resolve, reject) => {
    const held = disposables()
    held.add(stopAlong(() => child.pid))
    let asked: Ending['asked'] = null
    const child = spawn(program, args, { stdio: 'inherit', env: { ...order.env }, cwd: order.cwd, detached: false })
    held.add(
      passSignals(
        (signal) => {
          child.kill(signal)
        },
        {
          keyboardReachesChild: hasControllingTerminal(),
          told: () => {
            asked = 'told'
          },
        },
      ),
    )
    child.once('error', (error) => {
      held.dispose()
      reject(cannotStart(program, error))
    })
    child.once('exit', (exitCode, signal) => {
      held.dispose()
      resolve({ exitCode, signal, asked })
    })
  })
}

function cannotStart(program: string, error: Error): CliError {
  const missing = systemCodeOf(error) === 'ENOENT'
  return new CliError(missing ? 'noProgram' : 'cannotRun', `${program} can’t be started: ${whyFailed(error)}.`, {
    cause: error,
  })
}
