import { spawn } from 'node:child_process'
import { dirname, sep } from 'node:path'
import { ownCommand } from '../../electron/hosts/own-command.ts'
import { cleanEnv, onwardBin } from './engine-process.ts'

/** How the built command names itself in what it suggests. */
export const ownName = ownCommand(
  { built: dirname(onwardBin) + sep, execPath: process.execPath, electron: false, platform: process.platform },
  process.env.PATH ?? null,
)

export interface CliRun {
  code: number | null
  out: string
  err: string
}

/** A command that hangs is a fault of its own: it is ended, and its code is null. */
const longestMs = 60_000

/** The real `onward` with these words, to its end; `script`: another build of it. */
export function onward(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  script: string = onwardBin,
): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...cleanEnv(), ...env },
      timeout: longestMs,
      killSignal: 'SIGKILL',
    })
    const run: CliRun = { code: null, out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      run.out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      run.err += text
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ ...run, code }))
  })
}
