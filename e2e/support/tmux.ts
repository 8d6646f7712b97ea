import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanEnv } from './engine-process.ts'
import { evidence } from './evidence/evidence.ts'

/** A tmux server of the test's own, on its own socket. */
export interface TestTmux {
  socket: string
  /** starts `command` in a new session and returns its pane id */
  session(
    name: string,
    command: string,
    options?: { cwd?: string; env?: Record<string, string>; cols?: number; rows?: number },
  ): string
  split(target: string, command: string, options?: { cwd?: string; env?: Record<string, string> }): string
  screen(pane: string): string
  /** keys as a person presses them: text literally, then named keys */
  type(pane: string, text: string): void
  key(pane: string, ...names: string[]): void
  killPane(pane: string): void
  run(...args: string[]): string
  dispose(): void
}

export const tmuxMissing: string | null =
  spawnSync('tmux', ['-V'], { stdio: 'ignore' }).status === 0 ? null : 'tmux is not installed'

export function startTmux(): TestTmux {
  const folder = mkdtempSync(join(tmpdir(), 'onward-tmux-'))
  const socket = join(folder, 's')
  const run = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', env: cleanEnv() }).trimEnd()
  const forget = evidence(() => {
    const panes = run('list-panes', '-a', '-F', '#{pane_id} #{session_name}').split('\n')
    return {
      'tmux.txt': panes
        .map((pane) => `${pane}\n${run('capture-pane', '-p', '-t', pane.split(' ')[0] ?? '')}`)
        .join('\n\n'),
    }
  })
  const envFlags = (env: Record<string, string> = {}) => Object.entries(env).flatMap(([k, v]) => ['-e', `${k}=${v}`])
  return {
    socket,
    run,
    session: (name, command, { cwd, env, cols = 120, rows = 40 } = {}) =>
      run(
        'new-session',
        '-d',
        '-P',
        '-F',
        '#{pane_id}',
        '-s',
        name,
        '-x',
        String(cols),
        '-y',
        String(rows),
        ...(cwd ? ['-c', cwd] : []),
        ...envFlags(env),
        command,
      ),
    split: (target, command, { cwd, env } = {}) =>
      run(
        'split-window',
        '-d',
        '-P',
        '-F',
        '#{pane_id}',
        '-t',
        target,
        ...(cwd ? ['-c', cwd] : []),
        ...envFlags(env),
        command,
      ),
    screen: (pane) => run('capture-pane', '-p', '-t', pane),
    type: (pane, text) => {
      run('send-keys', '-t', pane, '-l', '--', text)
    },
    key: (pane, ...names) => {
      run('send-keys', '-t', pane, ...names)
    },
    killPane: (pane) => {
      run('kill-pane', '-t', pane)
    },
    dispose() {
      forget()
      spawnSync('tmux', ['-S', socket, 'kill-server'], { stdio: 'ignore' })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
