import { spawn } from 'node:child_process'
import { systemCodeOf } from '../../engine/base/errors.ts'

/** `code: null`: it could not be started, was killed, or took too long. */
export interface ProgramOutput {
  code: number | null
  stdout: string
  missing: boolean
  /** it took too long */
  late: boolean
}

export interface ProgramOptions {
  env?: Readonly<Record<string, string | undefined>>
  timeoutMs?: number
  /** how long what is ended may tidy up */
  graceMs?: number
  /** away from our terminal: an interactive shell would otherwise take the foreground from us */
  ownSession?: boolean
}

const mostOutput = 1 << 20

/** Runs a helper program to its end, without a shell. Never throws: how it went is the result. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramOutput> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env: { ...(options.env ?? process.env) },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: options.ownSession ?? false,
      windowsHide: true,
    })
    const limit = setTimeout(kill, options.timeoutMs ?? 5_000)
    let stdout = ''
    const done = (code: number | null, how: Partial<Pick<ProgramOutput, 'missing' | 'late'>> = {}) => {
      clearTimeout(limit)
      resolve({ code, stdout, missing: false, late: false, ...how })
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length < mostOutput) stdout += text
    })
    child.once('error', (error) => done(null, { missing: systemCodeOf(error) === 'ENOENT' }))
    child.once('close', (code) => done(code))

    function kill(): void {
      if (options.ownSession && process.platform !== 'win32') {
        // As a terminal that is closed: programs that a shell's start files began give back their locks (pyenv's holds
        // up every other shell for a minute), and hold our pipe no longer.
        signal('SIGHUP')
        setTimeout(() => signal('SIGKILL'), options.graceMs ?? 10_000).unref()
      } else child.kill('SIGKILL')
      child.stdout.destroy()
      done(null, { late: true })
    }
    function signal(name: NodeJS.Signals): void {
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, name)
      } catch (error) {
        if (systemCodeOf(error) !== 'ESRCH') throw error
      }
    }
  })
}
