/** Agents that a person started in tmux by hand, before Onward knows their panes. */
import type { ClientKind } from '../words.ts'

/** A tmux pane with an agent in front that may be registered. */
export interface AdoptablePane {
  socket: string
  /** unique on its tmux server only */
  paneId: string
  /** the process that tmux made the pane for: a server that was started anew gives the same id to another one */
  pid: number
  client: ClientKind
  /** the tmux session it stands in */
  tmuxSession: string
  cwd: string | null
  /** the program in front */
  command: string
}
