import type { TerminalView } from '../../shared/state.ts'

/** What a person types into a terminal of their own to work in that pane. */
export function attachCommand({ socket, paneId }: NonNullable<TerminalView['pane']>): string {
  return `tmux -S ${quoted(socket)} attach-session -t ${quoted(paneId)}`
}

const quoted = (word: string): string => (/^[\w./%+:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
