import { spawn, type ChildProcess } from 'node:child_process'
import type { Clock } from '../base/clock.ts'
import { messageOf, systemCodeOf } from '../base/errors.ts'
import type { ProgramEnd, RunProgram } from './types.ts'

export interface RunProgramDeps {
  clock: Clock
  /** what programs are given; nothing else of this process's environment reaches them */
  env(): Promise<Readonly<Record<string, string | undefined>>>
}

/** Time a group that was asked to end has for it. */
const GRACE_MS = 2_000

export function createRunProgram({ clock, env }: RunProgramDeps): RunProgram {
  return async ({ argv, cwd, stdin, timeoutMs, outputChars = 65_536, env: added }, signal) => {
    const [program, ...args] = argv
    const beganAt = clock.monotonic()
    const notStarted = (problem: string): ProgramEnd => ({ kind: 'not-started', exitCode: null, stdout: '', stderr: '', ms: Math.round(clock.monotonic() - beganAt), problem })
    if (program === undefined) return notStarted('No program is named.')
    if (signal.aborted) return { ...notStarted(''), kind: 'stopped', problem: null }
    const environment = { ...(await env()), ...added }
    return new Promise((resolve) => {
      const out = tail(outputChars)
      const err = tail(outputChars)
      let cut: 'timed-out' | 'stopped' | null = null
      let over = false
      let child: ChildProcess
      try {
        child = spawn(program, args, { cwd, env: environment, detached: process.platform !== 'win32', stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
      } catch (error) {
        return resolve(notStarted(whyNot(program, cwd, error)))
      }
      let killing: { dispose(): void } | null = null
      const stop = (why: 'timed-out' | 'stopped') => {
        if (cut !== null || over) return
        cut = why
        endGroup(child, 'SIGTERM')
        killing = clock.after(GRACE_MS, () => {
          endGroup(child, 'SIGKILL')
          // What a grandchild of another group holds open is not waited for.
          end(null)
        })
      }
      const limit = clock.after(timeoutMs, () => stop('timed-out'))
      const onAbort = () => stop('stopped')
      signal.addEventListener('abort', onAbort, { once: true })
      const finish = (result: ProgramEnd) => {
        if (over) return
        over = true
        limit.dispose()
        killing?.dispose()
        signal.removeEventListener('abort', onAbort)
        resolve(result)
      }
      const end = (exitCode: number | null) => finish({ kind: cut ?? 'exited', exitCode, stdout: out.text(), stderr: err.text(), ms: Math.round(clock.monotonic() - beganAt), problem: null })
      child.stdout?.on('data', out.push)
      child.stderr?.on('data', err.push)
      child.once('error', (error) => finish(notStarted(whyNot(program, cwd, error))))
      child.once('close', (code) => {
        // What it left running in its group ends with it.
        endGroup(child, 'SIGKILL')
        end(code)
      })
      // A program that does not read its input closes the pipe: its own exit tells the rest.
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(stdin ?? '')
    })
  }
}

function whyNot(program: string, cwd: string, error: unknown): string {
  return systemCodeOf(error) === 'ENOENT' ? `There is no program “${program}”, or the folder ${cwd} is gone.` : `“${program}” can’t be started: ${messageOf(error)}`
}

function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // nobody is left in it
  }
}

/** The end of a stream. */
function tail(limit: number) {
  let kept: Buffer[] = []
  let bytes = 0
  const whole = (): Buffer => Buffer.concat(kept)
  return {
    push(chunk: Buffer) {
      kept.push(chunk)
      bytes += chunk.length
      if (bytes > limit * 4) {
        const rest = whole().subarray(-limit)
        kept = [rest]
        bytes = rest.length
      }
    },
    text: () => whole().subarray(-limit).toString('utf8').replace(/^\uFFFD+/, ''),
  }
}
