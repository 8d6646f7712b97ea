import { spawn } from 'node:child_process'
import { type Disposable, disposables } from '../../engine/base/disposable.ts'
import { systemCodeOf } from '../../engine/base/errors.ts'
import { whyFailed } from '../../engine/store/store-failed.ts'
import { CliError } from '../exit.ts'
import type { Ending } from './types.ts'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { runProgram } from './run-program.ts'

/**
 * Runs the agent on our own stdin, stdout and stderr, in our process group, so that the shell's job control sees one
 * job. `alone`: in a session of its own; `stdin`: it reads this instead; `onStart`: it runs now, with this to end it
 */
export function spawnAgent(order: {
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  alone?: boolean
  stdin?: string | undefined
  onStart?(end: () => void): void
}): Promise<Ending> {
  const [program = '', ...args] = order.argv
  return new Promise((resolve, reject) => {
    const held = disposables()
    held.add(stopAlong(() => child.pid))
    let asked: Ending['asked'] = null
    const child = spawn(program, args, {
      stdio: [order.stdin === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
      env: { ...order.env },
      cwd: order.cwd,
      // on Windows it would have a window of its own
      detached: (order.alone ?? false) && process.platform !== 'win32',
    })
    // one that ends before it has read all says so by its own end
    child.stdin?.on('error', () => undefined).end(order.stdin)
    child.once('spawn', () => order.onStart?.(() => child.kill('SIGTERM')))
    held.add(
      passSignals(
        (signal) => {
          child.kill(signal)
        },
        {
          keyboardReachesChild: !order.alone && hasControllingTerminal(),
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

// Signals for an agent that runs in our place.

/**
 * Signals that the terminal driver sends to the whole foreground group by itself: sending them again would press the
 * key twice.
 */
const fromTheKeyboard: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']
const always: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2']

/**
 * While the agent lives, signals end it and not us. Stop and continue (Ctrl Z) keep their default: they reach the
 * group.
 */
function passSignals(
  send: (signal: NodeJS.Signals) => void,
  options: { keyboardReachesChild: boolean; told?: () => void } = { keyboardReachesChild: hasControllingTerminal() },
): Disposable {
  const listeners: [NodeJS.Signals, () => void][] = [
    ...fromTheKeyboard.map((signal): [NodeJS.Signals, () => void] => [
      signal,
      () => {
        options.told?.()
        if (!options.keyboardReachesChild) send(signal)
      },
    ]),
    ...always.map((signal): [NodeJS.Signals, () => void] => [
      signal,
      () => {
        if (signal === 'SIGTERM' || signal === 'SIGHUP') options.told?.()
        send(signal)
      },
    ]),
  ]
  for (const [signal, listener] of listeners) process.on(signal, listener)
  return {
    dispose: () => {
      for (const [signal, listener] of listeners) process.off(signal, listener)
    },
  }
}

function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

// An agent that stops itself (its own Ctrl Z) would leave the shell waiting for us: we stop along.

/** After a stop of the whole group and `fg`, the signal of the agent's stop reaches us when it runs again already. */
const checkAfterMs = 50

/**
 * The kernel sends SIGCHLD for a stopped child too; Node itself reports only ended ones. Listen before the child
 * starts.
 */
function stopAlong(pidOf: () => number | undefined): Disposable {
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
