import { findProgram } from '../launch/find-program.ts'
import { runProgram } from '../launch/run-program.ts'
import { bad, good, type Check } from './types.ts'

/** `paste-buffer -p` and `#{pane_pipe}` are older; `new-session -e` came with 3.2 */
const least = 3.2

export const checkTmux: Check = async (_place, cli) => {
  if (cli.platform === 'win32') return []
  const tmux = await findProgram('tmux', cli)
  // the PTY wrapper does without
  if (!tmux) return [good('tmux', 'tmux is not installed; agents run in Onward’s own wrapper instead.')]
  const { stdout } = await runProgram(tmux, ['-V'])
  const version = Number.parseFloat(/(\d+\.\d+)/.exec(stdout)?.[1] ?? '')
  if (Number.isNaN(version) || version >= least) return [good('tmux', `${stdout.trim() || 'tmux'} at ${tmux}`)]
  return [bad('tmux', `${stdout.trim()} is older than ${least}.`, 'Update tmux, or start agents outside of it.')]
}
