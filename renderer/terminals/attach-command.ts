import type { TerminalView } from '../../shared/state.ts'

/** The command for a person's own terminal, to work in that pane. @param target what ssh goes to; null: it is here */
export function attachCommand({ socket, paneId }: NonNullable<TerminalView['pane']>, target: string | null): string {
  const attach = `tmux -S ${quoted(socket)} attach-session -t ${quoted(paneId)}`
  return target === null ? attach : `ssh -t ${quoted(target)} ${quoted(attach)}`
}

const quoted = (word: string): string => (/^[\w./%+:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
