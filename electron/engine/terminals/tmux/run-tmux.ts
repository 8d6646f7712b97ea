import { execFile } from 'node:child_process'
import { messageOf } from '../../base/errors.ts'

/** One tmux command on one server; never through a shell. `socket: null`: the person's default server. */
export type RunTmux = (socket: string | null, args: readonly string[], stdin?: string) => Promise<TmuxAnswer>
export type TmuxAnswer = { ok: true; out: string } | { ok: false; gone: boolean; why: string }

/** tmux answers in milliseconds; a server that hangs must not hang the engine. */
const ANSWER_MS = 4_000
const MOST_BYTES = 8 * 1024 * 1024

/** tmux's words when the pane, or its whole server, is not there any more (tmux 3.x). */
const goneWords =
  /can't find (?:pane|window|session)|no server running|error connecting to .*\((?:No such file or directory|Connection refused)\)|server exited|lost server/i

export function tmuxRunner(env: Readonly<Record<string, string | undefined>>): RunTmux {
  // TMUX of the engine's own terminal would make commands about that one.
  const { TMUX: _own, TMUX_PANE: _pane, ...rest } = env
  return (socket, args, stdin) =>
    new Promise((resolve) => {
      // -u: without it, and without a UTF-8 locale (a service, a desktop's start), titles come back as `_`
      const child = execFile(
        'tmux',
        ['-u', ...(socket === null ? [] : ['-S', socket]), ...args],
        { env: rest, timeout: ANSWER_MS, maxBuffer: MOST_BYTES, encoding: 'utf8' },
        (error, out, err) => {
          if (!error) return resolve({ ok: true, out })
          const why = err.trim() || messageOf(error)
          resolve({ ok: false, gone: goneWords.test(why), why })
        },
      )
      // a tmux that ended without reading shows that by its exit code
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(stdin)
    })
}
