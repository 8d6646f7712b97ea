/** `--tmux`: a new tmux session with the launcher in it, which then finds itself in a pane. */
import { spawnSync } from 'node:child_process'
import type { Cli } from '../cli.ts'
import { CliError } from '../exit.ts'
import type { Place } from '../place.ts'
import { findProgram } from './find-program.ts'

/**
 * Not secret, and needed to find the agent where the tmux server has an older environment. The key is fetched inside.
 */
const handedOver = ['PATH', 'ONWARD_HOME', 'ONWARD_PORT', 'NO_COLOR', 'LANG', 'LC_ALL', 'LC_CTYPE'] as const

/** To tmux a `;` at the end of an argument ends the command, unless a backslash stands before it (3.3a). */
const literal = (argument: string): string => argument.replace(/;$/, '\\;')

export async function runInTmuxSession(
  order: { label: string; words: readonly string[]; cwd: string; place: Place },
  cli: Cli,
): Promise<number> {
  const tmux = await findProgram('tmux', cli)
  if (!tmux)
    throw new CliError('noProgram', 'tmux is not installed.', {
      hint: 'Install it (apt install tmux, brew install tmux), or leave --tmux out: Onward wraps the terminal itself.',
    })
  const env = handedOver.flatMap((name) => (cli.env[name] ? ['-e', `${name}=${cli.env[name]}`] : []))
  const port = order.place.port === null ? [] : ['--port', String(order.place.port)]
  const [command = '', ...rest] = order.words
  const session = `onward-${order.label.replace(/[^A-Za-z0-9_-]/g, '-')}-${process.pid}`
  // one argument each: tmux starts the command without a shell then
  const words = [...cli.self, command, '--home', order.place.home, ...port, ...rest]
  // The folder is the client's own: a value of `-c` is a format, and `#(…)` in a folder's name would be run.
  const result = spawnSync(tmux, ['new-session', '-s', session, ...env, '--', ...words].map(literal), {
    stdio: 'inherit',
    env: { ...cli.env },
    cwd: order.cwd,
  })
  if (result.error)
    throw new CliError('cannotRun', `tmux can’t be started: ${result.error.message}`, { cause: result.error })
  return result.status ?? 1
}
