/** The `onward` command. */
import { closeSync, openSync, readSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { version } from '../../package.json'
import { letDeadTerminalGo } from '../hosts/dead-terminal.ts'
import { asNode as withinAppImage } from '../installed/command/as-node.ts'
import { installHere } from '../installed/install.ts'
import { ownCommand } from '../hosts/own-command.ts'
import type { Cli, CliParts } from './cli.ts'
import { CliError } from './exit.ts'
import { parts } from './parts.ts'
import { run } from './run.ts'

/** The command line on a real process. */
function processCli(options: {
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

// An installed Onward's command line is the app's program run as Node. A program it starts does not run as Node by
// itself, but another start of itself does.
const asNode = process.versions.electron === undefined ? [] : ['ELECTRON_RUN_AS_NODE=1']
delete process.env.ELECTRON_RUN_AS_NODE
const program = asNode.length > 0 && process.platform !== 'win32' ? ['/usr/bin/env', ...asNode] : []
const { env, execPath, platform } = process
const own = fileURLToPath(import.meta.url)
const install = installHere(own, env)
// A child process would lose the mount of this AppImage with this process, so it gets a mount of its own.
const self = install.kind === 'appimage' ? [...program, install.file, ...withinAppImage] : [...program, execPath, own]

void run(
  process.argv.slice(2),
  processCli({
    self,
    command: () =>
      ownCommand(
        {
          built: fileURLToPath(new URL('.', import.meta.url)),
          execPath,
          electron: asNode.length > 0,
          platform,
        },
        env.PATH ?? null,
      ),
    version,
    parts,
  }),
).then((status) => {
  // written out first: a pipe is not always synchronous
  process.stdout.write('', () => process.stderr.write('', () => process.exit(status)))
})
