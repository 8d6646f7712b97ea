import { spawn, type ChildProcess } from 'node:child_process'
import { stat } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf, systemCodeOf } from '../base/errors.ts'
import { streamTail } from './stream-tail.ts'
import type { ProgramEnd, RunProgram } from './types.ts'

export interface RunProgramDeps {
  clock: Clock
  /** the environment of programs; nothing else of this process's environment reaches them */
  env(): Promise<Readonly<Record<string, string | undefined>>>
  /** the owner is ending: no program begins any more, and running ones have little time to end */
  over?: AbortSignal
}

/** Time a group that was asked to end has to do so, and time for the rest in the pipes of one that ended. */
const GRACE_MS = 2_000
/** The same where Onward ends: it has less than two seconds for all of that itself (serve.ts). */
const LAST_GRACE_MS = 700

export function createRunProgram({
  clock,
  env,
  over: lastCall = new AbortController().signal,
}: RunProgramDeps): RunProgram {
  return async ({ argv, cwd, stdin, timeoutMs, outputChars = 65_536, env: added }, signal) => {
    const [program, ...args] = argv
    const beganAt = clock.monotonic()
    const ms = () => Math.round(clock.monotonic() - beganAt)
    const notStarted = (problem: string): ProgramEnd => ({
      kind: 'not-started',
      exitCode: null,
      stdout: '',
      stderr: '',
      ms: ms(),
      problem,
    })
    const stoppedBefore = (): ProgramEnd => ({
      kind: 'stopped',
      exitCode: null,
      stdout: '',
      stderr: '',
      ms: ms(),
      problem: null,
    })
    if (program === undefined || program === '') return notStarted('No program is named.')
    if (signal.aborted || lastCall.aborted) return stoppedBefore()
    let environment: Record<string, string | undefined>
    try {
      if (!(await isFolder(cwd))) return notStarted(`The folder ${cwd} is gone.`)
      environment = { ...(await env()), ...added }
    } catch (error) {
      return notStarted(whyNot(program, error))
    }
    // The login shell was asked meanwhile, which takes a while the first time.
    if (signal.aborted || lastCall.aborted) return stoppedBefore()

    return new Promise((resolve) => {
      const out = streamTail(outputChars)
      const err = streamTail(outputChars)
      let cut: 'timed-out' | 'stopped' | null = null
      let exited = false
      let over = false
      let child: ChildProcess
      try {
        child = spawn(program, args, {
          cwd,
          env: environment,
          detached: process.platform !== 'win32',
          stdio: ['pipe', 'pipe', 'pipe'],
          windowsHide: true,
        })
      } catch (error) {
        return resolve(notStarted(whyNot(program, error)))
      }
      let grace: Disposable | null = null
      const stop = (why: 'timed-out' | 'stopped') => {
        if (cut !== null || exited || over) return
        cut = why
        endGroup(child, 'SIGTERM')
        grace = clock.after(GRACE_MS, force)
      }
      const force = () => {
        endGroup(child, 'SIGKILL')
        end(null)
      }
      const limit = clock.after(timeoutMs, () => stop('timed-out'))
      const onAbort = () => stop('stopped')
      signal.addEventListener('abort', onAbort, { once: true })
      const onOver = () => {
        if (exited || over) return
        stop('stopped')
        grace?.dispose()
        grace = clock.after(LAST_GRACE_MS, force)
      }
      lastCall.addEventListener('abort', onOver, { once: true })

      const finish = (result: ProgramEnd) => {
        if (over) return
        over = true
        limit.dispose()
        grace?.dispose()
        signal.removeEventListener('abort', onAbort)
        lastCall.removeEventListener('abort', onOver)
        // A process that left the group may hold the other ends open for ever.
        child.stdout?.destroy()
        child.stderr?.destroy()
        resolve(result)
      }
      const end = (exitCode: number | null) =>
        finish({ kind: cut ?? 'exited', exitCode, stdout: out.text(), stderr: err.text(), ms: ms(), problem: null })
      child.stdout?.on('data', out.push)
      child.stderr?.on('data', err.push)
      child.once('error', (error) => finish(notStarted(whyNot(program, error))))
      child.once('exit', (code) => {
        if (over) return
        exited = true
        limit.dispose()
        grace?.dispose()
        // Processes it left in its group end with it, which closes the pipes.
        endGroup(child, 'SIGKILL')
        grace = clock.after(GRACE_MS, () => end(code))
      })
      child.once('close', end)
      // A program that does not read its input closes the pipe: its own exit tells the rest.
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(stdin ?? '')
    })
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

function whyNot(program: string, error: unknown): string {
  switch (systemCodeOf(error)) {
    case 'ENOENT':
      return `There is no program “${program}”.`
    case 'EACCES':
      return `“${program}” may not be run: it is not executable.`
    default:
      return `“${program}” can’t be started: ${messageOf(error)}`
  }
}

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
    // no process is left in it; macOS says EPERM of a group of which only zombies are left
    const code = systemCodeOf(error)
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
