/** The command line on a real process. */
import { closeSync, openSync, readSync } from 'node:fs'
import { isatty } from 'node:tty'
import { text } from 'node:stream/consumers'
import { letDeadTerminalGo } from '../hosts/dead-terminal.ts'
import type { Cli, CliParts } from './cli.ts'
import { CliError } from './exit.ts'

export function processCli(options: {
  self: readonly string[]
  command(): string
  version: string
  parts: CliParts
}): Omit<Cli, 'exitWith'> {
  letDeadTerminalGo()
  // `onward sessions | head -1`: the reader has left, which is no error
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throwUnlessGone(error)
  })
  process.stderr.on('error', throwUnlessGone)
  return {
    ...options,
    out: (words) => {
      process.stdout.write(words)
    },
    err: (words) => {
      process.stderr.write(words)
    },
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    // not process.stdin.isTTY: making that stream would set the terminal up for us while it is the agent's
    tty: { in: isatty(0), out: isatty(1), err: isatty(2), columns: process.stdout.columns ?? 80 },
    now: () => Date.now(),
    readStdin: () => text(process.stdin),
    askYesNo: (question) => /^\s*(y|yes|是)\s*$/i.test(askLine(question)),
    askLine,
    untilInterrupted,
    dieBy,
  }
}

/** Words to a terminal whose window was closed, or to a log whose reader ended, may be lost. */
function throwUnlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EIO' && error.code !== 'EPIPE') throw error
}

/** Read from the terminal itself and not from stdin, which stays untouched for the agent. */
function askLine(question: string): string {
  process.stderr.write(question)
  const terminal = openTerminal()
  try {
    const answer = Buffer.alloc(256)
    const length = readSync(terminal, answer, 0, answer.length, null)
    return answer.toString('utf8', 0, length).replace(/\r?\n$/, '')
  } finally {
    closeSync(terminal)
  }
}

function openTerminal(): number {
  try {
    return openSync(process.platform === 'win32' ? '\\\\.\\CON' : '/dev/tty', 'r')
  } catch (cause) {
    throw new CliError('refused', 'There is no terminal at which a person could answer.', { cause })
  }
}

/** The first signal asks for a clean end, the second doesn't wait for it. */
function untilInterrupted(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // a shell and the system both say that the window was closed
      if (controller.signal.aborted && signal !== 'SIGHUP') process.exit(1)
      controller.abort()
    })
  }
  return controller.signal
}

function dieBy(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}
