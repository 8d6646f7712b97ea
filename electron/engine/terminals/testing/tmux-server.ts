import { execFileSync, spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readerFile, type ReaderFile } from './reader-pty.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'

export const tmuxMissing: string | null =
  spawnSync('tmux', ['-V'], { stdio: 'ignore' }).status === 0 ? null : 'tmux is not installed'

/** A tmux server of the test's own, on its own socket. */
export interface TmuxServer {
  socket: string
  run(...args: string[]): string
  /** a shell in a new session, at its prompt; returns the pane id */
  shell(session: string, cwd?: string): Promise<string>
  /** the reader started by hand in a shell's pane, under the name of Codex */
  reader(paneId: string, ...flags: string[]): Promise<ReaderFile>
  dispose(): void
}

export function tmuxServer(): TmuxServer {
  const folder = mkdtempSync(join(tmpdir(), 'onward-tmux-'))
  const socket = join(folder, 's')
  const files: ReaderFile[] = []
  const { TMUX: _inside, ...env } = process.env
  const runIn = (cwd: string, ...args: string[]) =>
    execFileSync('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', env, cwd }).trimEnd()
  const run = (...args: string[]) => runIn(folder, ...args)
  return {
    socket,
    run,
    async shell(session, cwd = folder) {
      // not by `-c`, which tmux expands
      const pane = runIn(
        cwd,
        'new-session',
        '-d',
        '-P',
        '-F',
        '#{pane_id}',
        '-s',
        session,
        '-x',
        '100',
        '-y',
        '30',
        'env PS1=ready\\> bash --norc --noprofile -i',
      )
      await waitFor('a prompt', () => run('capture-pane', '-p', '-t', pane).includes('ready>'))
      return pane
    },
    async reader(paneId, ...flags) {
      const file = readerFile(...flags)
      files.push(file)
      const [node = '', script = '', ...rest] = file.argv
      const codex = join(file.folder, 'codex.mjs')
      symlinkSync(script, codex)
      run('send-keys', '-t', paneId, '-l', '--', [node, codex, ...rest].map((part) => `'${part}'`).join(' '))
      run('send-keys', '-t', paneId, 'Enter')
      await waitFor('the reader to read', () => file.pid() !== null)
      return file
    },
    dispose() {
      spawnSync('tmux', ['-S', socket, 'kill-server'], { stdio: 'ignore' })
      for (const file of files) file.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
