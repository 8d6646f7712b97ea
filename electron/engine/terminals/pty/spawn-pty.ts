import { statSync } from 'node:fs'
import { constants } from 'node:os'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'

/** How a program ended: its code, or the signal that ended it. */
export interface Ending {
  exitCode: number | null
  signal: NodeJS.Signals | null
}

/** A program in a pseudo terminal. Bytes go through as they are. */
export interface Pty {
  readonly pid: number
  write(data: Uint8Array): void
  resize(cols: number, rows: number): void
  kill(signal: NodeJS.Signals): void
  /** stops and goes on reading what the program writes, for backpressure */
  pause(): void
  resume(): void
  onData(listener: (bytes: Uint8Array) => void): Disposable
  /** called once all its output has been handed on */
  onExit(listener: (ending: Ending) => void): Disposable
}

export interface PtyOrder {
  argv: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
  cols: number
  rows: number
}

/** @throws OnwardError `spawn-failed` when the program can't be started, `folder-not-found` */
export type SpawnPty = (order: PtyOrder) => Pty

/**
 * node-pty, loaded only where a PTY is really wanted: its native part may be missing on this platform.
 * @throws OnwardError `pty-unavailable`
 */
export async function loadNodePty(): Promise<SpawnPty> {
  const { spawn } = await import('node-pty').catch((error: unknown) => {
    throw new OnwardError(
      'pty-unavailable',
      `This machine can’t open pseudo terminals: ${messageOf(error)}. Run agents in tmux instead.`,
      { cause: error },
    )
  })
  return ({ argv, env, cwd, cols, rows }) => {
    const [file, ...args] = argv
    if (file === undefined) throw new OnwardError('spawn-failed', 'There is no program to start.')
    // node-pty would start a child that can only report this on its screen and end
    if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new OnwardError('folder-not-found', `There is no folder ${cwd}.`, { details: { path: cwd } })
    try {
      const pty = spawn(file, args, {
        name: env.TERM ?? 'xterm-256color',
        cols,
        rows,
        cwd,
        env: { ...env },
        encoding: null,
      })
      return {
        pid: pty.pid,
        write: (data) => pty.write(Buffer.from(data)),
        resize: (width, height) => pty.resize(width, height),
        kill: (signal) => (process.platform === 'win32' ? pty.kill() : pty.kill(signal)),
        pause: () => pty.pause(),
        resume: () => pty.resume(),
        onData: (listener) => pty.onData(listener),
        onExit: (listener) => pty.onExit(({ exitCode, signal }) => listener(endingOf(exitCode, signal))),
      }
    } catch (error) {
      throw new OnwardError('spawn-failed', `${file} can’t be started: ${messageOf(error)}.`, { cause: error })
    }
  }
}

function endingOf(exitCode: number, signal: number | undefined): Ending {
  const name = (Object.keys(constants.signals) as NodeJS.Signals[]).find((one) => constants.signals[one] === signal)
  return name === undefined ? { exitCode, signal: null } : { exitCode: null, signal: name }
}
