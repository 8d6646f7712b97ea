/** Finds where this process runs: the current tmux pane, a terminal window of its own, or no terminal. */
import { randomUUID } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import type { Cli } from '../cli.ts'
import { runProgram } from './run-program.ts'
import type { TerminalPlace } from './types.ts'

/**
 * `$TMUX` and `$TMUX_PANE` alone prove nothing: a window opened from a pane inherits both, and typing would go to the
 * wrong agent. The pane counts only when its tty is ours.
 */
export async function detectPlace(cli: Pick<Cli, 'env' | 'tty' | 'platform'>): Promise<TerminalPlace> {
  if (!cli.tty.in || !cli.tty.out) return { kind: 'none' }
  return (await currentPane(cli.env)) ?? { kind: 'wrapped', hostId: randomUUID() }
}

/**
 * The server of the tmux this runs in, if it does: socket path, server pid, session number; the path may hold commas.
 */
export const tmuxSocketOf = (env: Cli['env']): string | null => /^(.+),\d+,\d+$/.exec(env.TMUX ?? '')?.[1] ?? null

export async function currentPane(env: Cli['env']): Promise<Extract<TerminalPlace, { kind: 'tmux' }> | null> {
  const socket = tmuxSocketOf(env)
  const paneId = env.TMUX_PANE
  if (!socket || !paneId || !/^%\d+$/.test(paneId)) return null
  const { code, stdout } = await runProgram('tmux', [
    '-S',
    socket,
    'display-message',
    '-p',
    '-t',
    paneId,
    '#{pane_id} #{pane_tty}',
  ])
  const [id, tty] = stdout.trim().split(' ')
  return code === 0 && id === paneId && tty !== undefined && tty === ownTty() ? { kind: 'tmux', socket, paneId } : null
}

/** `tty` names the terminal on its stdin, which is ours. */
function ownTty(): string | null {
  try {
    return execFileSync('tty', [], { stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8', timeout: 2_000 }).trim()
  } catch (error) {
    // exit code 1: "not a tty"; no such program: Windows
    if (error instanceof Error && ('status' in error || 'code' in error)) return null
    throw error
  }
}
