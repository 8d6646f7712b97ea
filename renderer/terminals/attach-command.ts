import type { TerminalView } from '../../shared/state.ts'

/** The command for a person's own terminal, to work in that pane. */
export function attachCommand({ socket, paneId }: NonNullable<TerminalView['pane']>): string {
  return `tmux -S ${quoted(socket)} attach-session -t ${quoted(paneId)}`
}

const quoted = (word: string): string => (/^[\w./%+:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
